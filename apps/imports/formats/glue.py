"""GLUE's diagnostic set (Wang et al. 2019, appendix E): phenomena in four columns, parted by ``;``.

Every phenomenon is kept as a tag under its own name; a single one of the three of monotonicity is the
pair's direction as well.
"""

from __future__ import annotations

from django.utils.translation import gettext_lazy

from apps.datasets.models import Direction
from apps.imports.formats.table import Columns, Values
from apps.imports.labels import label_of
from apps.imports.records.record import Record
from apps.imports.rows import PairRow

PHENOMENA = ("lexical semantics", "predicate-argument structure", "logic", "knowledge")
DIRECTIONS = {
    "Upward monotone": Direction.UPWARD,
    "Downward monotone": Direction.DOWNWARD,
    "Non-monotone": Direction.NON_MONOTONE,
}


def read(record: Record, values: Values) -> PairRow:
    found = [part.strip() for column in PHENOMENA for part in record.text(column).split(";")]
    tags = tuple(dict.fromkeys(part for part in found if part))
    directions = {DIRECTIONS[tag].value for tag in tags if tag in DIRECTIONS}
    return PairRow(
        record.number,
        record.line,
        (record.text("premise"),),
        record.text("hypothesis"),
        label=label_of(record.label("label"), "Label", values),
        direction=directions.pop() if len(directions) == 1 else "",
        genre=record.text("domain"),
        tags=tags,
        source="GLUE diagnostics",
    )


FORMAT = Columns(
    "glue",
    gettext_lazy("GLUE diagnostics"),
    frozenset({"premise", "hypothesis", "label", *PHENOMENA}),
    read,
)
