"""Handing work out: leases.

The rule: counted answers and live leases of an item never exceed the campaign's target at the moment
of a grant. It holds because a grant locks the item and only then, in a statement of its own, looks at
the leases again: a statement that waited for a lock, or skipped one, still sees the leases as they
were when it began.
"""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from typing import TypeVar

from django.db import transaction
from django.db.models import Max, Model, QuerySet

from apps.campaigns import selectors
from apps.campaigns.models import Assignment, Campaign, Item, Judgement
from apps.campaigns.selectors import NothingNow
from apps.studies import audit
from apps.studies.clock import database_now
from apps.studies.models import Participant

M = TypeVar("M", bound=Model)

# How often a grant tries again after somebody else took the item that it had in view.
_TRIES = 40


def assignment_next(*, campaign: Campaign, participant: Participant) -> Assignment | NothingNow:
    """What the participant does next in the campaign: the live lease they hold, else a new one.

    Without one, the reason in words. Nobody gets an item twice, or a pair they wrote themselves.
    Items come in an order drawn for each participant from the campaign's seed.
    """
    for attempt in range(_TRIES):
        # A transaction for each try, so that no lock is held while another one is waited for.
        with transaction.atomic():
            participant = lock(Participant.objects.filter(pk=participant.pk)).get()
            campaign = Campaign.objects.select_related("study").get(pk=campaign.pk)
            refusal = selectors.refusal_of(campaign, participant)
            if refusal:
                return refusal
            now = database_now()
            held = selectors.live_leases(now).filter(participant=participant, item__campaign=campaign)
            if lease := held.first():
                return lease
            item = _pick(campaign, participant, now, wait=bool(attempt % 2))
            if item and selectors.has_room(item, now):
                return _grant(item, participant, campaign, now)
        if item is None and attempt % 2:
            break
    return selectors.nothing_now(campaign, participant)


def lease_keep(*, assignment: Assignment) -> bool:
    """Keep a lease alive while its holder types; take it up again where it ran out and there is room.

    False where it ran out and others have the place now. What is sent all the same is kept.
    """
    campaign = assignment.item.campaign
    now = database_now()
    live = selectors.live_leases(now).filter(pk=assignment.pk)
    if live.update(expires_at=now + timedelta(minutes=campaign.lease_minutes)):
        return True
    with transaction.atomic():
        item = lock(Item.objects.filter(pk=assignment.item_id)).get()
        held = lock(Assignment.objects.filter(pk=assignment.pk)).select_related("participant").get()
        campaign = Campaign.objects.select_related("study").get(pk=item.campaign_id)
        if held.state == Assignment.State.SUBMITTED or selectors.refusal_of(campaign, held.participant):
            return False
        if not selectors.has_room(item, now):
            return False
        worked = max(min(now, held.expires_at) - held.shown_at, timedelta())
        _grant(item, held.participant, campaign, now, worked=worked)
        return True


def leases_expire() -> int:
    """Mark the leases that have run out; their slots were free from that moment on. Returns how many."""
    return Assignment.objects.filter(state=Assignment.State.LEASED, expires_at__lte=database_now()).update(
        state=Assignment.State.EXPIRED
    )


@transaction.atomic
def leases_release(*, participant: Participant) -> int:
    """Give a participant's live leases back, once. Returns how many."""
    count = Assignment.objects.filter(participant=participant, state=Assignment.State.LEASED).update(
        state=Assignment.State.RELEASED
    )
    if count:
        audit.record("leases.released", study=participant.study, participant=participant, count=count)
    return count


def lock(rows: QuerySet[M], *, skip: bool = False) -> QuerySet[M]:
    """The rows, locked until the transaction ends. SQLite has the whole database locked already."""
    return rows.select_for_update(of=("self",), no_key=True, skip_locked=skip)


def _pick(campaign: Campaign, participant: Participant, now: datetime, *, wait: bool) -> Item | None:
    """A free item for the participant, locked: the one query path of handing out.

    The search begins at a place drawn for this participant and turn, and goes round once. First
    past the items that others hold locked in this instant; ``wait`` waits for those.
    """
    free = selectors.free_items(campaign, participant, now).order_by("position")
    last = Item.objects.filter(campaign=campaign, is_complete=False).aggregate(last=Max("position"))["last"]
    if last is None:
        return None
    turn = Judgement.objects.filter(participant=participant, item__campaign=campaign).count()
    place = random.Random(f"{campaign.seed}:{participant.pk}:{turn}").randint(0, last)
    rows = lock(free, skip=not wait)
    return rows.filter(position__gte=place).first() or rows.filter(position__lt=place).first()


def _grant(
    item: Item,
    participant: Participant,
    campaign: Campaign,
    now: datetime,
    *,
    worked: timedelta = timedelta(),
) -> Assignment:
    """A lease on the locked item. A lease of the same two that ran out or was given back is used again;
    ``worked`` is what its holder had of it before, so that the minimum time does not begin anew."""
    times = {
        "state": Assignment.State.LEASED,
        "leased_at": now,
        "shown_at": now - worked,
        "expires_at": now + timedelta(minutes=campaign.lease_minutes),
    }
    if Assignment.objects.filter(item=item, participant=participant).update(**times):
        lease = Assignment.objects.get(item=item, participant=participant)
    else:
        lease = Assignment.objects.create(item=item, participant=participant, **times)
    audit.record(
        "assignment.leased", study=campaign.study, participant=participant, subject=lease, item=item.pk
    )
    return lease
