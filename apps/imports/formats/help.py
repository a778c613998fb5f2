"""HELP (Yanaka et al. 2019): pairs made from the Parallel Meaning Bank, with operator and monotonicity.

``monotonicity`` is a direction, or the name of what was added or dropped (conjunction, disjunction), which
is kept as a tag.
"""

from __future__ import annotations

from django.utils.translation import gettext_lazy

from apps.datasets.models import Direction
from apps.imports.formats.table import Columns, Values
from apps.imports.labels import label_of, read_genre
from apps.imports.records.record import Record
from apps.imports.rows import PairRow

_DIRECTIONS = {"upward": Direction.UPWARD, "downward": Direction.DOWNWARD, "non": Direction.NON_MONOTONE}
_FACTS = ("filename", "determiner", "monotonicity", "replace_target", "replace_source", "replace_mode")


def read(record: Record, values: Values) -> PairRow:
    monotonicity = record.text("monotonicity")
    direction = read_genre(monotonicity)[0]
    if not direction and monotonicity.lower() in _DIRECTIONS:
        direction = _DIRECTIONS[monotonicity.lower()].value
    return PairRow(
        record.number,
        record.line,
        (record.text("ori_sentence"),),
        record.text("new_sentence"),
        label=label_of(record.label("gold_label"), "gold_label", values),
        direction=direction,
        genre=monotonicity,
        tags=() if direction or not monotonicity else (monotonicity,),
        source="HELP",
        facts={name: value for name in _FACTS if (value := record.text(name))},
    )


FORMAT = Columns(
    "help",
    gettext_lazy("HELP"),
    frozenset({"ori_sentence", "new_sentence", "gold_label", "monotonicity"}),
    read,
)
