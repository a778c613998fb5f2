"""The page of agreement as figures and tables."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from django.utils.translation import gettext as _

from apps.campaigns.models import Campaign
from apps.comparison.agreement import SKEW
from apps.comparison.judges import Judges
from apps.dashboard.addresses import pairs_address
from apps.dashboard.agreement import BY, Line, Report
from apps.datasets.labels import LABEL_NAMES
from apps.datasets.models import Dataset, Direction
from apps.frame.exhibits import Cell, Column, Figure, Table
from apps.frame.exhibits import Exhibits as Kept
from apps.frame.exhibits.figures import ACCENT, DOWN, FLAT, INK, SOFT, UP
from apps.frame.exhibits.tables import Form
from measures.agreement import Agreement
from measures.ratings import Correlation
from measures.undefined import Undefined

_ARROWS = {Direction.UPWARD: "↑ ", Direction.DOWNWARD: "↓ ", Direction.NON_MONOTONE: "= "}
_COLOURS = {Direction.UPWARD: UP, Direction.DOWNWARD: DOWN, Direction.NON_MONOTONE: FLAT}
# More annotators than these are a carpet; the table has them all.
HEAT_MAP = 30
# More slices of a kind than these aren't drawn.
_DRAWN = 12


def why(undefined: Undefined) -> str:
    """Why a coefficient is undefined, in words."""
    return {
        Undefined.NO_OVERLAP: _("no pair has two answers"),
        Undefined.NO_VARIATION: _("every answer is the same"),
        Undefined.UNEQUAL_RATERS: _("pairs have different numbers of answers"),
        Undefined.NOTHING_OBSERVED: _("there are no answers"),
        Undefined.ZERO_COUNT: _("a count is 0"),
    }[undefined]


def why_low(line: Line) -> str:
    """Why α is low where people agree; "" where there is nothing to explain."""
    alpha, ac1 = line.alpha.value, line.ac1.value
    if alpha is None or ac1 is None or not line.alpha.is_skewed or ac1 - alpha < SKEW:
        return ""
    return _(
        "Most answers are equal and %(name)s is low all the same: nearly all are one label, so that chance "
        "alone would make them equal. AC1 expects less of chance where one label prevails."
    ) % {"name": "α"}


class Exhibits:
    """A report's exhibits; ``names`` says what the values of slices are called."""

    def __init__(self, dataset: Dataset, judges: Judges, found: Report) -> None:
        self._dataset, self._judges, self._found = dataset, judges, found
        self._campaigns: Mapping[str, Campaign] = {str(c.pk): c for c in judges.there}

    def kept(self) -> Kept:
        return {
            "slices": self.slices,
            "time": self.time,
            "heat-map": self.heat_map,
            "scale": self.scale,
            "raters": self.raters,
            "all": lambda: self.table(""),
            **{f"by-{by}": partial(self.table, by) for by in BY},
        }

    # ---- Names and addresses ------------------------------------------------------------------

    def name(self, line: Line) -> str:
        if not line.by:
            return _("All pairs")
        if line.by == "campaign":
            return self._campaigns[line.value].name
        if line.by == "direction":
            if line.value == "none":
                return _("no direction")
            direction = Direction(line.value)
            return f"{_ARROWS[direction]}{direction.label}"
        if line.by in ("calculus", "file"):
            return str(LABEL_NAMES[line.value])
        return line.value

    def _address(self, line: Line) -> str:
        """The pairs that a line counts, those with two answers or more; none of times, which no filter knows,
        nor of a campaign: whoever judged a pair in two is counted in the later alone."""
        field = {"file": "file_label"}.get(line.by, line.by)
        if field in ("time", "campaign"):
            return ""
        said = {field: line.value} if field else {}
        return pairs_address(self._dataset, self._judges, **said, judgements_from=2)

    # ---- Tables -------------------------------------------------------------------------------

    def table(self, by: str) -> Table | None:
        """One way to break agreement down; all pairs in the last line. None where there is nothing."""
        lines = [*(self._found.by(by) if by else ()), self._found.whole]
        if by and len(lines) < 2:
            return None
        columns = [
            Column(by or "pairs", _(BY[by]) if by else _("Pairs")),
            Column("pairs", _("Pairs"), Form.COUNT),
            Column("answers", _("Answers"), Form.COUNT),
            Column("raw", _("Equal, %"), Form.SHARE, 1),
            Column("alpha", _("Krippendorff's α"), Form.FIGURE, 3),
            Column("alpha_from", _("from"), Form.FIGURE, 3),
            Column("alpha_to", _("to"), Form.FIGURE, 3),
            Column("ac1", _("Gwet's AC1"), Form.FIGURE, 3),
            Column("fleiss", _("Fleiss' κ"), Form.FIGURE, 3),
        ]
        rows = [self._row(line) for line in lines]
        return Table(_(BY[by]) if by else _("All pairs"), columns, rows, frozenset({len(rows) - 1}))

    def _row(self, line: Line) -> list[Cell]:
        low, high = line.interval or (None, None)
        return [
            Cell(self.name(line)),
            Cell(line.alpha.n, self._address(line)),
            Cell(line.answers),
            Cell(line.alpha.raw),
            _coefficient(line.alpha),
            Cell(low),
            Cell(high),
            _coefficient(line.ac1),
            _coefficient(line.fleiss),
        ]

    def raters(self) -> Table | None:
        """Cohen's κ of each two annotators who judged a pair in common, those with most in common first."""
        names = self._found.raters
        kappas = sorted(
            self._found.kappas.items(), key=lambda item: (-item[1].n, names[item[0][0]], names[item[0][1]])
        )
        if not kappas:
            return None
        columns = [
            Column("one", _("Annotator")),
            Column("other", _("and")),
            Column("pairs", _("Pairs in common"), Form.COUNT),
            Column("raw", _("Equal, %"), Form.SHARE, 1),
            Column("kappa", _("Cohen's κ"), Form.FIGURE, 3),
        ]
        rows = [
            [Cell(names[one]), Cell(names[two]), Cell(kappa.n), Cell(kappa.raw), _coefficient(kappa)]
            for (one, two), kappa in kappas
        ]
        return Table(_("Each two annotators"), columns, rows)

    def scale(self) -> Table | None:
        """Agreement on the points of the scale."""
        found = self._found.scaled
        if found is None or not found.ratings:
            return None
        columns = [
            Column("measure", _("Measure")),
            Column("value", _("Value"), Form.FIGURE, 4),
            Column("of", _("Of"), Form.COUNT),
        ]
        others, pairs = found.against_the_others, found.between_pairs
        rows = [
            [Cell(_("Krippendorff's ordinal α")), _coefficient(found.ordinal), Cell(found.ordinal.n)],
            [Cell(_("Krippendorff's interval α")), _coefficient(found.interval), Cell(found.interval.n)],
            [Cell(_("Equal points")), Cell(found.ordinal.raw), Cell(found.ordinal.n)],
            [
                Cell(_("Pearson's r, each annotator against the mean of the others")),
                _coefficient(others),
                Cell(others.n),
            ],
            [Cell(_("Pearson's r, average of pairs of annotators")), _coefficient(pairs), Cell(pairs.n)],
        ]
        return Table(_("On the scale of five points"), columns, rows)

    # ---- Figures ------------------------------------------------------------------------------

    def slices(self) -> Figure | None:
        """α with its interval, for all pairs and for each slice of which it is defined."""
        lines = [self._found.whole]
        for by in ("campaign", "direction", "calculus", "file", "tag", "operator"):
            slices = self._found.by(by)
            if len(slices) > 1:  # one alone is all pairs again
                lines += [line for line in slices if line.interval][:_DRAWN]
        drawn = [line for line in lines if line.interval]
        if not drawn:
            return None
        values = [self._mark(line) for line in drawn]
        shown = "; ".join(f"{value['name']} {value['alpha']:.2f}" for value in values)
        return Figure(
            _("Krippendorff's α, with its interval (the middle 95 of 100 draws)"),
            _("α by slice: %(shown)s.") % {"shown": shown},
            _dots(values),
        )

    def _mark(self, line: Line) -> dict[str, Any]:
        low, high = line.interval or (0.0, 0.0)
        direction = Direction(line.value) if line.value in Direction.values else None
        return {
            "group": self._group(line.by),
            "name": self.name(line),
            "alpha": round(line.alpha.value or 0, 4),
            "low": round(low, 4),
            "high": round(high, 4),
            "n": line.alpha.n,
            "colour": _COLOURS[direction] if direction and line.by == "direction" else ACCENT,
        }

    def _group(self, by: str) -> str:
        defined = sum(line.interval is not None for line in self._found.by(by)) if by else 0
        if defined <= _DRAWN:
            return _(BY[by]) if by else ""
        return _("%(by)s (%(n)d of %(all)d)") % {"by": _(BY[by]), "n": _DRAWN, "all": defined}

    def time(self) -> Figure | None:
        """α over time; None where all answers came in one period."""
        lines = [line for line in self._found.by("time") if line.interval]
        if len(lines) < 2:
            return None
        values = [self._mark(line) for line in lines]
        says = _("α over time: from %(first).2f on %(from)s to %(last).2f on %(to)s.") % {
            "first": values[0]["alpha"],
            "from": values[0]["name"],
            "last": values[-1]["alpha"],
            "to": values[-1]["name"],
        }
        x = {"field": "name", "type": "temporal", "title": None}
        y = {"scale": {"domainMax": 1}}
        spec = {
            "width": 560,
            "height": 180,
            "data": {"values": values},
            "layer": [
                {
                    "mark": {"type": "area", "color": ACCENT, "opacity": 0.2},
                    "encoding": {
                        "x": x,
                        "y": {"field": "low", "type": "quantitative", "title": "α", **y},
                        "y2": {"field": "high"},
                    },
                },
                {
                    "mark": {"type": "line", "point": {"color": ACCENT}, "color": ACCENT},
                    "encoding": {"x": x, "y": {"field": "alpha", "type": "quantitative"}},
                },
            ],
        }
        return Figure(_("Over time, by when a pair was last judged"), says, spec)

    def heat_map(self) -> Figure | None:
        """Share of equal answers of each two annotators, of those with most pairs in common."""
        names = dict(list(self._found.raters.items())[:HEAT_MAP])
        values: list[dict[str, Any]] = []
        for (one, two), kappa in self._found.kappas.items():
            if one in names and two in names and kappa.raw is not None:
                text = "–" if kappa.value is None else f"{kappa.value:.2f}"
                row = {"raw": round(kappa.raw, 4), "kappa": text, "n": kappa.n}
                values += [
                    {**row, "one": names[one], "two": names[two]},
                    {**row, "one": names[two], "two": names[one]},
                ]
        if not values:
            return None
        order = list(names.values())
        lowest = min(values, key=lambda value: value["raw"])
        says = _(
            "Cohen's κ of %(n)d annotators, two by two; the fewest equal answers, %(raw).0f %%, are those "
            "of %(one)s and %(two)s."
        ) % {"n": len(order), "raw": 100 * lowest["raw"], "one": lowest["one"], "two": lowest["two"]}
        side = max(26, min(48, 560 // len(order)))
        axis = {"type": "nominal", "sort": order, "title": None}
        spec = {
            "width": {"step": side},
            "height": {"step": max(22, side * 2 // 3)},
            "data": {"values": values},
            "encoding": {"x": {"field": "one", **axis}, "y": {"field": "two", **axis}},
            "layer": [
                {
                    "mark": {"type": "rect", "color": ACCENT},
                    "encoding": {
                        "opacity": {
                            "field": "raw",
                            "type": "quantitative",
                            "scale": {"domain": [0, 1], "range": [0, 0.6]},
                            "legend": None,
                        }
                    },
                },
                {
                    "mark": {"type": "text", "color": INK, "fontSize": 11},
                    "encoding": {"text": {"field": "kappa"}},
                },
            ],
        }
        return Figure(
            _("Each two annotators: Cohen's κ, the stronger the colour the more answers are equal"),
            says,
            spec,
        )


def _dots(values: list[dict[str, Any]]) -> dict[str, Any]:
    y = {"field": "name", "type": "nominal", "sort": None, "title": None}
    colour = {"field": "colour", "type": "nominal", "scale": None}
    groups = list(dict.fromkeys(value["group"] for value in values))

    def x(field: str, group: str) -> dict[str, Any]:
        axis = {"title": "α"} if group == groups[-1] else {"title": None, "labels": False, "ticks": False}
        return {"field": field, "type": "quantitative", "scale": {"domainMax": 1}, "axis": axis}

    return {
        "data": {"values": values},
        "spacing": 8,
        "vconcat": [
            {
                "width": 420,
                "height": {"step": 22},
                "title": group,
                "transform": [{"filter": {"field": "group", "equal": group}}],
                "encoding": {"y": y, "color": colour},
                "layer": [
                    {
                        "mark": {"type": "rule", "strokeWidth": 2},
                        "encoding": {"x": x("low", group), "x2": {"field": "high"}},
                    },
                    {"mark": {"type": "point"}, "encoding": {"x": x("alpha", group)}},
                    {
                        "mark": {"type": "text", "align": "left", "dx": 6, "color": SOFT, "fontSize": 11},
                        "encoding": {
                            "x": x("high", group),
                            "text": {"field": "alpha", "format": ".2f"},
                            "color": {"value": SOFT},
                        },
                    },
                ],
            }
            for group in groups
        ],
        "resolve": {"scale": {"x": "shared"}},
    }


def _coefficient(found: Agreement | Correlation) -> Cell:
    """A value, or – with the reason."""
    return Cell(found.value, beside=why(found.undefined) if found.undefined else "")
