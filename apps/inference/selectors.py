"""What the models' pages and the API read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import (
    Case,
    CharField,
    Count,
    Exists,
    F,
    FilteredRelation,
    Max,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Coalesce
from django.shortcuts import get_object_or_404

from apps.datasets.labels import ENTAILMENT
from apps.datasets.models import Dataset, Direction, Pair
from apps.inference.labels import LabelError, fitted
from apps.inference.models import Model, Prediction, Run
from apps.inference.references import Reference, references_of
from apps.studies.access import within
from apps.studies.models import Study
from apps.tallies.counting import row_asked
from apps.tallies.selectors import Found, read


@dataclass(frozen=True)
class Share:
    """``right`` of ``total`` pairs; the share is undefined (None) of none."""

    right: int = 0
    total: int = 0

    @property
    def value(self) -> float | None:
        return self.right / self.total if self.total else None

    @property
    def wrong(self) -> int:
        return self.total - self.right

    def plus(self, is_right: bool, pairs: int) -> Share:
        return Share(self.right + is_right * pairs, self.total + pairs)


@dataclass(frozen=True)
class Score:
    """A run measured against one reference: over all pairs that it labels, and by their direction."""

    key: str
    title: str
    overall: Share
    by_direction: dict[str, Share] = field(default_factory=dict)

    @property
    def directions(self) -> list[Share]:
        """Upward, downward, non-monotone, in this order."""
        return [self.by_direction.get(direction, Share()) for direction in Direction.values]


def models_of(study: Study) -> QuerySet[Model]:
    return within(Model, study).annotate(run_count=Count("runs")).order_by("name")


def runs_of(study: Study) -> QuerySet[Run]:
    """The study's runs, newest first, with how many pairs each has predicted."""
    return (
        predictions_counted(within(Run, study))
        .select_related("model", "dataset__study", "job__study")
        .order_by("-pk")
    )


def run_counted(study: Study, pk: int) -> Any:
    """The study's run of that number, or 404, with ``pair_count``, ``prediction_count`` and ``left``, the
    pairs that it has no prediction of. One query."""
    pairs = Pair.objects.filter(dataset=OuterRef("dataset")).order_by()
    counts = pairs.values("dataset").annotate(n=Count("pk")).values("n")
    counted = runs_of(study).annotate(pair_count=Coalesce(Subquery(counts), 0))
    run: Any = get_object_or_404(counted, pk=pk)
    run.left = run.pair_count - run.prediction_count
    return run


def predictions_counted(runs: QuerySet[Run]) -> QuerySet[Run]:
    """Runs with ``prediction_count``, counted for those alone that are read."""
    counts = Prediction.objects.filter(run=OuterRef("pk")).order_by().values("run").annotate(n=Count("pk"))
    return runs.annotate(prediction_count=Coalesce(Subquery(counts.values("n")), 0))


@dataclass(frozen=True)
class Figures:
    """A run counted against its references, in the database: how often which label met which of theirs."""

    run: Run
    references: list[Reference]
    counts: list[tuple[str, str, tuple[str | None, ...], int]]

    @property
    def scores(self) -> list[Score]:
        """The accuracy against every reference. One whose label the dataset's labels have no place for leaves
        the pair out."""
        return [self._score(place, reference) for place, reference in enumerate(self.references)]

    def _score(self, place: int, reference: Reference) -> Score:
        overall = Share()
        by_direction: dict[str, Share] = {}
        for label, direction, said, number in self.counts:
            wanted = self.fitted(said[place])
            if wanted is not None:
                overall = overall.plus(label == wanted, number)
                by_direction[direction] = by_direction.get(direction, Share()).plus(label == wanted, number)
        return Score(reference.key, reference.title, overall, by_direction)

    def confusion(self, place: int) -> dict[tuple[str, str], int]:
        """How often which label met which of the reference at that place, both in the dataset's words."""
        found: dict[tuple[str, str], int] = {}
        for label, _direction, said, number in self.counts:
            if (wanted := self.fitted(said[place])) is not None:
                found[label, wanted] = found.get((label, wanted), 0) + number
        return found

    def number(self, *, against: str = "", label: str = "") -> int:
        """How many predictions :meth:`numbers` has."""
        place = self._place(against)
        return sum(
            number
            for said, _direction, wanted, number in self.counts
            if label in ("", said) and (place is None or self._differs(said, wanted[place]))
        )

    def numbers(self, *, against: str = "", label: str = "") -> QuerySet[Any]:
        """The numbers of the run's predictions in the order of the pairs, to be read in pages. ``against``
        keeps those that differ from what the reference of that key says, ``label`` those with that label."""
        found = self.run.predictions.order_by("pair_id")
        if label:
            found = found.filter(label=label)
        place = self._place(against)
        if place is not None:
            differing = Q(pk__in=())
            for raw in {wanted[place] for _label, _direction, wanted, _number in self.counts}:
                if (wanted := self.fitted(raw)) is not None:
                    differing |= Q(said=raw) & ~Q(label=wanted)
            found = found.annotate(said=self.references[place].column).filter(differing)
        return found.values_list("pk", flat=True)

    def rows(self, numbers: Sequence[int]) -> list[Row]:
        """A page of the run's predictions with their pairs and the references' labels. Two queries."""
        found = Prediction.objects.filter(pk__in=numbers).select_related("pair").order_by("pair_id")
        found = found.annotate(**_columns(self.references)).prefetch_related("pair__premises")
        return [
            Row(item, [(said, self._differs(item.label, said)) for said in _said(item, self.references)])
            for item in found
        ]

    def _place(self, key: str) -> int | None:
        return next((place for place, one in enumerate(self.references) if one.key == key), None)

    def _differs(self, label: str, raw: str | None) -> bool:
        wanted = self.fitted(raw)
        return wanted is not None and label != wanted

    def fitted(self, raw: str | None) -> str | None:
        """A reference's label in the dataset's words; None where it has none, or no place for it."""
        if raw is None:
            return None
        try:
            return fitted(raw, self.run.dataset.labels)
        except LabelError:
            return None


def _columns(references: Sequence[Reference]) -> dict[str, Any]:
    return {f"reference_{place}": reference.column for place, reference in enumerate(references)}


def _said(item: Any, references: Sequence[Reference]) -> list[str | None]:
    return [getattr(item, name) for name in _columns(references)]


FIGURES = "inference.figures"


def run_figures(run: Run, *, wait: bool = False) -> tuple[Figures, Found]:
    """The run's figures, so far, without counts until they are counted; and what was found of them. The
    queries of the references, and those of what is kept."""
    found = read(run.dataset.study, FIGURES, wait=wait, at_hand={"run": run}, run=run.pk)
    keys, rows = found.value if found.is_there else ([], [])
    there = {reference.key: reference for reference in references_of(run.dataset, keys)}
    places = [place for place, key in enumerate(keys) if key in there]
    counts = [
        (label, direction, tuple(said[place] for place in places), n) for label, direction, said, n in rows
    ]
    return Figures(run, [there[keys[place]] for place in places], counts), found


def figures_counted(study: Study, arguments: Mapping[str, Any]) -> Any:
    """The keys of a run's references, and the counts of its :class:`Figures`. Queries whose answers are short
    whatever the size of the dataset.

    A pair without a direction of its own is counted under the one that the calculus found.
    """
    run = row_asked(Run, study, arguments["run"], "dataset")
    current = FilteredRelation("pair__calculus_labels", condition=Q(pair__calculus_labels__is_current=True))
    direction = Case(
        When(pair__direction="", then=Coalesce(F("current__direction"), Value(""))),
        default=F("pair__direction"),
        output_field=CharField(),
    )
    references = references_of(run.dataset)
    columns = _columns(references)
    counted = (
        run.predictions.annotate(current=current)
        .annotate(place=direction, **columns)
        .order_by()
        .values_list("label", "place", *columns)
        .annotate(number=Count("pk"))
    )
    counts = [(label, place, said, number) for label, place, *said, number in counted]
    return [[reference.key for reference in references], counts]


def run_scores(run: Run) -> list[Score]:
    """The run's accuracy against every reference there is, now."""
    figures, _found = run_figures(run, wait=True)
    return figures.scores


@dataclass(frozen=True)
class Row:
    """One prediction beside what the references say, in their order: label or None, whether it differs."""

    prediction: Prediction
    wanted: list[tuple[str | None, bool]]

    @property
    def entailment(self) -> float | None:
        """The model's score for entailment, where it has that label."""
        score: float | None = self.prediction.scores.get(ENTAILMENT)
        return score


def latest_runs(dataset: Dataset) -> list[Run]:
    """The newest run of each model that has predicted anything. One query."""
    newest = (
        Run.objects.filter(Exists(Prediction.objects.filter(run=OuterRef("pk"))), dataset=dataset)
        .order_by()
        .values("model")
        .annotate(newest=Max("pk"))
        .values("newest")
    )
    return list(Run.objects.filter(pk__in=newest).select_related("model").order_by("model__name"))
