"""What a study's page says of agreement: the datasets on which people agree little."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from apps.comparison.agreement import alpha
from apps.comparison.judges import answer_tallies, judges_of
from apps.datasets.models import Dataset
from apps.studies.access import within
from apps.studies.glance import Problem, Reading, Urgency
from apps.studies.models import Study
from apps.tallies.selectors import read

#: Below this, by α and by AC1 (where labels are skewed, α is low though people agree), agreement is less than
#: moderate (Landis and Koch 1977).
LOW = 0.4
#: Of fewer pairs with two answers nothing is said.
PAIRS_AT_LEAST = 20


COUNTING = "dashboard.agreement-at-a-glance"


def problems(study: Study, reading: Reading) -> list[Problem]:
    """By dataset that is judged and not archived. One query, and those of what is kept."""
    names = dict(_judged(study).values_list("pk", "name"))
    if not names:
        return []
    found = reading.value(read(study, COUNTING, wait=reading.wait))
    told = ((pk, found.get(str(pk))) for pk in names)
    return [_problem(study, pk, names[pk], said) for pk, said in told if said and _is_low(said)]


def agreement_counted(study: Study, _arguments: Mapping[str, Any]) -> dict[int, dict[str, Any]]:
    """Of each dataset that is judged, by its usual judges (apps/comparison/judges.py): α (None where it is
    undefined), AC1 and the pairs with two answers or more."""
    found = {
        dataset.pk: alpha(answer_tallies(dataset, judges_of(dataset).looked_up()))
        for dataset in _judged(study)
    }
    return {pk: {"alpha": one.value, "ac1": one.ac1, "pairs": one.n} for pk, one in found.items()}


def _judged(study: Study) -> QuerySet[Dataset]:
    datasets = within(Dataset, study).filter(
        kind=Dataset.Kind.PAIRS, archived_at=None, campaigns__task__in=("validation", "likert")
    )
    return datasets.distinct().order_by("pk")


def _is_low(said: Mapping[str, Any]) -> bool:
    if said["alpha"] is None or said["pairs"] < PAIRS_AT_LEAST:
        return False
    return bool(max(said["alpha"], said["ac1"] or 0) < LOW)


def _problem(study: Study, pk: int, name: str, said: Mapping[str, Any]) -> Problem:
    return Problem(
        "agreement-low",
        Urgency.PAIRS,
        said["pairs"],
        _("people agree little"),
        reverse("dashboard:agreement", args=[study.slug, pk]),
        name,
        f"α {number_format(round(said['alpha'], 2), decimal_pos=2)}:",
    )
