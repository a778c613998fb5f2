"""What a study's page says of agreement: the datasets on which people agree little."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext as _

from apps.comparison.agreement import alpha
from apps.comparison.judges import answer_tallies, judges_of
from apps.datasets.models import Dataset
from apps.studies.access import within
from apps.studies.glance import Problem, Urgency
from apps.studies.models import Study

#: Below this, by α and by AC1 (where labels are skewed, α is low though people agree), agreement is less than
#: moderate (Landis and Koch 1977).
LOW = 0.4
#: Of fewer pairs with two answers nothing is said.
PAIRS_AT_LEAST = 20


def problems(study: Study) -> list[Problem]:
    """By dataset that is judged and not archived; the usual judges (apps/comparison/judges.py)."""
    datasets = within(Dataset, study).filter(
        kind=Dataset.Kind.PAIRS, archived_at=None, campaigns__task__in=("validation", "likert")
    )
    return [found for dataset in datasets.distinct().order_by("pk") if (found := _low(study, dataset))]


def _low(study: Study, dataset: Dataset) -> Problem | None:
    found = alpha(answer_tallies(dataset, judges_of(dataset)))
    value = found.value
    if value is None or found.n < PAIRS_AT_LEAST or max(value, found.ac1 or 0) >= LOW:
        return None
    return Problem(
        "agreement-low",
        Urgency.PAIRS,
        found.n,
        _("people agree little"),
        reverse("dashboard:agreement", args=[study.slug, dataset.pk]),
        dataset.name,
        found.text,
    )
