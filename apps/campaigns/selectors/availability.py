"""Whether there is work for somebody in a campaign, and why not."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from datetime import datetime

from django.db.models import Count, Exists, Min, OuterRef, Q, QuerySet

from apps.campaigns import gates
from apps.campaigns.card_sql import left_up_to
from apps.campaigns.models import Assignment, Campaign, Item, Judgement
from apps.campaigns.own_pairs import not_own
from apps.campaigns.reasons import NothingNow
from apps.frame.clock import database_now
from apps.studies.access import RESEARCH
from apps.studies.models import Membership, Participant


def refusal_of(campaign: Campaign, participant: Participant, now: datetime) -> NothingNow | None:
    """Why the campaign gives nothing to this participant, whatever is left in it."""
    if campaign.state != Campaign.State.OPEN:
        return NothingNow(campaign.state)
    if campaign.opens_at and now < campaign.opens_at:
        return NothingNow("not-yet", at=campaign.opens_at)
    if campaign.closes_at and now >= campaign.closes_at:
        return NothingNow("over")
    if participant.blocked_at or participant.erased_at:
        return NothingNow("blocked")
    return gates.refusal_of(campaign, participant)


def places_left(campaign: Campaign, answered: int) -> int | None:
    """How many more answers somebody with ``answered`` ones may give; None where there is no cap."""
    return None if campaign.cap is None else max(0, campaign.cap - answered)


def answered_by(campaign: Campaign, participant: Participant) -> int:
    """How many answers somebody gave to the campaign's items; test questions are not asked for."""
    given = Judgement.objects.filter(participant=participant, item__campaign=campaign)
    return given.filter(item__is_test=False).count()


def live_leases(now: datetime) -> QuerySet[Assignment]:
    return Assignment.objects.filter(state=Assignment.State.LEASED, expires_at__gt=now)


def items_left_for(participant: Participant) -> QuerySet[Item]:
    """Incomplete items that the participant has not answered and did not write, in any campaign."""
    answered = Assignment.objects.filter(
        item=OuterRef("pk"), participant=participant, state=Assignment.State.SUBMITTED
    )
    return Item.objects.filter(~Exists(answered), not_own(participant), is_complete=False)


def judged_among(pairs: Collection[int], participant: Participant) -> set[int]:
    """Those of the pairs that the participant has judged, or whose twin. One query."""
    judged = Judgement.objects.filter(participant=participant, counted=True, item__is_test=False)
    same, twin = Q(item__pair__in=pairs), Q(item__pair__swapped_from__in=pairs)
    found = judged.filter(same | twin).values_list("item__pair", "item__pair__swapped_from")
    return {pk for row in found for pk in row if pk is not None and pk in pairs}


def with_room(items: Sequence[Item], now: datetime, *, beside: Assignment | None = None) -> set[int]:
    """The numbers of those items that want one more answer than they have and than others are at.

    Reads afresh, in one query. ``beside`` is an assignment that does not count as somebody at it.
    """
    live = Q(assignments__state=Assignment.State.LEASED, assignments__expires_at__gt=now)
    if beside:
        live &= ~Q(assignments__pk=beside.pk)
    rows = (
        Item.objects.filter(pk__in=[item.pk for item in items])
        .exclude(campaign__state=Campaign.State.CLOSED)
        .annotate(held=Count("assignments", filter=live))
        .values_list("pk", "counted", "held", "wanted")
    )
    return {pk for pk, counted, held, wanted in rows if counted + held < wanted}


def has_room(item: Item, now: datetime, *, beside: Assignment | None = None) -> bool:
    """:func:`with_room` of one item."""
    return item.pk in with_room([item], now, beside=beside)


def nothing_now(campaign: Campaign, participant: Participant) -> NothingNow:
    """The reason why a participant got nothing; up to six queries."""
    campaign = Campaign.objects.get(pk=campaign.pk)
    now = database_now()
    refusal = refusal_of(campaign, participant, now)
    if refusal:
        return refusal
    if places_left(campaign, answered_by(campaign, participant)) == 0:
        return NothingNow("cap")
    if not Item.objects.filter(campaign=campaign, is_complete=False).exists():
        return NothingNow("all-done")
    left = items_left_for(participant).filter(campaign=campaign)
    if not left.exists():
        return NothingNow("own" if _wrote_among_open(campaign, participant) else "yours-done")
    soonest = live_leases(now).filter(item__in=left).aggregate(at=Min("expires_at"))["at"]
    minutes = math.ceil((soonest - now).total_seconds() / 60) if soonest else 1
    return NothingNow("others", max(1, minutes))


def _wrote_among_open(campaign: Campaign, participant: Participant) -> bool:
    """Whether what is still open in a campaign are pairs that the participant wrote."""
    return Item.objects.filter(~not_own(participant), campaign=campaign, is_complete=False).exists()


def has_work(campaign: Campaign, participant: Participant) -> bool:
    """Whether anything in the campaign may be given to the participant, now or when others have let go.
    Up to four queries."""
    if refusal_of(campaign, participant, database_now()):
        return False
    if places_left(campaign, answered_by(campaign, participant)) == 0:
        return False
    return left_up_to(1, campaign, participant) > 0


def sees_labels(participant: Participant) -> bool:
    """Whether whoever answers can look at labels, so that the answers never count. One query."""
    members = Membership.objects.filter(study=participant.study_id, user=participant.user_id)
    return participant.user_id is not None and members.filter(role__in=RESEARCH).exists()


def personal_refusal_of(campaign: Campaign, participant: Participant) -> NothingNow | None:
    """Why somebody gets nothing from a campaign, where the reason is about them; who is only to be asked
    first is not refused yet."""
    if participant.blocked_at or participant.erased_at:
        return NothingNow("blocked")
    found = gates.refusal_of(campaign, participant)
    return None if found and found.reason == "declare" else found
