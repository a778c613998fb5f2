"""Pairs that ``natlog generate`` and ``natlog testbed`` print: MultiNLI's columns, the direction
in one of its own, and how each pair was made.
"""

from __future__ import annotations

from django.utils.translation import gettext_lazy

from apps.imports.formats.table import Columns, Values
from apps.imports.labels import direction_of, label_of
from apps.imports.records.record import Record
from apps.imports.rows import PairRow

# What tells pairs apart; where in a sentence something was changed, and by which version, the file keeps.
_FACTS = (
    "operation", "kind", "reversed", "before", "after", "relation",
    "split", "depth", "variant", "quantifiers", "embedding", "replacement", "argument",
)  # fmt: skip


def read(record: Record, values: Values) -> PairRow:
    return PairRow(
        record.number,
        record.line,
        (record.text("sentence1"),),
        record.text("sentence2"),
        label=label_of(record.label("gold_label"), "gold_label", values),
        direction=direction_of(record.text("direction"), "direction"),
        facts={name: value for name in _FACTS if (value := record.text(name)) not in ("", "-")},
    )


FORMAT = Columns(
    "generated",
    gettext_lazy("pairs of natlog generate or natlog testbed"),
    frozenset({"sentence1", "sentence2", "gold_label", "direction"}),
    read,
)
