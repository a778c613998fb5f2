"""What a dataset is made of, as a table that a paper takes."""

from __future__ import annotations

from django.utils.translation import gettext as _

from apps.dashboard.addresses import CompositionAddresses
from apps.dashboard.composition import LABELS, ORIGIN_NAMES, Composition
from apps.dashboard.tables import place_name
from apps.datasets.labels import LABEL_NAMES
from apps.frame.exhibits import Cell, Column, Exhibits, Figure, Table
from apps.frame.exhibits.figures import ACCENT, FLAT
from apps.frame.exhibits.tables import Form


def kept(found: Composition, addresses: CompositionAddresses) -> Exhibits:
    """The page's exhibits."""
    return {
        "composition-figure": lambda: composition_figure(found),
        "composition": lambda: composition_table(found, addresses),
    }


def composition_figure(found: Composition) -> Figure | None:
    """A bar for each direction, parted by label. None where no pair has a label."""
    if not found.total:
        return None
    values = [
        {
            "type": place_name(line.place),
            "label": str(LABEL_NAMES[line.label]),
            "pairs": line.total,
            "place": number,
        }
        for number, line in enumerate(found.lines)
    ]
    labels = [str(LABEL_NAMES[label]) for label in LABELS]
    spec = {
        "data": {"values": values},
        "mark": {"type": "bar"},
        "width": 460,
        "height": {"step": 34},
        "encoding": {
            "y": {
                "field": "type",
                "type": "nominal",
                "sort": list(dict.fromkeys(value["type"] for value in values)),
                "title": None,
            },
            "x": {"field": "pairs", "type": "quantitative", "title": _("Pairs")},
            "color": {
                "field": "label",
                "type": "nominal",
                "title": None,
                "scale": {"domain": labels, "range": [ACCENT, FLAT]},
                "legend": {"orient": "top"},
            },
            "order": {"field": "place"},
        },
    }
    says = "; ".join(f"{value['type']}, {value['label']}: {value['pairs']}" for value in values)
    return Figure(_("Pairs by type and label"), says, spec)


def composition_table(found: Composition, addresses: CompositionAddresses) -> Table | None:
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
            *(
                _count(n, addresses.of(line.place, line.label, origin))
                for origin, n in zip(found.origins, line.counts, strict=True)
            ),
            _count(line.total, addresses.of(line.place, line.label)),
        ]
        for line in found.lines
    ]
    totals = [
        _count(n, addresses.of(None, origin=origin))
        for origin, n in zip(found.origins, found.totals, strict=True)
    ]
    rows.append([Cell(_("Total")), Cell(""), *totals, _count(found.total, addresses.of(None))])
    return Table(_("Type, label, and where the pairs come from"), columns, rows, frozenset({len(rows) - 1}))


def _count(n: int, address: str) -> Cell:
    return Cell(n, address if n else "")
