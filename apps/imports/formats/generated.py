"""Pairs that ``natlog generate`` and ``natlog testbed`` print: MultiNLI's columns, the direction
in one of its own, and how each pair was made.
"""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.datasets.models import Direction
from apps.imports.formats.table import Columns, Values
from apps.imports.labels import label_of, read_genre
from apps.imports.records.record import Record
from apps.imports.rows import CellError, PairRow

# What tells pairs apart; where in a sentence something was changed, and by which version, the file keeps.
_FACTS = (
    "operation", "kind", "reversed", "before", "after", "relation",
    "split", "depth", "variant", "quantifiers", "embedding", "replacement", "argument",
)  # fmt: skip


def read(record: Record, values: Values) -> PairRow:
    written = record.text("direction").lower()
    direction = written if written in Direction.values else read_genre(written)[0]
    if written and not direction:
        message = _("“%(found)s” is none of upward, downward, non-monotone") % {"found": written[:60]}
        raise CellError("direction", message)
    return PairRow(
        record.number,
        record.line,
        (record.text("sentence1"),),
        record.text("sentence2"),
        label=label_of(record.label("gold_label"), "gold_label", values),
        direction=direction,
        facts={name: value for name in _FACTS if (value := record.text(name)) not in ("", "-")},
    )


FORMAT = Columns(
    "generated",
    gettext_lazy("pairs of natlog generate or natlog testbed"),
    frozenset({"sentence1", "sentence2", "gold_label", "direction"}),
    read,
)
