"""Models beside people's soft labels, as a figure and a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from django.utils.translation import gettext as _

from apps.dashboard.agreement_exhibits import why
from apps.dashboard.soft import Foresight
from apps.frame.exhibits import Cell, Column, Exhibits, Figure, Table
from apps.frame.exhibits.figures import CATEGORIES, SOFT
from apps.frame.exhibits.tables import Form
from measures.undefined import Undefined

_DRAWN = 6
_DASHES = [[1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [4, 4], [1, 3]]


def kept(found: Sequence[Foresight], address: Callable[[int], str]) -> Exhibits:
    """The page's exhibits; ``address`` is a run's."""
    return {
        "curve": lambda: curve_figure(found),
        "table": lambda: foresight_table(found, address) if found else None,
    }


def curve_figure(found: Sequence[Foresight]) -> Figure | None:
    """Each model's calibration curve: what it said, by tenths, beside the share of people who say so."""
    models = [one for one in found if one.run is not None][:_DRAWN]
    if not models:
        return None
    values = [
        {"model": one.name, "said": round(bin.said, 4), "people": round(bin.so, 4), "pairs": bin.n}
        for one in models
        for bin in one.curve
    ]
    names = list(dict.fromkeys(one.name for one in models))
    axis = {"type": "quantitative", "scale": {"domain": [0, 1]}}
    by_model = {"field": "model", "type": "nominal", "sort": names, "title": None}
    encoding = {
        "x": {"field": "said", "title": _("probability of entailment that the model gives"), **axis},
        "y": {"field": "people", "title": _("share of people who say entailment"), **axis},
    }
    spec = {
        "width": 340,
        "height": 340,
        "layer": [
            {
                "data": {"values": [{"said": 0, "people": 0}, {"said": 1, "people": 1}]},
                "mark": {"type": "line", "color": SOFT, "strokeDash": [2, 4], "strokeWidth": 1},
                "encoding": encoding,
            },
            {
                "data": {"values": values},
                "mark": {"type": "line"},
                "encoding": {
                    **encoding,
                    "color": {
                        **by_model,
                        "scale": {"domain": names, "range": CATEGORIES[: len(names)]},
                        "legend": {"orient": "top", "columns": 2, "labelLimit": 240},
                    },
                    "strokeDash": {**by_model, "scale": {"domain": names, "range": _DASHES[: len(names)]}},
                },
            },
            {
                "data": {"values": values},
                "mark": {"type": "point", "filled": True},
                "encoding": {
                    **encoding,
                    "color": {**by_model, "scale": {"domain": names, "range": CATEGORIES[: len(names)]}},
                    "size": {"field": "pairs", "type": "quantitative", "legend": None},
                },
            },
        ],
    }
    said = "; ".join(f"{one.name} {one.error:.2f}" for one in models if not isinstance(one.error, Undefined))
    says = _("Mean distance between what a model says and the share of people who say so: %(said)s.")
    return Figure(_("What models say, and what people say"), says % {"said": said}, spec)


def foresight_table(found: Sequence[Foresight], address: Callable[[int], str]) -> Table:
    """A row a judge, people themselves first."""
    columns = [
        Column("judge", _("Whose labels")),
        Column("pairs", _("Pairs"), Form.COUNT),
        Column("cross_entropy", _("Cross-entropy, bits"), Form.FIGURE, 3),
        Column("brier", _("Brier score"), Form.FIGURE, 3),
        Column("calibration_error", _("Calibration error"), Form.FIGURE, 3),
        Column("r", _("Pearson's r"), Form.FIGURE, 3),
    ]
    has_gold = any(one.with_gold for one in found)
    if has_gold:
        columns += [
            Column("right", _("As the file"), Form.COUNT),
            Column("with_gold", _("of"), Form.COUNT),
            Column("accuracy", _("Accuracy, %"), Form.SHARE, 1),
        ]
    rows = []
    for one in found:
        numbers = [one.entropy, one.distance, one.error, one.r]
        share = one.right / one.with_gold if one.with_gold else None
        name = Cell(one.name, address(one.run)) if one.run is not None else Cell(_("people themselves"))
        cells = [_figure(number) for number in numbers]
        gold = [Cell(one.right), Cell(one.with_gold), Cell(share)] if has_gold else []
        rows.append([name, Cell(one.pairs), *cells, *gold])
    return Table(_("How near models are to people"), columns, rows, frozenset())


def _figure(number: float | Undefined) -> Cell:
    return Cell(None, beside=why(number)) if isinstance(number, Undefined) else Cell(number)
