"""What a study's page, and the page of a campaign's quality, say of the pairs that wait for a decision."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import ngettext

from apps.campaigns.models import Campaign
from apps.curation import adjudication
from apps.curation.adjudication import TIED
from apps.studies.access import within
from apps.studies.glance import Problem, Reading, Urgency
from apps.studies.models import Study
from apps.tallies.selectors import read

COUNTING = "curation.waiting"


def judging(study: Study) -> QuerySet[Campaign]:
    """The campaigns in which pairs are judged, not archived and begun."""
    campaigns = within(Campaign, study).filter(archived_at=None).exclude(task=Campaign.Task.CREATION)
    return campaigns.exclude(state=Campaign.State.DRAFT).order_by("pk")


def problems(study: Study, reading: Reading) -> list[Problem]:
    """By campaign. One query, and those of what is kept."""
    names = dict(judging(study).values_list("pk", "name"))
    if not names:
        return []
    found = reading.value(read(study, COUNTING, wait=reading.wait))
    tied = {pk: found.get(str(pk), {}).get(TIED, 0) for pk in names}
    return [
        Problem(
            "pairs-without-majority",
            Urgency.PAIRS,
            n,
            ngettext("pair without a majority", "pairs without a majority", n),
            f"{reverse('adjudication:queue', args=[study.slug, pk])}?kind={TIED}",
            names[pk],
        )
        for pk, n in tied.items()
        if n
    ]


def waiting(campaign: Campaign) -> dict[str, Any] | None:
    """How many pairs wait, by kind and in ``all``, and what was ``found`` of the counting; None where no
    pairs are judged."""
    if campaign.task == Campaign.Task.CREATION:
        return None
    found = adjudication.waiting(campaign)
    return {**(adjudication.counts(found.value) if found.is_there else {}), "found": found}


def waiting_counted(study: Study, _arguments: Mapping[str, Any]) -> dict[int, dict[str, int]]:
    """Of each campaign that judges: the pairs that wait, by kind."""
    numbers = judging(study).values_list("pk", flat=True)
    return {pk: adjudication.counts(adjudication.waiting_counted(study, {"campaign": pk})) for pk in numbers}
