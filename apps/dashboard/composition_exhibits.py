"""What a dataset is made of, as a table that a paper takes."""

from __future__ import annotations

from django.utils.translation import gettext as _

from apps.dashboard.composition import ORIGIN_NAMES, Composition
from apps.dashboard.tables import place_name
from apps.datasets.labels import LABEL_NAMES
from apps.frame.exhibits import Cell, Column, Exhibits, Table
from apps.frame.exhibits.tables import Form


def kept(found: Composition) -> Exhibits:
    """The page's exhibits."""
    return {"composition": lambda: composition_table(found)}


def composition_table(found: Composition) -> Table | None:
    """Type × label × where the pairs come from (MED, Table 5). None where no pair has a label."""
    if not found.total:
        return None
    columns = [
        Column("type", _("Type")),
        Column("label", _("Label")),
        *(Column(origin, ORIGIN_NAMES[origin], Form.COUNT) for origin in found.origins),
        Column("total", _("Total"), Form.COUNT),
    ]
    rows = [
        [
            Cell(place_name(line.place)),
            Cell(str(LABEL_NAMES[line.label])),
            *(Cell(n) for n in line.counts),
            Cell(line.total),
        ]
        for line in found.lines
    ]
    rows.append([Cell(_("Total")), Cell(""), *(Cell(n) for n in found.totals), Cell(found.total)])
    return Table(_("Type, label, and where the pairs come from"), columns, rows, frozenset({len(rows) - 1}))
