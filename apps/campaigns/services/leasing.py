"""Handing work out: leases.

The rule: counted answers and live leases of an item never exceed what it wants (its target in force)
at the moment of a grant. It holds because a grant locks the item and only then, in a statement of its
own, looks at the leases again: a statement that waited for a lock, or skipped one, still sees the
leases as they were when it began.
"""

from __future__ import annotations

import random
import uuid
from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now

from apps.campaigns import gates, selectors
from apps.campaigns.card_sql import (
    Lock,
    assignments_of,
    campaign_now,
    free_items,
    granted,
    live_leases_of,
    participant_locked,
)
from apps.campaigns.models import Assignment, Campaign, Item, Tally
from apps.campaigns.reasons import NothingNow
from apps.campaigns.services.locks import lock, tally_lock
from apps.frame.clock import database_now
from apps.studies import audit
from apps.studies.models import Participant

# A lease with less than this left is kept under its item's lock.
_SURELY_LIVE = timedelta(seconds=10)
_SWEPT_AT_ONCE = 10_000
# How often a grant tries again after somebody else took the item that it had in view.
_TRIES = 40


def assignment_next(*, campaign: Campaign, participant: Participant) -> Assignment | NothingNow:
    """The first of what :func:`work_next` hands out: with one question a page, all of it."""
    found = work_next(campaign=campaign, participant=participant)
    return found if isinstance(found, NothingNow) else found[0]


def work_next(*, campaign: Campaign, participant: Participant) -> list[Assignment] | NothingNow:
    """What the participant does next in the campaign: the live leases they hold, else new ones, as many
    as the campaign has questions on a page.

    Without any, the reason in words. Nobody gets an item twice, or a pair they wrote themselves, or
    more than the campaign's cap. Items come in an order drawn for each participant from the campaign's
    seed, or in the campaign's own.
    """
    for attempt in range(_TRIES):
        wait = bool(attempt % 2)
        # A transaction for each try, so that no lock is held while another one is waited for.
        with transaction.atomic():
            tally = tally_lock(campaign=campaign.pk, participant=participant.pk)
            tally.campaign, now, _leases = campaign_now(campaign.pk)
            found = hand_out(tally, now, wait=wait)
        if found or (found is None and wait):
            break
    found = found or selectors.nothing_now(campaign, participant)
    if isinstance(found, NothingNow):
        gates.tell_refused(campaign, participant, found)
    return found


def hand_out(tally: Tally, now: datetime, *, wait: bool) -> list[Assignment] | NothingNow | None:
    """One try for the holder of a locked tally (with the campaign as it is now): leases, or the reason for
    none; [] where somebody else took what was in view, None where nothing was. Without ``wait`` it waits
    for no lock."""
    campaign, participant = tally.campaign, tally.participant
    refusal = selectors.refusal_of(campaign, participant, now)
    if refusal:
        return refusal
    if tally.leases and (leases := live_leases_of(campaign, participant, now)):
        return leases
    cap = selectors.places_left(campaign, tally.answered)
    count = campaign.page_size if cap is None else min(campaign.page_size, cap)
    items = _pick(tally, now, count=count, wait=wait)
    if not items:
        return None
    chosen = gates.mixed(items, campaign, participant)
    # Without work there are no test questions, and what the picking saw may be older than its locks.
    if chosen != items and not _still_free(items, now):
        return []
    return _grant(chosen, participant, campaign, now)


def lease_keep(*, assignment: Assignment) -> bool:
    """:func:`leases_keep` of one: False where it ran out and others have the place now."""
    return bool(leases_keep(assignments=[assignment]))


def leases_keep(*, assignments: Sequence[Assignment]) -> set[int]:
    """Keep the leases of one page alive while their holder works; take those up again that ran out where
    there is room.

    Returns the numbers of those that are the holder's now. What is sent for the others all the same is
    kept.
    """
    campaign = assignments[0].item.campaign
    pks = {assignment.pk for assignment in assignments}
    # Without a lock only what can't run out meanwhile: the place of a lease that did may be others' by now.
    sure = Assignment.objects.filter(
        pk__in=pks, state=Assignment.State.LEASED, expires_at__gt=Now() + _SURELY_LIVE
    )
    if _prolonged(sure, len(pks), campaign):
        return pks
    with transaction.atomic():
        items = list(lock(Item.objects.filter(assignments__in=pks)).order_by("pk"))
        held = list(lock(Assignment.objects.filter(pk__in=pks)).select_related("participant").order_by("pk"))
        campaign = Campaign.objects.get(pk=campaign.pk)
        now = database_now()
        live = selectors.live_leases(now).filter(pk__in=pks)
        kept = set(live.values_list("pk", flat=True))
        live.update(expires_at=now + timedelta(minutes=campaign.lease_minutes))
        if selectors.refusal_of(campaign, held[0].participant, now):
            return kept
        room = selectors.with_room(items, now)
        again = [
            lease
            for lease in held
            if lease.pk not in kept and lease.state != Assignment.State.SUBMITTED and lease.item_id in room
        ]
        if again:
            taken = {lease.item_id for lease in again}
            _grant(
                [item for item in items if item.pk in taken],
                again[0].participant,
                campaign,
                now,
                worked=min(max(min(now, lease.expires_at) - lease.shown_at, timedelta()) for lease in again),
                page=again[0].page,
            )
        return kept | {lease.pk for lease in again}


def _prolonged(leases: QuerySet[Assignment], wanted: int, campaign: Campaign) -> bool:
    """Whether these leases are as many as ``wanted``; then they run anew. Of several, nobody's lock is waited
    for: rows of one statement are locked in any order, and an answer may be about to take them in its own."""
    until = Now() + timedelta(minutes=campaign.lease_minutes)
    if wanted == 1:
        return leases.update(expires_at=until) == 1
    with transaction.atomic():
        free = list(lock(leases, skip=True).values_list("pk", flat=True))
        if len(free) < wanted:
            return False
        return Assignment.objects.filter(pk__in=free).update(expires_at=until) == wanted


def leases_expire() -> int:
    """Mark the leases that have run out; their slots were free from that moment on. Returns how many.

    What somebody has locked in this moment is left for the next time: nobody waits for the sweeper.
    """
    over = Assignment.objects.filter(state=Assignment.State.LEASED, expires_at__lte=database_now())
    with transaction.atomic():
        free = list(lock(over, skip=True).values_list("pk", flat=True)[:_SWEPT_AT_ONCE])
        return Assignment.objects.filter(pk__in=free).update(state=Assignment.State.EXPIRED)


@transaction.atomic
def leases_release(*, participant: Participant) -> int:
    """Give a participant's live leases back, once. Returns how many."""
    participant_locked(participant.pk)  # as whoever takes an answer of theirs in does, before the leases
    count = Assignment.objects.filter(participant=participant, state=Assignment.State.LEASED).update(
        state=Assignment.State.RELEASED
    )
    if count:
        audit.record("leases.released", study=participant.study, participant=participant, count=count)
    return count


def _pick(tally: Tally, now: datetime, *, count: int, wait: bool) -> list[Item]:
    """Up to ``count`` free items for the tally's holder, locked.

    The search begins at a place drawn for this participant and turn (in a fixed order at the first
    item), and goes round once, past the items that others hold locked in this instant.

    ``wait`` waits for one of those, from the first item on: an item that is not free any more once it was
    waited for stays locked, so that who waits for the next one must go in the order of everybody else.
    """
    campaign, participant = tally.campaign, tally.participant
    last = tally.last_open
    if count < 1 or last is None:
        return []
    search = partial(free_items, campaign, participant, now, lock=Lock.WAIT if wait else Lock.SKIP)
    if wait or campaign.order == Campaign.Order.FIXED:
        return search(first=0, last=last, count=1 if wait else count)
    place = random.Random(f"{campaign.seed}:{participant.pk}:{tally.answered}").randint(0, last)
    found = search(first=place, last=last, count=count)
    if len(found) == count:
        return found
    return found + search(first=0, last=place - 1, count=count - len(found))


def _still_free(items: Sequence[Item], now: datetime) -> list[Item]:
    """Those of the locked items that want one more answer than they have and than others are at."""
    live = [held for held in assignments_of(items) if held.state == Assignment.State.LEASED]
    held = Counter(lease.item_id for lease in live if lease.expires_at > now)
    return [item for item in items if item.counted + held[item.pk] < item.wanted]


def _grant(
    items: Sequence[Item],
    participant: Participant,
    campaign: Campaign,
    now: datetime,
    *,
    worked: timedelta = timedelta(),
    page: uuid.UUID | None = None,
) -> list[Assignment]:
    """Leases on those of the locked items that have room. The locked rows are new, but the leases that the
    picking saw may be older than the lock: the statement that grants looks at them again.

    ``worked`` is what the holder had of the lease before, so that the minimum time does not begin anew, and
    ``page`` the page that it stood on.
    """
    if page is None and campaign.page_size > 1:
        page = uuid.uuid4()
    until = now + timedelta(minutes=campaign.lease_minutes)
    numbers = granted(items, participant, at=now, shown=now - worked, until=until, page=page)
    by_number = {item.pk: item for item in items}
    leases = [
        Assignment(
            pk=pk,
            item=by_number[item],
            participant=participant,
            state=Assignment.State.LEASED,
            leased_at=now,
            shown_at=now - worked,
            expires_at=until,
            page=page,
        )
        for pk, item in sorted(numbers)
    ]
    for lease in leases:
        lease._state.adding = False
        lease.item.campaign = campaign
    return leases
