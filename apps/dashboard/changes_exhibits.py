"""What two sides say, as a figure and as tables that a paper takes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from django.utils.translation import gettext as _

from apps.dashboard.agreement_exhibits import why
from apps.dashboard.changes import Changes
from apps.dashboard.tables import place_name
from apps.datasets.labels import LABEL_NAMES
from apps.frame.exhibits import Cell, Column, Figure, Table
from apps.frame.exhibits.figures import ACCENT, INK, LINE
from apps.frame.exhibits.tables import Form
from measures.intervals import wilson
from measures.undefined import Undefined

#: The address of the pairs that changed: from a label, to a label, of a direction ("" for whatever it is).
Address = Callable[[str, str, str], str]


def name_of(label: str) -> str:
    return str(LABEL_NAMES.get(label, label))


def transitions_figure(found: Changes) -> Figure | None:
    """How many pairs have which label on the first side (rows) and on the second (columns)."""
    if not found.counts:
        return None
    totals = _totals(found)
    most = max(totals.values())
    labels = [name_of(label) for label in found.labels]
    values = [
        {
            "one": name_of(first),
            "two": name_of(second),
            "pairs": totals[first, second],
        }
        for first in found.labels
        for second in found.labels
    ]
    axis = {"type": "nominal", "sort": labels}
    spec = {
        "data": {"values": values},
        "width": {"step": 130},
        "height": {"step": 46},
        "encoding": {
            "x": {
                "field": "two",
                "title": found.two.title,
                "axis": {"orient": "top", "labelAngle": 0},
                **axis,
            },
            "y": {"field": "one", "title": found.one.title, **axis},
        },
        "layer": [
            {
                "mark": {"type": "rect", "stroke": LINE},
                "encoding": {
                    "color": {"value": ACCENT},
                    "opacity": {
                        "field": "pairs",
                        "type": "quantitative",
                        "scale": {"domain": [0, most], "range": [0, 0.6]},
                        "legend": None,
                    },
                },
            },
            {
                "mark": {"type": "text", "fontSize": 14, "color": INK},
                "encoding": {"text": {"field": "pairs", "type": "quantitative", "format": ",d"}},
            },
        ],
    }
    same = sum(n for (first, second), n in totals.items() if first == second)
    says = _("%(one)s and %(two)s say the same of %(same)d of %(all)d pairs.") % {
        "one": found.one.title,
        "two": found.two.title,
        "same": same,
        "all": sum(totals.values()),
    }
    return Figure(_("What became of each label"), says, spec)


def transitions_table(found: Changes, address: Address) -> Table:
    """A row for each two labels and direction that occur; those that differ lead to their pairs."""
    columns = [
        Column("first", found.one.title),
        Column("second", found.two.title),
        Column("direction", _("Direction")),
        Column("pairs", _("Pairs"), Form.COUNT),
    ]
    rows = []
    for (place, first, second), n in sorted(found.counts.items(), key=lambda item: (-item[1], item[0])):
        url = address(first, second, place or "none") if first != second else ""
        texts = [Cell(name_of(first)), Cell(name_of(second)), Cell(place_name(place))]
        rows.append([*texts, Cell(n, url)])
    return Table(_("Each two labels, by direction"), columns, rows)


def agreement_table(found: Changes, address: Address) -> Table:
    """By direction and over all: pairs, those with the same label with the share's 95 % interval (Wilson),
    Cohen's κ with its 95 % interval (1,000 draws of pairs), those that changed."""
    columns = [
        Column("direction", _("Direction")),
        Column("pairs", _("Pairs on both sides"), Form.COUNT),
        Column("changed", _("Changed"), Form.COUNT),
        Column("same", _("The same, %"), Form.SHARE, 1),
        Column("from", _("from"), Form.SHARE, 1),
        Column("to", _("to"), Form.SHARE, 1),
        Column("kappa", _("Cohen's κ"), Form.FIGURE, 3),
        Column("kappa_from", _("from"), Form.FIGURE, 3),
        Column("kappa_to", _("to"), Form.FIGURE, 3),
    ]
    changed: Counter[str] = Counter()
    for (where, _before, _after), numbers in found.changed.items():
        changed[where] += len(numbers)
    rows = []
    for place in [*found.places, None]:
        agreement = found.agreement(place)
        n = changed.total() if place is None else changed[place]
        interval = wilson(agreement.n - n, agreement.n)
        low, high = (None, None) if isinstance(interval, Undefined) else interval
        url = address("", "", "" if place is None else place or "none") if n else ""
        reason = "" if agreement.undefined is None else why(agreement.undefined)
        rows.append(
            [
                Cell(_("all") if place is None else place_name(place)),
                Cell(agreement.n),
                Cell(n, url),
                Cell(agreement.raw),
                Cell(low),
                Cell(high),
                Cell(agreement.value, beside=reason),
                *map(Cell, found.intervals.get(place, (None, None))),
            ]
        )
    return Table(_("How far they agree"), columns, rows, frozenset({len(rows) - 1}))


def _totals(found: Changes) -> Counter[tuple[str, str]]:
    totals: Counter[tuple[str, str]] = Counter()
    for (_place, first, second), n in found.counts.items():
        totals[first, second] += n
    return totals
