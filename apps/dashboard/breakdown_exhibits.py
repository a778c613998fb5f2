"""A breakdown as a figure and as tables that a paper takes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from apps.comparison.scores import HUMAN, SINGLE
from apps.dashboard.addresses import BreakdownAddresses
from apps.dashboard.breakdown import DIRECTION, MATCHES, Breakdown, Line
from apps.dashboard.norms import folded
from apps.dashboard.tables import place_name
from apps.frame.exhibits import Cell, Column, Figure, Table
from apps.frame.exhibits import Exhibits as Kept
from apps.frame.exhibits.figures import CATEGORIES
from apps.frame.exhibits.tables import Form
from measures.intervals import wilson
from measures.undefined import Undefined

# More values and judges than these can't be told apart in a picture; the tables have them all.
_DRAWN, _JUDGES = 12, 6
_SHAPES = ["circle", "square", "triangle-up", "diamond", "cross", "triangle-down"]


class Exhibits:
    """Of one breakdown. ``names`` are the judges' by their keys, ``title`` is what it is broken down by,
    ``reference`` whose labels are right; ``addresses`` are those of pairs;
    ``norm`` is an outside norm's name with its numbers by folded value."""

    def __init__(
        self,
        found: Breakdown,
        names: Mapping[str, str],
        title: str,
        reference: str,
        addresses: BreakdownAddresses,
        two: tuple[str, str] | None = None,
        norm: tuple[str, Mapping[str, float]] | None = None,
    ) -> None:
        self._found, self._names, self._title, self._reference = found, names, title, reference
        self._addresses, self._two, self._norm = addresses, two, norm

    def kept(self) -> Kept:
        return {"figure": self.figure, "table": self.table, "each": self.each}

    def figure(self) -> Figure | None:
        """Each judge's accuracy with its interval, value by value, the largest values."""
        lines = [line for line in self._found.lines if line.value is not None]
        largest = sorted(lines, key=lambda line: -line.pairs)[:_DRAWN]
        judges = [name for name in self._found.judges if name != SINGLE][:_JUDGES]
        values = [
            value
            for line in lines
            if line in largest
            for judge in judges
            if (value := self._point(line, judge)) is not None
        ]
        if not values:
            return None
        there = list(dict.fromkeys(value["judge"] for value in values))
        colour = {
            "field": "judge",
            "type": "nominal",
            "sort": there,
            "title": None,
            "scale": {"domain": there, "range": CATEGORIES[: len(there)]},
            "legend": {"orient": "top", "columns": 3, "labelLimit": 240},
        }
        shape = {**colour, "scale": {"domain": there, "range": _SHAPES[: len(there)]}}
        x = {"type": "quantitative", "scale": {"domain": [0, 100]}, "title": None}
        spec = {
            "data": {"values": values},
            "width": 460,
            "height": {"step": 15},
            "encoding": {
                "y": {
                    "field": "value",
                    "type": "nominal",
                    "sort": list(dict.fromkeys(value["value"] for value in values)),
                    "title": None,
                },
                "yOffset": {"field": "judge", "type": "nominal", "sort": there},
                "color": colour,
            },
            "layer": [
                {
                    "mark": {"type": "rule", "strokeWidth": 1.5},
                    "encoding": {"x": {"field": "low", **x}, "x2": {"field": "high"}},
                },
                {
                    "mark": {"type": "point", "filled": True, "size": 55},
                    "encoding": {"x": {"field": "accuracy", **x}, "shape": shape},
                },
            ],
        }
        whole = self._found.lines[-1]
        said = "; ".join(
            f"{self._names[judge]} {100 * share:.1f}"
            for judge in judges
            if (share := whole.scores[judge].share) is not None
        )
        title = _("Accuracy in per cent, with its 95 per cent interval, by %(by)s") % {"by": self._title}
        return Figure(title, _("Over all pairs: %(said)s.") % {"said": said}, spec)

    def _point(self, line: Line, judge: str) -> dict[str, Any] | None:
        score = line.scores[judge]
        interval = wilson(score.right, score.of)
        if isinstance(interval, Undefined) or score.share is None:
            return None
        return {
            "value": self.value_name(line.value),
            "judge": self._names[judge],
            "accuracy": round(100 * score.share, 2),
            "low": round(100 * interval[0], 2),
            "high": round(100 * interval[1], 2),
        }

    def value_name(self, value: str | None) -> str:
        if value is None:
            return _("all")
        if self._found.by == DIRECTION:
            return place_name(value)
        if self._found.by == MATCHES:
            return _("%(n)s match") % {"n": value}
        return value or _("none")

    def table(self) -> Table:
        """A row a value, a column a judge; of two runs the difference, and McNemar's exact p."""
        columns = [
            Column("value", self._title),
            Column("pairs", _("Pairs"), Form.COUNT),
            *(Column(key, self._names[key], Form.SHARE, 1) for key in self._found.judges),
        ]
        if self._two:
            columns += [
                Column("difference", _("Δ, points"), Form.SHARE, 1),
                Column("one_alone", _("The first alone is right"), Form.COUNT),
                Column("two_alone", _("The second alone is right"), Form.COUNT),
                Column("p", _("p (McNemar, exact)"), Form.PROBABILITY, 4),
            ]
        if self._norm:
            columns.append(Column("norm", self._norm[0], Form.FIGURE, 3))
        rows = [self._row(line) for line in self._found.lines]
        title = _("Accuracy against %(reference)s, by %(by)s") % {
            "reference": self._reference,
            "by": self._title,
        }
        return Table(title, columns, rows, frozenset({len(rows) - 1}))

    def _row(self, line: Line) -> list[Cell]:
        cells = [Cell(self.value_name(line.value)), Cell(line.pairs, self._addresses.of(line.value))]
        for key in self._found.judges:
            score = line.scores[key]
            cells.append(Cell(score.share, beside=f"{score.right}/{score.of}" if score.of else ""))
        if self._two:
            cells += [Cell(line.difference), Cell(line.only_one), Cell(line.only_two), Cell(line.p)]
        if self._norm:
            word = None if line.value is None else folded(line.value)
            cells.append(Cell(None if word is None else self._norm[1].get(word)))
        return cells

    def each(self) -> Table:
        """A row for each value and judge: right, of how many, the share with its 95 % interval (Wilson)."""
        columns = [
            Column("value", self._title),
            Column("judge", _("Whose labels")),
            Column("right", _("Right"), Form.COUNT),
            Column("labels", _("Labels"), Form.COUNT),
            Column("accuracy", _("Accuracy, %"), Form.SHARE, 1),
            Column("from", _("from"), Form.SHARE, 1),
            Column("to", _("to"), Form.SHARE, 1),
        ]
        rows = []
        for line in self._found.lines:
            for key in self._found.judges:
                score = line.scores[key]
                interval = wilson(score.right, score.of)
                low, high = (None, None) if isinstance(interval, Undefined) else interval
                names = [Cell(self.value_name(line.value)), Cell(self._names[key])]
                right = Cell(score.right, self._addresses.right(line.value, key) if score.right else "")
                labels = Cell(score.of, self._addresses.labels(line.value, key) if score.of else "")
                rows.append([*names, right, labels, Cell(score.share), Cell(low), Cell(high)])
        return Table(_("Each figure, with its interval"), columns, rows)


def judge_names(found: Breakdown, runs: Mapping[str, str]) -> dict[str, str]:
    """What each judge is called; ``runs`` are the models' names by the keys of their runs."""
    own = {
        HUMAN: _("People, majority"),
        SINGLE: _("People, each answer"),
        "calculus": _("Calculus"),
        "file": _("File"),
    }
    return {key: own.get(key) or runs[key] for key in found.judges}
