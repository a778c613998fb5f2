"""An outside norm beside what is said of its words' pairs, as a figure and as tables that a paper takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from apps.comparison.scores import HUMAN
from apps.dashboard.breakdown import Breakdown, Line
from apps.dashboard.norms import Correlated, correlations, folded
from apps.frame.exhibits import Cell, Column, Exhibits, Figure, Table
from apps.frame.exhibits.figures import CATEGORIES, INK
from apps.frame.exhibits.tables import Form
from measures.undefined import Undefined

# More judges can't be told apart in a picture, nor more words be read.
_DRAWN, _NAMED = 6, 30
_SHAPES = ["circle", "square", "triangle-up", "diamond", "cross", "triangle-down"]


def correlation_table(
    rows: Sequence[Correlated], names: Mapping[str, str], norm: str, what: str = ""
) -> Table:
    """A row a judge: Pearson's r and Spearman's ρ of the norm and its accuracies, or ``what`` else."""
    columns = [
        Column("judge", _("Whose labels")),
        Column("values", _("Values with both"), Form.COUNT),
        Column("pearson", _("Pearson's r"), Form.FIGURE, 3),
        Column("spearman", _("Spearman's ρ"), Form.FIGURE, 3),
    ]
    cells = [
        [Cell(names[row.judge]), Cell(row.n), _figure(row.pearson), _figure(row.spearman)] for row in rows
    ]
    return Table(_("%(what)s and %(norm)s") % {"what": what or _("Accuracies"), "norm": norm}, columns, cells)


def _figure(number: float | Undefined) -> Cell:
    if not isinstance(number, Undefined):
        return Cell(number)
    few = number is Undefined.NO_OVERLAP
    return Cell(None, beside=_("fewer than two values have both") if few else _("one of them does not vary"))


class NormExhibits:
    """Of one norm (its name and its ``numbers`` by folded words) and how often each judge says entailment by
    word (apps/dashboard/entailed.py). ``fact`` is what the words are called, ``names`` are the judges' by
    their keys, ``address`` gives the pairs of a word."""

    def __init__(
        self,
        found: Breakdown,
        norm: str,
        numbers: Mapping[str, float],
        fact: str,
        names: Mapping[str, str],
        address: Callable[[str], str],
    ) -> None:
        self._found, self._norm, self._numbers = found, norm, numbers
        self._fact, self._names, self._address = fact, names, address

    def kept(self) -> Exhibits:
        return {"norm-figure": self.figure, "norm": self.correlated, "words": self.words}

    @property
    def both(self) -> list[tuple[Line, float]]:
        """The words in the pairs that the norm has, with its numbers."""
        return [
            (line, self._numbers[word])
            for line in self._found.lines
            if line.value is not None and (word := folded(line.value)) in self._numbers
        ]

    @property
    def without(self) -> int:
        """How many of the pairs' words the norm has no number of."""
        return len(self._found.lines) - 1 - len(self.both)

    def figure(self) -> Figure | None:
        """Each word at its number, as high as each judge says entailment of its pairs. None without any."""
        # A majority says less than the answers that it is made of; who says the same of all words, nothing.
        others = [name for name in self._found.judges if name != HUMAN]
        judges = ([name for name in others if self._varies(name)] or others)[:_DRAWN]
        values = [
            {
                "word": line.value,
                "judge": self._names[judge],
                "number": number,
                "share": round(100 * share, 2),
                "named": place < _NAMED and judge == judges[0],
            }
            for place, (line, number) in enumerate(sorted(self.both, key=lambda one: -one[0].pairs))
            for judge in judges
            if (share := line.scores[judge].share) is not None
        ]
        if not values:
            return None
        return Figure(
            _("How often entailment is said of a word's pairs, by %(norm)s") % {"norm": self._norm},
            self._says(),
            self._spec(values),
        )

    def _varies(self, judge: str) -> bool:
        return len({line.scores[judge].share for line, _number in self.both} - {None}) > 1

    def _spec(self, values: list[dict[str, Any]]) -> dict[str, Any]:
        there = list(dict.fromkeys(value["judge"] for value in values))
        by_judge = {"field": "judge", "type": "nominal", "sort": there, "title": None}
        legend = {"orient": "top", "columns": 3, "labelLimit": 220}
        colour = {"scale": {"domain": there, "range": CATEGORIES[: len(there)]}, "legend": legend}
        encoding = {
            "x": {
                "field": "number",
                "type": "quantitative",
                "title": self._norm,
                "scale": {"zero": False, "padding": 24},
            },
            "y": {
                "field": "share",
                "type": "quantitative",
                "title": _("entailment, % of labels"),
                "scale": {"domain": [0, 100]},
            },
        }
        return {
            "data": {"values": values},
            "width": 520,
            "height": 320,
            "encoding": encoding,
            "layer": [
                {
                    "mark": {"type": "point", "filled": True, "size": 60, "opacity": 0.85},
                    "encoding": {
                        "color": {**by_judge, **colour},
                        "shape": {**by_judge, "scale": {"domain": there, "range": _SHAPES[: len(there)]}},
                    },
                },
                {
                    "transform": [{"filter": "datum.named"}],
                    "mark": {"type": "text", "dy": -10, "fontSize": 11, "color": INK},
                    "encoding": {"text": {"field": "word", "type": "nominal"}},
                },
            ],
        }

    def _says(self) -> str:
        said = "; ".join(
            _("%(judge)s %(r)s over %(n)d")
            % {"judge": self._names[row.judge], "r": number_format(f"{row.pearson:.2f}"), "n": row.n}
            for row in correlations(self._found, self._numbers)
            if not isinstance(row.pearson, Undefined)
        )
        whole = _("%(n)d words have a number and pairs.") % {"n": len(self.both)}
        return whole + (" " + _("Pearson's r: %(said)s.") % {"said": said} if said else "")

    def correlated(self) -> Table:
        rows = correlations(self._found, self._numbers)
        return correlation_table(rows, self._names, self._norm, _("Share of entailment"))

    def words(self) -> Table | None:
        """A row a word that has both, by its number; None without any."""
        if not self.both:
            return None
        columns = [
            Column("word", self._fact),
            Column("number", self._norm, Form.FIGURE, 3),
            Column("pairs", _("Pairs"), Form.COUNT),
            *(Column(key, self._names[key], Form.SHARE, 1) for key in self._found.judges),
        ]
        rows = []
        for line, number in sorted(self.both, key=lambda one: -one[1]):
            scores = [line.scores[key] for key in self._found.judges]
            shares = [Cell(one.share, beside=f"{one.right}/{one.of}" if one.of else "") for one in scores]
            word = line.value or ""
            rows.append([Cell(word), Cell(number), Cell(line.pairs, self._address(word)), *shares])
        return Table(_("Entailment among the labels of each word's pairs, per cent"), columns, rows)
