"""People, calculus and models side by side, as figures and tables that a paper takes."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from django.utils.translation import gettext as _

from apps.dashboard.addresses import JudgeAddresses, Source
from apps.dashboard.selectors import LABELS, Comparison
from apps.dashboard.side_by_side_exhibits import judges_table, matches_table
from apps.dashboard.tables import Accuracy, accuracy, place_name, sources
from apps.datasets.labels import LABEL_NAMES
from apps.datasets.models import Direction
from apps.frame.exhibits import Cell, Column, Exhibits, Figure, Table
from apps.frame.exhibits.figures import ACCENT, DOWN, FLAT, INK, LINE, SOFT, UP
from apps.frame.exhibits.tables import Form
from measures.intervals import wilson
from measures.predictions import mcnemar
from measures.undefined import Undefined

_ALL = "all"
_COLOURS = {Direction.UPWARD: UP, Direction.DOWNWARD: DOWN, Direction.NON_MONOTONE: FLAT, _ALL: ACCENT}
# More combinations than these can't be told apart in a picture; the table has them all.
_DRAWN = 15


def kept(comparison: Comparison, reference: Source | None, judgements: int | None = None) -> Exhibits:
    """The page's exhibits; accuracy is against ``reference``, matches are of pairs with so many
    ``judgements`` (None: the usual number)."""
    found = accuracy(comparison, reference) if reference else None
    return {
        "matches": lambda: matches_table(comparison, judgements),
        "judges": lambda: judges_table(comparison),
        "together": lambda: together_table(comparison),
        "together-figure": lambda: together_figure(comparison),
        "accuracy": lambda: accuracy_table(found) if found else None,
        "accuracy-figure": lambda: accuracy_figure(found) if found else None,
        "models": lambda: models_table(comparison, reference) if reference else None,
    }


def accuracy_table(found: Accuracy) -> Table:
    """Each judge against the reference: how many of how many, and the share with its 95 % interval (Wilson),
    by direction and in all."""
    columns = [
        Column("judge", _("Whose labels")),
        Column("direction", _("Direction")),
        Column("right", _("Right"), Form.COUNT),
        Column("pairs", _("Pairs"), Form.COUNT),
        Column("accuracy", _("Accuracy, %"), Form.SHARE, 1),
        Column("from", _("from"), Form.SHARE, 1),
        Column("to", _("to"), Form.SHARE, 1),
    ]
    rows = []
    for title, scores in found.rows:
        for place, score in zip([*found.places, None], scores, strict=True):
            interval = wilson(score.right, score.total)
            low, high = (None, None) if isinstance(interval, Undefined) else interval
            name = _("all") if place is None else place_name(place)
            counts = [Cell(score.right, score.right_url), Cell(score.total, score.url)]
            rows.append([Cell(title), Cell(name), *counts, *map(Cell, (score.share, low, high))])
    return Table(_("Accuracy against: %(reference)s") % {"reference": found.reference}, columns, rows)


def accuracy_figure(found: Accuracy) -> Figure | None:
    """Each judge's accuracy by direction, with its interval."""
    values = []
    for title, scores in found.rows:
        for place, score in zip([*found.places, None], scores, strict=True):
            interval = wilson(score.right, score.total)
            if isinstance(interval, Undefined) or score.share is None:
                continue
            key = _ALL if place is None else place
            values.append(
                {
                    "judge": title,
                    "direction": _("all") if place is None else place_name(place),
                    "accuracy": round(100 * score.share, 2),
                    "low": round(100 * interval[0], 2),
                    "high": round(100 * interval[1], 2),
                    "colour": _COLOURS.get(key, SOFT),
                }
            )
    if not values:
        return None
    whole = [value for value in values if value["direction"] == _("all")]
    said = "; ".join(f"{value['judge']} {value['accuracy']:.1f}" for value in whole)
    directions = list(dict.fromkeys(value["direction"] for value in values))
    x = {"type": "quantitative", "scale": {"domain": [0, 100]}, "axis": {"title": None}}
    colour = {"field": "colour", "type": "nominal", "scale": None}
    spec = {
        "data": {"values": values},
        "facet": {
            "row": {
                "field": "judge",
                "type": "nominal",
                "sort": list(dict.fromkeys(value["judge"] for value in values)),
                "title": None,
                "header": {"labelAngle": 0, "labelAlign": "left", "labelLimit": 200},
            }
        },
        "spacing": 6,
        "spec": {
            "width": 380,
            "height": {"step": 18},
            "encoding": {
                "y": {"field": "direction", "type": "nominal", "sort": directions, "title": None},
                "color": colour,
            },
            "layer": [
                {
                    "mark": {"type": "rule", "strokeWidth": 2},
                    "encoding": {"x": {"field": "low", **x}, "x2": {"field": "high"}},
                },
                {"mark": {"type": "point"}, "encoding": {"x": {"field": "accuracy", **x}}},
                {
                    "mark": {"type": "text", "align": "left", "dx": 6, "fontSize": 11},
                    "encoding": {
                        "x": {"field": "high", **x},
                        "text": {"field": "accuracy", "format": ".1f"},
                        "color": {"value": SOFT},
                    },
                },
            ],
        },
    }
    return Figure(
        _("Accuracy in %%, with its 95 %% interval, against: %(reference)s") % {"reference": found.reference},
        _("Accuracy over all pairs: %(said)s.") % {"said": said},
        spec,
    )


def models_table(comparison: Comparison, reference: Source) -> Table | None:
    """Each two models on the pairs that both predict: how often one alone is right, and McNemar's exact p.
    None of fewer than two models."""
    models = [source for source in sources(comparison) if source.run is not None]
    if len(models) < 2:
        return None
    said = {model.key: comparison.says(model.key) for model in models}
    columns = [
        Column("one", _("Model")),
        Column("other", _("and")),
        Column("pairs", _("Pairs"), Form.COUNT),
        Column("one_alone", _("The first alone is right"), Form.COUNT),
        Column("other_alone", _("The second alone is right"), Form.COUNT),
        Column("p", _("p (McNemar, exact)"), Form.PROBABILITY, 4),
    ]
    rows = []
    for one, two in combinations(models, 2):
        alone: Counter[tuple[bool, bool]] = Counter()
        first, second = said[one.key], said[two.key]
        for item, label, n in comparison.said(reference.key):
            if label in LABELS and first(item) in LABELS and second(item) in LABELS:
                alone[first(item) == label, second(item) == label] += n
        at = JudgeAddresses(comparison, [reference, one, two])
        total, one_alone, other_alone = alone.total(), alone[True, False], alone[False, True]
        p = mcnemar(one_alone, other_alone)
        beside = _("they never differ") if isinstance(p, Undefined) else ""
        rows.append(
            [
                Cell(one.title),
                Cell(two.title),
                Cell(total, at.labelled() if total else ""),
                Cell(one_alone, at.alone(one, two, reference) if one_alone else ""),
                Cell(other_alone, at.alone(two, one, reference) if other_alone else ""),
                Cell(None if isinstance(p, Undefined) else p, beside=beside),
            ]
        )
    return Table(_("Each two models"), columns, rows)


def together(comparison: Comparison) -> list[tuple[tuple[tuple[Source, str], ...], int]]:
    """Every combination of what all the judges say, most frequent first, of the pairs that all of them
    label."""
    judges = sources(comparison)
    says = [comparison.says(judge.key) for judge in judges]
    counts: Counter[tuple[str, ...]] = Counter()
    for item, n in comparison.counts.items():
        said = tuple(one(item) for one in says)
        if all(label in LABELS for label in said):
            counts[said] += n
    return [
        (tuple(zip(judges, said, strict=True)), n)
        for said, n in sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    ]


def together_table(comparison: Comparison) -> Table | None:
    """Each combination with its pairs."""
    rows, judges = together(comparison), sources(comparison)
    if len(judges) < 2 or not rows:
        return None
    total = sum(n for _said, n in rows)
    columns = [Column(judge.key, judge.title) for judge in judges]
    columns += [Column("pairs", _("Pairs"), Form.COUNT), Column("share", _("Share, %"), Form.SHARE, 1)]
    return Table(
        _("Who says what, together"),
        columns,
        [
            [
                *(Cell(str(LABEL_NAMES[label])) for _judge, label in said),
                Cell(n, _combined_url(comparison, said)),
                Cell(n / total),
            ]
            for said, n in rows
        ],
    )


def _combined_url(comparison: Comparison, said: tuple[tuple[Source, str], ...]) -> str:
    """The pairs of a combination."""
    judges, labels = zip(*said, strict=True)
    return JudgeAddresses(comparison, judges).said(*labels)


def together_figure(comparison: Comparison) -> Figure | None:
    """An UpSet plot (Lex et al. 2014): above how many pairs, below who says entailment (filled) of them."""
    rows, judges = together(comparison), sources(comparison)
    if len(judges) < 2 or not rows:
        return None
    total = sum(n for _said, n in rows)
    bars, dots = [], []
    for place, (said, n) in enumerate(rows[:_DRAWN]):
        unanimous = len({label for _judge, label in said}) == 1
        bars.append({"place": place, "n": n, "colour": ACCENT if unanimous else DOWN})
        dots += [
            {"place": place, "judge": judge.title, "colour": INK if label == LABELS[0] else LINE}
            for judge, label in said
        ]
    agreed = sum(n for said, n in rows if len({label for _j, label in said}) == 1)
    says = _(
        "All of %(judges)s say the same of %(share).0f %% of %(pairs)d pairs that all of them label."
    ) % {
        "judges": ", ".join(judge.title for judge in judges),
        "share": 100 * agreed / total,
        "pairs": total,
    }
    x = {"field": "place", "type": "ordinal", "axis": None}
    colour = {"field": "colour", "type": "nominal", "scale": None}
    width = {"step": 30}
    spec = {
        "spacing": 4,
        "vconcat": [
            {
                "width": width,
                "height": 140,
                "data": {"values": bars},
                "encoding": {"x": x, "y": {"field": "n", "type": "quantitative", "title": _("Pairs")}},
                "layer": [
                    {"mark": {"type": "bar"}, "encoding": {"color": colour}},
                    {
                        "mark": {"type": "text", "dy": -7, "fontSize": 11},
                        "encoding": {"text": {"field": "n"}, "color": {"value": SOFT}},
                    },
                ],
            },
            {
                "width": width,
                "height": {"step": 22},
                "data": {"values": dots},
                "mark": {"type": "circle", "size": 130, "opacity": 1},
                "encoding": {
                    "x": x,
                    "y": {
                        "field": "judge",
                        "type": "nominal",
                        "sort": [judge.title for judge in judges],
                        "title": None,
                    },
                    "color": colour,
                },
            },
        ],
        "resolve": {"scale": {"x": "shared", "color": "independent"}},
    }
    return Figure(_("Who says entailment (dark) of the same pairs"), says, spec)
