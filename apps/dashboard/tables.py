"""The dashboard's tables, made of a :class:`~apps.dashboard.selectors.Comparison`; every cell knows the
address of its pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.utils.translation import gettext as _

from apps.comparison.agreement import Agreement, kappa
from apps.comparison.pairs import COMPARED_LABELS, HUMAN_ANSWERS, predicted
from apps.curation.conditions import CALCULUS
from apps.dashboard.addresses import JudgeAddresses, Source, pairs_address
from apps.dashboard.selectors import LABELS, Comparison
from apps.datasets.labels import LABEL_NAMES, NO_LABEL
from apps.datasets.models import Direction

PLACES = (*Direction.values, "")
_ARROWS = {Direction.UPWARD: "↑", Direction.DOWNWARD: "↓", Direction.NON_MONOTONE: "="}


@dataclass(frozen=True)
class Cell:
    """A count, its share of the whole (None of nothing) and the address of its pairs."""

    count: int
    share: float | None
    url: str
    agrees: bool = False


@dataclass(frozen=True)
class Row:
    title: str
    cells: list[Cell]
    total: Cell


def place_name(place: str) -> str:
    """A direction with its arrow; “no direction” for none."""
    return f"{_ARROWS[Direction(place)]} {Direction(place).label}" if place else _("no direction")


def pairs_url(comparison: Comparison, **filters: Any) -> str:
    """The pairs' page under filters; the same words as :class:`apps.curation.filters.PairFilters`."""
    return pairs_address(comparison.dataset, comparison.judges, **comparison.only, **filters)


def _share(count: int, total: int) -> float | None:
    return count / total if total else None


# ---- MED, Table 3 -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Matches:
    """How many of ``judgements`` answers match the calculus label, by direction (MED, Table 3).

    ``others`` counts the pairs that have another number of judgements, by that number; ``url`` is of all that
    are in the table.
    """

    judgements: int
    places: list[str]
    rows: list[Row]
    totals: list[Cell]
    total: int
    others: list[tuple[int, int, str]]
    unlabelled: int
    url: str = ""
    unlabelled_url: str = ""


def matches(comparison: Comparison, judgements: int) -> Matches:
    """The table for the pairs that have exactly ``judgements`` judgements and a calculus label."""
    counts: Counter[tuple[int, str]] = Counter()
    others: Counter[int] = Counter()
    unlabelled = 0
    for item, n in comparison.counts.items():
        if item.judgements != judgements:
            others[item.judgements] += n
        elif item.matches is None:
            unlabelled += n
        else:
            counts[item.matches, item.place] += n
    total = counts.total()
    places = [place for place in PLACES if place or any(key[1] == "" for key in counts)]

    def address(**filters: Any) -> str:
        return pairs_url(comparison, judgements=judgements, **filters)

    def cell(count: int, **filters: Any) -> Cell:
        return Cell(count, _share(count, total), address(labelled=CALCULUS, **filters))

    rows = []
    for number in range(judgements, -1, -1):
        cells = [cell(counts[number, place], matching=number, direction=place or "none") for place in places]
        whole = sum(item.count for item in cells)
        rows.append(Row(str(number), cells, cell(whole, matching=number)))
    totals = [
        cell(sum(counts[number, place] for number in range(judgements + 1)), direction=place or "none")
        for place in places
    ]
    return Matches(
        judgements=judgements,
        places=places,
        rows=rows,
        totals=totals,
        total=total,
        others=[(k, n, pairs_url(comparison, judgements=k)) for k, n in sorted(others.items())],
        unlabelled=unlabelled,
        url=address(labelled=CALCULUS) if total else "",
        unlabelled_url=address(calculus=NO_LABEL),
    )


def numbers_of_judgements(comparison: Comparison) -> list[int]:
    """The numbers of judgements that pairs have, largest first, none left out but 0."""
    return sorted({item.judgements for item in comparison.counts if item.judgements}, reverse=True)


def usual_number(comparison: Comparison) -> int:
    """The number of judgements that most judged pairs have; 3 (MED's) where nothing is judged."""
    found: Counter[int] = Counter()
    for item, n in comparison.counts.items():
        if item.judgements:
            found[item.judgements] += n
    return max(found, key=lambda number: (found[number], number)) if found else 3


# ---- Confusion --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Confusion:
    """Two sources against each other: rows are what the first says, columns what the second says.
    ``agreement`` is None where the table is of more than two."""

    row_title: str
    column_title: str
    columns: list[str]
    rows: list[Row]
    agreement: Agreement | None


def sources(comparison: Comparison) -> list[Source]:
    """Who has said anything on this dataset."""
    found = []
    if comparison.judged:
        found.append(Source("human", _("People"), HUMAN_ANSWERS))
    if comparison.labelled:
        found.append(Source("calculus", _("Calculus"), COMPARED_LABELS))
    if comparison.filed:
        found.append(Source("file", _("File"), COMPARED_LABELS))
    for run in comparison.runs:
        found.append(Source(predicted(run), run.model.name, COMPARED_LABELS, run.pk))
    return found


def confusion(comparison: Comparison, one: Source, two: Source) -> Confusion:
    """The table of two sources. Agreement is over the pairs to which both give a label."""
    first = comparison.says(one.key)
    counts: Counter[tuple[str, str]] = Counter()
    for item, label, n in comparison.said(two.key):
        counts[first(item), label] += n
    both = {key: n for key, n in counts.items() if key[0] in LABELS and key[1] in LABELS}
    columns = [label for label in two.labels if label in LABELS or any(k[1] == label for k in counts)]
    used = [label for label in one.labels if label in LABELS or any(k[0] == label for k in counts)]
    total = counts.total()
    rows = []
    for label in used:
        cells = [
            Cell(
                counts[label, other],
                _share(counts[label, other], total),
                pairs_url(comparison, **one.filters(label), **two.filters(other)),
                agrees=label == other,
            )
            for other in columns
        ]
        whole = sum(cell.count for cell in cells)
        url = pairs_url(comparison, **one.filters(label))
        rows.append(Row(str(LABEL_NAMES[label]), cells, Cell(whole, _share(whole, total), url)))
    return Confusion(one.title, two.title, [str(LABEL_NAMES[label]) for label in columns], rows, kappa(both))


def three_way(comparison: Comparison, one: Source, two: Source, three: Source) -> Confusion:
    """People × calculus × model: a row for each combination of the first two, the third's labels across."""
    second, third = comparison.says(two.key), comparison.says(three.key)
    counts: Counter[tuple[str, str, str]] = Counter()
    for item, label, n in comparison.said(one.key):
        counts[label, second(item), third(item)] += n
    columns = [label for label in three.labels if label in LABELS or any(k[2] == label for k in counts)]
    total = counts.total()
    rows = []
    for first in one.labels:
        for other in two.labels:
            if not any(key[:2] == (first, other) for key in counts):
                continue
            filters = {**one.filters(first), **two.filters(other)}
            cells = [
                Cell(
                    counts[first, other, label],
                    _share(counts[first, other, label], total),
                    pairs_url(comparison, **filters, **three.filters(label)),
                    agrees=first == other == label,
                )
                for label in columns
            ]
            whole = sum(cell.count for cell in cells)
            title = f"{LABEL_NAMES[first]} · {LABEL_NAMES[other]}"
            rows.append(
                Row(title, cells, Cell(whole, _share(whole, total), pairs_url(comparison, **filters)))
            )
    names = [str(LABEL_NAMES[label]) for label in columns]
    return Confusion(f"{one.title} · {two.title}", three.title, names, rows, None)


def confusions(comparison: Comparison, model: Source | None) -> list[Confusion]:
    """People against calculus; with a model, each of both against it, and the three together."""
    by_key = {source.key: source for source in sources(comparison)}
    people, calculus = by_key.get("human"), by_key.get("calculus")
    wanted = [(people, calculus), (people, model), (calculus, model)]
    found = [confusion(comparison, one, two) for one, two in wanted if one and two]
    if people and calculus and model:
        found.append(three_way(comparison, people, calculus, model))
    return found


def usual_reference(found: list[Source]) -> Source | None:
    """What accuracy is measured against unless something else is asked for: the file's labels, else people,
    else the calculus; never a model."""
    by_key = {source.key: source for source in found if source.run is None}
    return by_key.get("file") or by_key.get("human") or by_key.get("calculus")


# ---- Accuracy ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Score:
    """``right`` of ``total``, each with the address of its pairs ("" of none); the share is None where there
    is nothing to be right about."""

    right: int
    total: int
    right_url: str = ""
    url: str = ""

    @property
    def share(self) -> float | None:
        return _share(self.right, self.total)


@dataclass(frozen=True)
class Accuracy:
    """Accuracy by direction, of every source against one of them, beside always saying one label: the one
    that is most frequent in all (``baseline``)."""

    reference: str
    baseline: str
    places: list[str]
    rows: list[tuple[str, list[Score]]]


def accuracy(comparison: Comparison, reference: Source) -> Accuracy:
    """``rows`` hold a score for each of ``places`` and one for all. A source that has no label of a pair
    (a tie, no prediction) is not right about it."""
    gold = comparison.says(reference.key)
    wanted: Counter[tuple[str, str]] = Counter()
    for item, label, n in comparison.said(reference.key):
        if label in LABELS:
            wanted[item.place, label] += n
    places = [place for place in PLACES if place or any(where == "" for where, _label in wanted)]

    def total(place: str | None) -> int:
        return sum(n for (where, _label), n in wanted.items() if place in (None, where))

    def labelled(label: str, place: str | None) -> int:
        return sum(wanted[p, label] for p in places if place in (None, p))

    whole = JudgeAddresses(comparison, [reference])

    def score(place: str | None, right: int, address: Callable[..., str]) -> Score:
        n, only = total(place), {} if place is None else {"direction": place or "none"}
        return Score(right, n, address(**only) if right else "", whole.labelled(**only) if n else "")

    baseline = max(LABELS, key=lambda label: labelled(label, None))
    columns: list[str | None] = [*places, None]
    always = _("Always “%(label)s” (baseline)") % {"label": LABEL_NAMES[baseline]}
    of_baseline = partial(whole.said, baseline)
    rows = [(always, [score(place, labelled(baseline, place), of_baseline) for place in columns])]
    for source in sources(comparison):
        if source.key == reference.key:
            continue
        right: Counter[str] = Counter()
        for item, label, n in comparison.said(source.key):
            right[item.place] += n if label in LABELS and gold(item) == label else 0
        alike = partial(JudgeAddresses(comparison, [reference, source]).alike, reference, source)
        scores = [
            score(place, sum(n for where, n in right.items() if place in (None, where)), alike)
            for place in columns
        ]
        title = source.title if source.run is None else _("Model “%(name)s”") % {"name": source.title}
        rows.append((title, scores))
    return Accuracy(reference.title, baseline, places, rows)
