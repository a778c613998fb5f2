"""What others may want to hear of campaigns: their answers, and that a campaign has all of them.

The last two answers may come in side by side, each in a transaction that can't see the other; so no answer
can know that it was the last. It is looked for instead (:mod:`apps.webhooks.watches`).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db.models import Exists, OuterRef, QuerySet, Sum

from apps.campaigns.models import Campaign, Item, Judgement
from apps.frame.clock import database_now
from apps.webhooks.events import EventType, event_record_once, events_record


def judgements_tell(campaign: Campaign, judgements: Sequence[Judgement], now: datetime) -> None:
    """Numbers alone; answers to test questions, which nobody may tell from the others, are left out."""
    events_record(
        EventType.JUDGEMENT_SUBMITTED,
        study=campaign.study,
        at=now,
        data=(
            {
                "campaign": campaign.pk,
                "item": judgement.item_id,
                "judgement": judgement.pk,
                "annotator": judgement.participant.pseudonym,
                "revision": judgement.revision,
                "counted": judgement.counted,
            }
            for judgement in judgements
            if not judgement.item.is_test
        ),
    )


def look_for_finished(studies: set[int]) -> None:
    """Record ``campaign.finished`` for open campaigns of the studies that are complete, or out of time.

    Each once; complete anew after more items or a higher target is told anew.
    """
    now = database_now()
    for campaign in _complete(studies):
        wanted = campaign.items.filter(is_test=False).aggregate(wanted=Sum("wanted"))["wanted"]
        event_record_once(
            EventType.CAMPAIGN_FINISHED,
            study=campaign.study,
            at=now,
            key=f"campaign:{campaign.pk}:complete:{wanted}",
            data={"campaign": campaign.pk, "reason": "complete"},
        )
    late = Campaign.objects.filter(study__in=studies, state=Campaign.State.OPEN, closes_at__lte=now)
    for campaign in late.select_related("study"):
        event_record_once(
            EventType.CAMPAIGN_FINISHED,
            study=campaign.study,
            at=now,
            key=f"campaign:{campaign.pk}:time:{campaign.closes_at:%Y%m%dT%H%M%S}",
            data={"campaign": campaign.pk, "reason": "time"},
        )


def _complete(studies: set[int]) -> QuerySet[Campaign]:
    items = Item.objects.filter(campaign=OuterRef("pk"), is_test=False)
    return Campaign.objects.filter(
        Exists(items), ~Exists(items.filter(is_complete=False)), study__in=studies, state=Campaign.State.OPEN
    ).select_related("study")
