"""Polarlab's own rows, as its releases hold them in JSON lines, Parquet and CSV.

The release's label is the file's; a swapped twin is one again, of the pair that it reverses. Splits, soft
labels and calculus labels are the release's own: they are made again from what comes in.
"""

from __future__ import annotations

import json
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.datasets.labels import UNNATURAL
from apps.datasets.models import Direction, Pair
from apps.imports.formats.table import Columns, Values
from apps.imports.labels import answers_of, label_of
from apps.imports.records.record import Record
from apps.imports.rows import CellError, PairRow

_LABELS = {UNNATURAL: UNNATURAL}


def read(record: Record, values: Values) -> PairRow:
    direction = record.text("direction")
    if direction not in ("", *Direction.values):
        raise CellError("direction", _("“%(found)s” is no direction") % {"found": direction[:60]})
    origin = record.text("origin")
    if origin not in ("", *Pair.Origin.values):
        raise CellError("origin", _("“%(found)s” is no origin") % {"found": origin[:60]})
    return PairRow(
        record.number,
        record.line,
        texts_of(record, "premises"),
        _hypothesis(record),
        label=label_of(record.label("gold_label"), "gold_label", {**_LABELS, **values}),
        direction=direction,
        genre=record.text("genre"),
        tags=texts_of(record, "tags"),
        source=record.text("source"),
        answers=answers_of(record.listed("answers"), "answers", {**_LABELS, **values}),
        facts=_facts(record.cells.get("facts")),
        origin=origin,
    )


def _hypothesis(record: Record) -> str:
    """In a table, without the mark that keeps a spreadsheet from taking it for a formula."""
    text = record.text("hypothesis")
    is_table = isinstance(record.cells.get("premises"), str)
    return text[1:] if is_table and text[:1] == "'" and text[1:2] in tuple("=+-@\t\r") else text


def _facts(found: object) -> dict[str, Any]:
    """An object, or (in a Parquet column or a table) its JSON."""
    if found == "":
        return {}
    if isinstance(found, str):
        try:
            found = json.loads(found)
        except (ValueError, RecursionError) as error:
            raise CellError("facts", _("this is no JSON")) from error
    if found is not None and not isinstance(found, dict):
        raise CellError("facts", _("an object is wanted"))
    return found or {}


def texts_of(record: Record, column: str) -> tuple[str, ...]:
    """A list of texts; anything else is an error of the column."""
    found = record.listed(column)
    if not all(isinstance(item, str) for item in found):
        raise CellError(column, _("a list of texts is wanted"))
    return tuple(item.strip() for item in found)


FORMAT = Columns(
    "polarlab",
    gettext_lazy("Polarlab’s releases (JSON lines or Parquet)"),
    frozenset({"premises", "hypothesis", "gold_label"}),
    read,
)
