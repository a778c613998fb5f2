"""The pairs on which people, calculus and models differ, those on which they differ most first.

Each of the three has one number for a pair, how far it says entailment: people the share of their answers
that stand, the calculus 0 or 1, models the share of those with a prediction. A pair's *distance* is the sum
of the distances of each two that say something: 0 where all agree, 2 at most. Among equals, those that
divide people most come first (share × (1 − share)), then by number. Two-way, as everywhere where judges are
compared (apps/comparison/pairs.py). Nothing is stored: the order is what is there now.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Any

from django.db.models import Case, Exists, F, FloatField, OuterRef, Q, Value, When
from django.db.models.functions import Abs, Cast, Coalesce, NullIf

from apps.comparison.judges import Judges
from apps.comparison.pairs import compared, predicted
from apps.dashboard.hard_pairs import csv_line
from apps.dashboard.selectors import comparable
from apps.datasets.labels import ENTAILMENT, NO_LABEL, NON_ENTAILMENT
from apps.datasets.models import Dataset, Pair, Tag
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


def queue(dataset: Dataset, judges: Judges, runs: Sequence[Run], wanted: Wanted) -> list[Place]:
    """The pairs, in order. One query."""
    these = [run for run in runs if wanted.run in (None, run.pk)]
    rows = _with_distance(_narrowed(compared(comparable(dataset), judges, these), wanted), these)
    differ = {
        "": Q(distance__gt=0) | Q(divided__gt=0),
        PEOPLE_CALCULUS: Q(people_calculus__gt=0.5),
        PEOPLE_MODELS: Q(people_models__gt=0.5),
        CALCULUS_MODELS: Q(calculus_models__gt=0.5),
        PEOPLE: Q(divided__gt=0),
    }[wanted.between]
    found = rows.filter(differ).order_by("-distance", "-divided", "pk")
    return [Place(pk, distance) for pk, distance in found.values_list("pk", "distance")]


def _narrowed(rows: Any, wanted: Wanted) -> Any:
    if wanted.direction:
        rows = rows.filter(place="" if wanted.direction == "none" else wanted.direction)
    if wanted.tag:
        rows = rows.filter(Exists(Tag.objects.filter(pair=OuterRef("pk"), name=wanted.tag)))
    if wanted.open:
        marks = Tag.objects.filter(
            pair=OuterRef("pk"), source=BY_HAND, name__in=[TO_ADJUDICATE, NEEDS_REVIEW]
        )
        rows = rows.filter(~Exists(marks), adjudicated=NO_LABEL)
    return rows


def _with_distance(rows: Any, runs: Sequence[Run]) -> Any:
    """Adds each one's number, the distance of each two, their sum, and how far people are divided."""
    number = FloatField()
    people = Cast(F("entailments"), number) / NullIf(Cast(F("judgements"), number), Value(0.0))
    calculus = Case(
        When(calculus=ENTAILMENT, then=Value(1.0)),
        When(calculus=NON_ENTAILMENT, then=Value(0.0)),
        default=None,
        output_field=number,
    )
    rows = rows.annotate(by_people=people, by_calculus=calculus, by_models=_share(runs))
    two = {
        "people_calculus": ("by_people", "by_calculus"),
        "people_models": ("by_people", "by_models"),
        "calculus_models": ("by_calculus", "by_models"),
    }
    rows = rows.annotate(
        **{
            name: Coalesce(Abs(F(one) - F(other)), Value(0.0), output_field=number)
            for name, (one, other) in two.items()
        },
        divided=Coalesce(F("by_people") * (Value(1.0) - F("by_people")), Value(0.0), output_field=number),
    )
    return rows.annotate(distance=reduce(add, (F(name) for name in two)))


def _share(runs: Sequence[Run]) -> Any:
    """The share of the runs with a prediction that say entailment; None of none."""
    number = FloatField()
    if not runs:
        return Value(None, output_field=number)

    def count(*labels: str) -> Any:
        return reduce(
            add,
            (
                Case(
                    When(**{f"{predicted(run)}__in": labels}, then=Value(1.0)),
                    default=Value(0.0),
                    output_field=number,
                )
                for run in runs
            ),
        )

    return count(ENTAILMENT) / NullIf(count(ENTAILMENT, NON_ENTAILMENT), Value(0.0))


def beside(places: Sequence[Place], pair: int | None) -> tuple[int, int | None, int | None]:
    """Where a pair is in the queue (the first where it isn't in it), and the numbers of those before and
    after it; (-1, None, None) of an empty queue."""
    if not places:
        return -1, None, None
    numbers = [place.pair for place in places]
    here = numbers.index(pair) if pair in numbers else 0
    return (
        here,
        numbers[here - 1] if here else None,
        numbers[here + 1] if here + 1 < len(numbers) else None,
    )


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
