"""MultiNLI's columns, which MED has too: in TSV, and in the JSON lines of SNLI, MultiNLI and MoNLI.

MED's ``genre`` names direction, tags and source (MED, section 3.3). The labels of single annotators stand
in ``label1`` to ``label5`` of a table, and in ``annotator_labels`` of JSON; they are nobody's by name.
"""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy

from apps.imports.formats.table import Columns, Values
from apps.imports.labels import answers_of, label_of, read_genre
from apps.imports.records.record import Record
from apps.imports.rows import Answer, PairRow

# A pair's identifiers in these files, kept as facts under their own names.
_IDENTIFIERS = {"pairid": "pairID", "promptid": "promptID", "captionid": "captionID", "depth": "depth"}

_SINGLE = tuple(f"label{number}" for number in range(1, 6))


def read(record: Record, values: Values) -> PairRow:
    genre = record.text("genre")
    direction, tags, source = read_genre(genre)
    return PairRow(
        record.number,
        record.line,
        (record.text("sentence1"),),
        record.text("sentence2"),
        label=label_of(record.label("gold_label"), "gold_label", values),
        direction=direction,
        genre=genre,
        tags=tags,
        source=source,
        answers=_answers(record, values),
        facts=_facts(record),
    )


def _answers(record: Record, values: Values) -> tuple[Answer, ...]:
    if "annotator_labels" in record.cells:
        return answers_of(record.listed("annotator_labels"), "annotator_labels", values)
    if record.cells.keys().isdisjoint(_SINGLE):
        return ()
    return tuple(
        answer for column in _SINGLE for answer in answers_of([record.label(column)], column, values)
    )


def _facts(record: Record) -> dict[str, Any]:
    # MoNLI writes a number for the depth; MultiNLI's identifiers are text.
    cells = record.cells
    return {name: cells[key] for key, name in _IDENTIFIERS.items() if key in cells and record.text(key)}


FORMAT = Columns(
    "mnli",
    gettext_lazy("MultiNLI, SNLI, MED or MoNLI (TSV or JSON lines)"),
    frozenset({"sentence1", "sentence2", "gold_label"}),
    read,
)
