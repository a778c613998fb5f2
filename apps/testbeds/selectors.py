"""What the pages of testbeds read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, QuerySet
from django.db.models.fields.json import KeyTextTransform

from apps.comparison.judges import Judges
from apps.comparison.pairs import labelled, predicted
from apps.comparison.scores import HUMAN, LABELS, SINGLE, Score, Scores
from apps.comparison.tallied import tallied
from apps.datasets.models import Dataset, Meaning, Pair
from apps.inference.models import Run
from apps.studies.access import within
from apps.studies.models import Study
from apps.testbeds.models import Testbed

# A fact with more values than this, or half as many as there are pairs, tells pairs apart, and is nothing to
# count by.
MOST_VALUES = 60
_NOT_FACTORS = ("id", "base", "repeated", "sampled_from", "meaning", "contrast_of")
_SAMPLED = 2000
_SHOWN = 12


def testbeds_of(study: Study) -> QuerySet[Testbed]:
    """The study's testbeds, newest first. One query."""
    return within(Testbed, study).select_related("dataset", "job")


def factors(dataset: Dataset) -> dict[str, list[str]]:
    """What pairs or meanings can be counted by: facts of few values, with the values that the first rows
    have. One query."""
    model = Meaning if dataset.kind == Dataset.Kind.MEANINGS else Pair
    found: dict[str, set[str]] = {}
    rows = model._default_manager.filter(dataset=dataset).order_by("pk")
    step = rows.values_list("facts", flat=True)[:_SAMPLED]
    for facts in step:
        for name, value in facts.items():
            if name not in _NOT_FACTORS and isinstance(value, str | int):
                found.setdefault(name, set()).add(str(value))
    return {
        name: sorted(values)
        for name, values in found.items()
        if len(values) <= min(MOST_VALUES, len(step) // 2)
    }


def counts_by(dataset: Dataset, factor: str) -> list[tuple[str, int]]:
    """How many items have each value of a fact, by value. One query."""
    rows = dataset.meanings.all() if dataset.kind == Dataset.Kind.MEANINGS else dataset.pairs.all()
    counted = (
        rows.order_by()
        .filter(facts__has_key=factor)
        .annotate(value=KeyTextTransform(factor, "facts"))
        .values_list("value")
    )
    return sorted((value or "", n) for value, n in counted.annotate(n=Count("pk")))


@dataclass(frozen=True)
class CellRow:
    """One value of a factor (None: all of them): its pairs, and how each judge does on them."""

    value: str | None
    pairs: int
    scores: list[Score]


@dataclass(frozen=True)
class Cells:
    """People (majority, and every single judgement), calculus and models against the testbed's labels, by a
    factor's values; the last row is all of them."""

    judges: list[str]
    rows: list[CellRow]


def cells(dataset: Dataset, factor: str, judges: Judges, runs: Sequence[Run]) -> Cells:
    """Of the pairs that say anything of the factor. Two-way, as everywhere where judges are compared
    (apps/comparison/pairs.py). One query."""
    names = ("calculus", *(predicted(run) for run in runs))
    having = dataset.pairs.exclude(origin=Pair.Origin.SWAP).filter(facts__has_key=factor)
    rows = labelled(having, runs).annotate(value=KeyTextTransform(factor, "facts"))
    counted = Scores()
    for (value, label, *labels), answers, number in tallied(rows, judges, ("value", "file_label", *names)):
        said = {HUMAN: answers.human, **dict(zip(names, labels, strict=True))}
        counted.add((value or "", None), label, said, answers, number)
    values: list[str | None] = [*sorted(value for value in counted.pairs if value is not None), None]
    everybody = [HUMAN, SINGLE, *names]
    return Cells(
        everybody,
        [
            CellRow(value, counted.pairs[value], [counted.score(value, name) for name in everybody])
            for value in values
            if counted.pairs[value]
        ],
    )


def differences(dataset: Dataset) -> tuple[int, int]:
    """How many pairs the calculus labels as the testbed does, and how many otherwise. One query."""
    said = ("calculus", "file_label")
    rows = tallied(labelled(dataset.pairs.all()), Judges((), ()), said)
    counted: Counter[tuple[str, str]] = Counter()
    for labels, _answers, number in rows:
        counted[labels] += number
    same = sum(n for (calculus, label), n in counted.items() if calculus == label and label in LABELS)
    other = sum(n for (calculus, label), n in counted.items() if calculus in LABELS and label in LABELS)
    return same, other - same


def some_rows(dataset: Dataset, factor: str, values: Sequence[str]) -> list[Any]:
    """The first pairs or meanings of each value of a factor, of few values more; of all where there is none.
    One query a value, two more for pairs."""
    rows: Any = dataset.meanings.order_by("pk")
    if dataset.kind == Dataset.Kind.PAIRS:
        rows = dataset.pairs.order_by("pk").prefetch_related("premises", "gold_labels")
    if not values:
        return list(rows[:_SHOWN])
    each = max(1, _SHOWN // len(values[:_SHOWN]))
    return [row for value in values[:_SHOWN] for row in rows.filter(**{f"facts__{factor}": value})[:each]]
