"""What the models' pages and the API read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.db.models import Count, FilteredRelation, Max, Q, QuerySet

from apps.datasets.labels import ENTAILMENT
from apps.datasets.models import Dataset, Direction
from apps.inference.labels import LabelError, fitted
from apps.inference.models import Model, Prediction, Run
from apps.inference.references import Reference, references_of
from apps.studies.access import within
from apps.studies.models import Study


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

    def plus(self, is_right: bool) -> Share:
        return Share(self.right + is_right, self.total + 1)


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
        within(Run, study)
        .select_related("model", "dataset", "job__study")
        .annotate(prediction_count=Count("predictions"))
        .order_by("-pk")
    )


def run_scores(run: Run) -> list[Score]:
    """The run's accuracy against every reference there is. Four queries.

    A reference's label that the dataset's labels have no place for leaves the pair out. A pair without
    a direction of its own is counted under the one that the calculus found.
    """
    current = FilteredRelation("pair__calculus_labels", condition=Q(pair__calculus_labels__is_current=True))
    found = run.predictions.annotate(current=current)
    rows = [
        (pair, label, direction or by_calculus or "")
        for pair, label, direction, by_calculus in found.values_list(
            "pair_id", "label", "pair__direction", "current__direction"
        )
    ]
    return [_score(reference, rows, run.dataset.labels) for reference in references_of(run.dataset)]


def _score(reference: Reference, rows: Sequence[tuple[int, str, str]], labels: Sequence[str]) -> Score:
    overall = Share()
    by_direction: dict[str, Share] = {}
    for pair, label, direction in rows:
        wanted = reference.labels.get(pair)
        if wanted is None:
            continue
        try:
            is_right = label == fitted(wanted, labels)
        except LabelError:
            continue
        overall = overall.plus(is_right)
        by_direction[direction] = by_direction.get(direction, Share()).plus(is_right)
    return Score(reference.key, reference.title, overall, by_direction)


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


def prediction_numbers(run: Run, *, against: Reference | None = None, label: str = "") -> list[int]:
    """The numbers of a run's predictions in the order of the pairs. One query.

    ``against`` keeps those that differ from what the reference says, ``label`` those with that label.
    """
    found = run.predictions.order_by("pair_id")
    if label:
        found = found.filter(label=label)
    if against is None:
        return list(found.values_list("pk", flat=True))
    labels = run.dataset.labels
    return [
        pk
        for pk, pair, said in found.values_list("pk", "pair_id", "label")
        if _differs(said, against.labels.get(pair), labels)
    ]


def prediction_rows(run: Run, numbers: Sequence[int], references: Sequence[Reference]) -> list[Row]:
    """A page of the run's predictions with their pairs and the references' labels. Two queries."""
    found = run.predictions.filter(pk__in=numbers).select_related("pair").order_by("pair_id")
    return [
        Row(item, [_beside(item, reference, run.dataset.labels) for reference in references])
        for item in found.prefetch_related("pair__premises")
    ]


def _beside(item: Prediction, reference: Reference, labels: Sequence[str]) -> tuple[str | None, bool]:
    wanted = reference.labels.get(item.pair_id)
    return wanted, _differs(item.label, wanted, labels)


def _differs(said: str, wanted: str | None, labels: Sequence[str]) -> bool:
    if wanted is None:
        return False
    try:
        return said != fitted(wanted, labels)
    except LabelError:
        return False


def latest_runs(dataset: Dataset) -> list[Run]:
    """The newest run of each model that has predicted anything. Two queries."""
    newest = (
        Run.objects.filter(dataset=dataset, predictions__isnull=False)
        .values("model")
        .annotate(newest=Max("pk"))
        .values_list("newest", flat=True)
    )
    return list(Run.objects.filter(pk__in=list(newest)).select_related("model").order_by("model__name"))
