"""Contrast sets before and after (MED, section 4.3): what models say of a pair and of its contrast, beside
what the calculus says of both.

Whoever reads the operator answers otherwise where the label changes with it, and the same where it does not.
The database counts; what is read has a row for each combination of labels, whatever the number of pairs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db.models import BigIntegerField, Count, Exists, F, Max, OuterRef, Q, QuerySet, Subquery
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast

from apps.comparison.pairs import two_way
from apps.datasets.labels import ENTAILMENT, NO_LABEL, NON_ENTAILMENT
from apps.datasets.models import CalculusLabel, Dataset, Pair
from apps.inference.models import Model, Prediction, Run
from apps.inference.selectors import latest_runs
from measures.intervals import wilson

MOVE, STAY = "move", "stay"
MOVED, STAYED = "moved", "stayed"
BEFORE, AFTER, BOTH = "before", "after", "both"
_NO_FILTERS: dict[str, Any] = {"should": None, "did": None, "right": None}


@dataclass(frozen=True)
class Chosen:
    """Which contrasts are counted or listed: of one ``contrast`` (its id), of one ``model`` by whether its
    prediction ``should`` move and ``did``, or where it is ``right``. "" and None leave it open."""

    contrast: str = ""
    model: int | None = None
    should: str = ""
    did: str = ""
    right: str = ""


@dataclass(frozen=True)
class Part:
    """``count`` of ``total`` contrasts, with the share's 95 % interval (Wilson); ``filters`` list them."""

    count: int
    total: int
    filters: dict[str, Any]

    @property
    def share(self) -> float | None:
        return self.count / self.total if self.total else None

    @cached_property
    def interval(self) -> tuple[float, float] | None:
        found = wilson(self.count, self.total)
        return found if isinstance(found, tuple) else None


@dataclass(frozen=True)
class Moves:
    """What one model does: how often its prediction moved where it should have (``moved``) and where it
    should not have (``moved_wrongly``), and how often it is right before, after and on both. ``missing``
    contrasts have no prediction on one of the two, or no calculus label, and are not counted."""

    model: Model
    moved: Part
    moved_wrongly: Part
    right_before: Part
    right_after: Part
    right_on_both: Part
    missing: int

    @property
    def right(self) -> tuple[Part, Part, Part]:
        return self.right_before, self.right_after, self.right_on_both


@dataclass(frozen=True)
class Contrasts:
    """A contrast set: how many pairs it has of each contrast, how many of them have labels of the calculus
    before and after (``labelled``), for how many these differ (``changes``), and what each model does."""

    total: int
    by_contrast: dict[str, int]
    labelled: int
    changes: int
    models: list[Moves]


def has_contrasts(dataset: Dataset) -> bool:
    """Whether the dataset holds contrasts of other pairs. One query."""
    return dataset.pairs.filter(facts__has_key="contrast_of").exists()


def sets_of(dataset: Dataset) -> QuerySet[Dataset]:
    """The contrast sets that were made of a dataset's pairs: those with a pair whose original is there."""
    number = Cast(KeyTextTransform("contrast_of", "facts"), BigIntegerField())
    theirs = Pair.objects.filter(dataset=OuterRef("pk"), facts__has_key="contrast_of")
    originals = theirs.annotate(original=number).filter(
        Exists(Pair.objects.filter(pk=OuterRef("original"), dataset=dataset))
    )
    return Dataset.objects.filter(Exists(originals), study=dataset.study_id).exclude(pk=dataset.pk)


def contrast_counts(dataset: Dataset, chosen: Chosen) -> Contrasts:
    """The counts of a contrast set, of all its contrasts or the chosen one. Four queries."""
    models = [run.model for run in latest_runs(dataset)]
    return contrasts_of(contrast_tallies(dataset, models), models, chosen.contrast)


def contrast_tallies(dataset: Dataset, models: Sequence[Model]) -> list[list[Any]]:
    """How many contrasts there are of each: which contrast, what the calculus and each model say before and
    after, two-way. Two queries."""
    names = [name for model in models for name in (_before(model), _after(model))]
    rows = (
        _annotated(dataset, models)
        .order_by()
        .values_list("contrast", "before", "after", *names)
        .annotate(number=Count("pk"))
    )
    counts: Counter[tuple[str, ...]] = Counter()
    for contrast, *labels, number in rows:
        counts[contrast, *map(_two_way, labels)] += number
    return [
        [*key, number]
        for key, number in sorted(counts.items(), key=lambda item: (item[0][0] or "", item[0][1:]))
    ]


def contrasts_of(tallies: Sequence[Sequence[Any]], models: Sequence[Model], only: str = "") -> Contrasts:
    """What :func:`contrast_tallies` come to, of all contrasts or this one."""
    by_contrast: Counter[str] = Counter()
    counts: Counter[tuple[str, ...]] = Counter()
    for contrast, *labels, number in tallies:
        by_contrast[contrast] += number
        if only in ("", contrast):
            counts[tuple(labels)] += number
    labelled = {key: n for key, n in counts.items() if NO_LABEL not in key[:2]}
    return Contrasts(
        total=counts.total(),
        by_contrast=dict(sorted(by_contrast.items())),
        labelled=sum(labelled.values()),
        changes=sum(n for key, n in labelled.items() if key[0] != key[1]),
        models=[
            _moves(model, [(key[0], key[1], *key[2 + 2 * i : 4 + 2 * i], n) for key, n in counts.items()])
            for i, model in enumerate(models)
        ],
    )


def contrast_numbers(dataset: Dataset, chosen: Chosen) -> QuerySet[Pair, int]:
    """The numbers of the chosen contrasts, in order. One query when it is read, and one now where a model is
    chosen."""
    model = Model.objects.filter(pk=chosen.model).first() if chosen.model else None
    found = _annotated(dataset, [model] if model else [])
    if chosen.contrast:
        found = found.filter(contrast=chosen.contrast)
    if chosen.should or model:
        found = found.annotate(one=two_way("before"), other=two_way("after"))
        found = found.exclude(one=NO_LABEL).exclude(other=NO_LABEL)
    if chosen.should:
        found = found.filter(_same("one", "other", chosen.should == STAY))
    if model:
        found = found.annotate(said=two_way(_before(model)), says=two_way(_after(model)))
        found = found.exclude(said=NO_LABEL).exclude(says=NO_LABEL)
        if chosen.did:
            found = found.filter(_same("said", "says", chosen.did == STAYED))
        if chosen.right in (BEFORE, BOTH):
            found = found.filter(_same("said", "one", True))
        if chosen.right in (AFTER, BOTH):
            found = found.filter(_same("says", "other", True))
    numbers: QuerySet[Pair, int] = found.order_by("pk").values_list("pk", flat=True)
    return numbers


@dataclass(frozen=True)
class Contrasted:
    """A contrast with its original (None where it is not there any more): what the calculus and each model,
    in order, say before and after, two-way."""

    pair: Pair
    original: Pair | None
    contrast: str
    calculus: tuple[str, str]
    said: list[tuple[str, str]]


def contrast_rows(dataset: Dataset, numbers: Sequence[int], models: Sequence[Model]) -> list[Contrasted]:
    """A page of contrasts. Five queries."""
    found = _annotated(dataset, models).filter(pk__in=numbers).order_by("pk").prefetch_related("premises")
    rows = list(found)
    theirs = Pair.objects.filter(pk__in=[row.original for row in rows], dataset__study=dataset.study_id)
    originals = {pair.pk: pair for pair in theirs.prefetch_related("premises")}

    def labels(row: Any, before: str, after: str) -> tuple[str, str]:
        return _two_way(getattr(row, before)), _two_way(getattr(row, after))

    return [
        Contrasted(
            pair=row,
            original=originals.get(row.original),
            contrast=row.contrast,
            calculus=labels(row, "before", "after"),
            said=[labels(row, _before(model), _after(model)) for model in models],
        )
        for row in rows
    ]


def _two_way(label: str | None) -> str:
    """As :func:`apps.comparison.pairs.two_way` reads a column."""
    return NO_LABEL if label is None else ENTAILMENT if label == ENTAILMENT else NON_ENTAILMENT


def _same(one: str, other: str, wanted: bool) -> Q:
    same = Q(**{one: F(other)})
    return same if wanted else ~same


def _moves(model: Model, rows: Sequence[tuple[Any, ...]]) -> Moves:
    """Of (calculus before, after, prediction before, after, how many)."""
    whole = [row for row in rows if NO_LABEL not in row[:4]]
    total = sum(row[4] for row in whole)

    def part(of: Sequence[tuple[Any, ...]], condition: Any, **filters: str) -> Part:
        counted = sum(row[4] for row in of if condition(row))
        return Part(counted, sum(row[4] for row in of), {**_NO_FILTERS, "model": model.pk, **filters})

    def moved(row: tuple[Any, ...]) -> bool:
        return bool(row[2] != row[3])

    return Moves(
        model=model,
        moved=part([row for row in whole if row[0] != row[1]], moved, should=MOVE, did=MOVED),
        moved_wrongly=part([row for row in whole if row[0] == row[1]], moved, should=STAY, did=MOVED),
        right_before=part(whole, lambda row: row[2] == row[0], right=BEFORE),
        right_after=part(whole, lambda row: row[3] == row[1], right=AFTER),
        right_on_both=part(whole, lambda row: row[2] == row[0] and row[3] == row[1], right=BOTH),
        missing=sum(row[4] for row in rows) - total,
    )


def _before(model: Model) -> str:
    return f"before_{model.pk}"


def _after(model: Model) -> str:
    return f"after_{model.pk}"


def _annotated(dataset: Dataset, models: Sequence[Model]) -> QuerySet[Any]:
    """The contrasts, each with the number of its ``original``, its ``contrast``, and what the calculus
    (``before``, ``after``) and each model (``before_<pk>``, ``after_<pk>``) say of both, None for nothing. An
    original is looked for in this study alone: facts come in with files, and their numbers could be
    anybody's."""
    runs = _newest_runs(dataset) if models else {}  # the study's alone, so their predictions are too
    labels = CalculusLabel.objects.filter(is_current=True)
    theirs = labels.filter(pair=OuterRef("original"), pair__dataset__study=dataset.study_id)
    said: dict[str, Any] = {
        "before": Subquery(theirs.values("label")[:1]),
        "after": Subquery(labels.filter(pair=OuterRef("pk")).values("label")[:1]),
    }
    for model in models:
        of_model = Prediction.objects.filter(run__in=runs.get(model.pk, []))
        for name, number in ((_before(model), "original"), (_after(model), "pk")):
            said[name] = Subquery(of_model.filter(pair=OuterRef(number)).values("label")[:1])
    contrasts = dataset.pairs.filter(facts__has_key="contrast_of").annotate(
        original=Cast(KeyTextTransform("contrast_of", "facts"), BigIntegerField()),
        contrast=KeyTextTransform("contrast", "facts"),
    )
    annotated: QuerySet[Any] = contrasts.annotate(**said)
    return annotated


def _newest_runs(dataset: Dataset) -> dict[int, list[int]]:
    """Each model's newest run with predictions on every dataset of the study. A pair lies in one of them.
    One query."""
    some = Prediction.objects.filter(run=OuterRef("pk"))
    runs = Run.objects.filter(Exists(some), dataset__study=dataset.study_id).order_by()
    found: dict[int, list[int]] = {}
    for model, run in (
        runs.values("model", "dataset").annotate(newest=Max("pk")).values_list("model", "newest")
    ):
        found.setdefault(model, []).append(run)
    return found
