"""What a study's page says of the pairs that wait for a decision: those without a majority."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import ngettext

from apps.campaigns.models import Campaign
from apps.curation.adjudication import TIED, counts
from apps.studies.access import within
from apps.studies.glance import Problem, Urgency
from apps.studies.models import Study


def problems(study: Study) -> list[Problem]:
    """By campaign in which pairs are judged, not archived and begun."""
    campaigns = (
        within(Campaign, study)
        .filter(archived_at=None)
        .exclude(task=Campaign.Task.CREATION)
        .exclude(state=Campaign.State.DRAFT)
    )
    return [
        Problem(
            "pairs-without-majority",
            Urgency.PAIRS,
            n,
            ngettext("pair without a majority", "pairs without a majority", n),
            f"{reverse('adjudication:queue', args=[study.slug, campaign.pk])}?kind={TIED}",
            campaign.name,
        )
        for campaign in campaigns.select_related("dataset", "study").order_by("pk")
        if (n := counts(campaign)[TIED])
    ]
