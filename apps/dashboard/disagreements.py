"""The pairs on which people, calculus and models differ, those on which they differ most first.

Each of the three has one number for a pair, how far it says entailment: people the share of their answers
that stand, the calculus 0 or 1, models the share of those with a prediction. A pair's *distance* is the sum
of the distances of each two that say something: 0 where all agree, 2 at most. Among equals, those that
divide people most come first (share × (1 − share)), then by number. Two-way, as everywhere where judges are
compared (apps/comparison/pairs.py).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import Any

from django.db.models import Exists, OuterRef

from apps.comparison.judges import Judges
from apps.comparison.pairs import compared, labelled, predicted
from apps.comparison.tallied import Answers, each
from apps.dashboard.hard_pairs import csv_line
from apps.dashboard.selectors import comparable
from apps.datasets.labels import ADJUDICATION, ENTAILMENT, NON_ENTAILMENT
from apps.datasets.models import Dataset, GoldLabel, Pair, Tag
from apps.datasets.tags import BY_HAND, NEEDS_REVIEW, TO_ADJUDICATE
from apps.inference.models import Run

PEOPLE_CALCULUS, PEOPLE_MODELS, CALCULUS_MODELS = "people-calculus", "people-models", "calculus-models"
PEOPLE = "people"
_BATCH = 500


@dataclass(frozen=True)
class Wanted:
    """``between`` is one of the four above or "" for whoever differs, ``open`` leaves out what was sent to
    adjudication, flagged, or decided."""

    between: str = ""
    direction: str = ""
    tag: str = ""
    run: int | None = None
    open: bool = False


@dataclass(frozen=True)
class Place:
    """A pair in the queue, with its distance."""

    pair: int
    distance: float


@dataclass(frozen=True)
class Queue:
    """``pairs`` in order, and the ``steps`` of their distance: each with how many pairs have it."""

    pairs: list[int]
    steps: list[tuple[float, int]]

    def __len__(self) -> int:
        return len(self.pairs)

    @property
    def places(self) -> list[Place]:
        distances = (distance for distance, number in self.steps for _pair in range(number))
        return [Place(pair, distance) for pair, distance in zip(self.pairs, distances, strict=True)]

    def place(self, here: int) -> Place:
        """The place of this number, from 0."""
        ends = accumulate(number for _distance, number in self.steps)
        step = next(step for step, end in enumerate(ends) if here < end)
        return Place(self.pairs[here], self.steps[step][0])

    def without(self, pairs: Collection[int]) -> Queue:
        """The same without some pairs."""
        if not pairs:
            return self
        left: list[int] = []
        steps, begin = [], 0
        for distance, number in self.steps:
            these = [pair for pair in self.pairs[begin : begin + number] if pair not in pairs]
            begin += number
            left += these
            steps += [(distance, len(these))] if these else []
        return Queue(left, steps)

    def beside(self, pair: int | None) -> tuple[int, int | None, int | None]:
        """Where a pair is in the queue (the first where it isn't in it), and the numbers of those before and
        after it; (-1, None, None) of an empty queue."""
        if not self.pairs:
            return -1, None, None
        here = self.pairs.index(pair) if pair in self.pairs else 0
        before = self.pairs[here - 1] if here else None
        return here, before, self.pairs[here + 1] if here + 1 < len(self.pairs) else None


def queue(dataset: Dataset, judges: Judges, runs: Sequence[Run], wanted: Wanted) -> Queue:
    """The pairs, in order, but for those that ``wanted.open`` leaves out (:func:`closed`). One query."""
    names = [predicted(run) for run in runs if wanted.run in (None, run.pk)]
    rows = _narrowed(labelled(comparable(dataset), [run for run in runs if predicted(run) in names]), wanted)
    differs = _DIFFERS[wanted.between]
    found: dict[tuple[float, float], list[int]] = {}
    for (pair, calculus, *said), answers in each(rows, judges, ("pk", "calculus", *names)):
        apart = _apart(answers, calculus, tuple(said))
        if differs(apart):
            found.setdefault((-apart.distance, -apart.divided), []).append(pair)
    order = sorted(found)
    steps: Counter[float] = Counter()
    for key in order:
        steps[-key[0]] += len(found[key])
    return Queue([pair for key in order for pair in sorted(found[key])], list(steps.items()))


def closed(dataset: Dataset) -> set[int]:
    """The pairs that were sent to adjudication, flagged, or decided. Two queries."""
    marks = Tag.objects.filter(
        pair__dataset=dataset, source=BY_HAND, name__in=[TO_ADJUDICATE, NEEDS_REVIEW]
    ).order_by()
    decided = GoldLabel.objects.filter(pair__dataset=dataset, source=ADJUDICATION).order_by()
    return {*marks.values_list("pair", flat=True), *decided.values_list("pair", flat=True)}


def _narrowed(rows: Any, wanted: Wanted) -> Any:
    if wanted.direction:
        rows = rows.filter(place="" if wanted.direction == "none" else wanted.direction)
    if wanted.tag:
        rows = rows.filter(Exists(Tag.objects.filter(pair=OuterRef("pk"), name=wanted.tag)))
    return rows


@dataclass(frozen=True)
class _Apart:
    """How far each two are from each other, their sum, and how far people are divided."""

    people_calculus: float
    people_models: float
    calculus_models: float
    divided: float

    @property
    def distance(self) -> float:
        return self.people_calculus + self.people_models + self.calculus_models


@lru_cache(maxsize=4096)
def _apart(answers: Answers, calculus: str, said: tuple[str, ...]) -> _Apart:
    people = answers.entailments / answers.judgements if answers.judgements else None
    labels = [label for label in said if label in (ENTAILMENT, NON_ENTAILMENT)]
    models = labels.count(ENTAILMENT) / len(labels) if labels else None
    rule = {ENTAILMENT: 1.0, NON_ENTAILMENT: 0.0}.get(calculus)

    def between(one: float | None, other: float | None) -> float:
        return 0.0 if one is None or other is None else abs(one - other)

    divided = 0.0 if people is None else people * (1 - people)
    return _Apart(between(people, rule), between(people, models), between(rule, models), divided)


_DIFFERS: dict[str, Callable[[_Apart], bool]] = {
    "": lambda apart: apart.distance > 0 or apart.divided > 0,
    PEOPLE_CALCULUS: lambda apart: apart.people_calculus > 0.5,
    PEOPLE_MODELS: lambda apart: apart.people_models > 0.5,
    CALCULUS_MODELS: lambda apart: apart.calculus_models > 0.5,
    PEOPLE: lambda apart: apart.divided > 0,
}


def as_csv(dataset: Dataset, judges: Judges, runs: Sequence[Run], places: Sequence[Place]) -> Iterator[str]:
    """A header and a line a pair, in the queue's order."""
    head = ["pair", "distance", "premise", "hypothesis", "direction", "people", "calculus"]
    answers = ["entailments", "non_entailments", "unnatural"]
    yield csv_line([*head, *answers, *(f"{run.model.name} ({run.pk})" for run in runs)])
    for begin in range(0, len(places), _BATCH):
        some = {place.pair: place for place in places[begin : begin + _BATCH]}
        rows = compared(Pair.objects.filter(pk__in=some), judges, runs).prefetch_related("premises")
        by_number = {row.pk: row for row in rows}
        for place in some.values():
            row = by_number.get(place.pair)
            if row is None:
                continue
            texts = [" ".join(premise.text for premise in row.premises.all()), row.hypothesis, row.place]
            said = [getattr(row, name) for name in ("human", "calculus", *answers)]
            models = [getattr(row, predicted(run)) for run in runs]
            yield csv_line([row.pk, f"{place.distance:.4f}", *texts, *said, *models])
