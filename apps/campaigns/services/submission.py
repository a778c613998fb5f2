"""Taking answers in: one judgement for an assignment, whatever is clicked twice or sent late."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import prefetch_related_objects

from apps.campaigns import gates, selectors
from apps.campaigns.card_sql import campaign_now, participant_locked
from apps.campaigns.events import judgements_tell
from apps.campaigns.guidelines import read_in
from apps.campaigns.models import Assignment, Campaign, Item, Judgement, Tally
from apps.campaigns.services.completion import item_settle
from apps.campaigns.services.locks import standing_lock
from apps.campaigns.services.model_loop import model_reply_request
from apps.campaigns.services.revision import revise, revision_of
from apps.campaigns.services.values import PageErrors, Sent, TooSoon, Value, checked, refuse_stale
from apps.campaigns.services.written_pairs import replacements_store
from apps.frame.rows import Change, insert_with
from apps.studies import audit
from apps.studies.models import Participant


def judgement_submit(
    *,
    assignment: Assignment,
    answer: str = "",
    replacements: Sequence[str] = (),
    skip_reason: str = "",
    note: str = "",
    rating: int | None = None,
    nonsense: bool = False,
) -> Judgement:
    """Take one assignment's answer in: :func:`judgements_submit` of one.

    ValidationError with the fields ``replacements-0`` …, ``answer``, ``rating``, ``skip_reason``, ``note``.
    """
    sent = Sent(answer, replacements, skip_reason, note, rating, nonsense)
    try:
        return judgements_submit(campaign=assignment.item.campaign_id, sent={assignment: sent})[0]
    except PageErrors as error:
        raise error.by_assignment[assignment.pk] from error


@transaction.atomic
def judgements_submit(*, campaign: int, sent: Mapping[Assignment, Sent]) -> list[Judgement]:
    """Take the answers of one participant's assignments of a campaign in, all or none of them.

    The same thing sent again changes nothing and gives the same judgement; something else sent for an
    answered assignment is a revision of it. A late answer is kept; it counts where the item still wants
    one. :class:`PageErrors` says what was refused of which assignment; :class:`TooSoon` comes before the
    minimum time of the set or the page (a skip may come at once).
    """
    if not sent:
        return []
    person = participant_locked(next(iter(sent)).participant_id)
    assignments = {held.item_id: held.pk for held in sent}
    return take_in(campaign, person, assignments, {held.pk: said for held, said in sent.items()})[0]


def take_in(
    campaign_pk: int, person: Participant, assignments: Mapping[int, int], sent: Mapping[int, Sent]
) -> tuple[list[Judgement], Tally, datetime]:
    """:func:`judgements_submit` in the caller's transaction, of a person who is locked: of their assignments
    by the numbers of the items. With the locked tally, and the time of sending."""
    standing = standing_lock(campaign=campaign_pk, person=person, items=sorted(assignments))
    tally, items = standing.tally, standing.items
    # Only now read anything: rows that a statement joins are as old as its start, and it may have waited.
    # Without the lock of an item nobody grants or answers an assignment of it.
    campaign, now, leases = campaign_now(campaign_pk, list(assignments.values()))
    tally.campaign = campaign
    if campaign.task == Campaign.Task.CREATION:
        prefetch_related_objects(list(items.values()), "blank__sentence")
    for lease in leases:
        lease.item, lease.participant = items[lease.item_id], person
        lease.item.campaign = campaign
    # A submitted assignment has its judgement, and no other has one.
    answered = [lease.pk for lease in leases if lease.state == Assignment.State.SUBMITTED]
    given = Judgement.objects.in_bulk(answered, field_name="assignment_id") if answered else {}
    values: dict[int, Value] = {}
    refused: dict[int, ValidationError] = {}
    for lease in leases:
        try:
            values[lease.pk] = checked(lease.item, sent[lease.pk])
            gates.refuse_texts(lease.item, lease.pk, values[lease.pk].texts)
            if there := given.get(lease.pk):
                refuse_stale(there, campaign, sent[lease.pk], values[lease.pk])
        except ValidationError as error:
            refused[lease.pk] = error
    if refused:
        raise PageErrors(refused)
    new = [lease for lease in leases if lease.pk not in given]
    for lease in leases:
        if judgement := given.get(lease.pk):
            judgement.assignment, judgement.item, judgement.participant = lease, lease.item, lease.participant
            revise(judgement, lease.item, values[lease.pk])
    if new:
        idle = max(sent[lease.pk].idle for lease in new)
        given |= {judgement.assignment_id: judgement for judgement in _take(new, values, tally, now, idle)}
    return [given[lease.pk] for lease in leases], tally, now


def _take(
    leases: Sequence[Assignment], values: Mapping[int, Value], tally: Tally, now: datetime, idle: float
) -> list[Judgement]:
    """First answers for assignments (with their locked items) of one campaign and participant."""
    campaign, participant = tally.campaign, tally.participant
    waited = min((now - lease.shown_at).total_seconds() for lease in leases)
    may_wait = any(not values[lease.pk].skip_reason for lease in leases)
    if may_wait and waited < campaign.minimum_seconds:
        raise TooSoon(math.ceil(campaign.minimum_seconds - waited))
    active, away = _seconds(min(leases, key=lambda lease: lease.expires_at), now, idle)
    taken = [
        Judgement(
            assignment=lease,
            item=lease.item,
            participant=participant,
            guideline=campaign.guideline,
            answer=values[lease.pk].answer,
            rating=values[lease.pk].rating,
            nonsense=values[lease.pk].nonsense,
            skip_reason=values[lease.pk].skip_reason,
            note=values[lease.pk].note,
            counted=not tally.sees_labels
            and not lease.is_own
            and _counts(lease, lease.item, values[lease.pk], now),
            could_see_labels=tally.sees_labels,
            predictions_shown=campaign.show_predictions,
            read_in=read_in(campaign.guideline.body),
            seconds=active / len(leases),
            idle_seconds=away / len(leases),
            submitted_at=now,
        )
        for lease in leases
    ]
    _count_for(tally, leases)
    for judgement in taken:
        _store(judgement, values[judgement.assignment_id], tally, is_last=judgement is taken[-1])
        replacements_store(judgement, judgement.item, values[judgement.assignment_id])
        if judgement.counted and campaign.maximum is not None:
            item_settle(item=judgement.item, campaign=campaign)
    judgements_tell(campaign, taken, now)
    for judgement in taken:
        if values[judgement.assignment_id].texts:
            model_reply_request(judgement=judgement, campaign=campaign)
        gates.tell(judgement)
    return taken


def _store(judgement: Judgement, value: Value, tally: Tally, *, is_last: bool) -> None:
    """A new judgement with its first revision and its place in the trail, and what changes with it: its
    assignment, its item, and (with the last of a page) its sender's tally. One query on PostgreSQL.

    Only where answers decide how many are wanted, the item is left for :func:`item_settle`, which looks at
    all of them.
    """
    campaign, lease, item = tally.campaign, judgement.assignment, judgement.item
    lease.state = Assignment.State.SUBMITTED
    changed: list[Change] = [(lease, ("state",))]
    if judgement.counted and campaign.maximum is None:
        item.counted += 1
        item.is_complete = item.counted >= item.wanted
        changed.append((item, ("counted", "is_complete")))
    if is_last:
        changed.append((tally, ("answered", "tests", "last")))
    event = audit.event_of(
        "judgement.submitted",
        study=campaign.study_id,
        participant=judgement.participant_id,
        subject=Judgement,
        counted=judgement.counted,
    )
    revision = revision_of(judgement, value, judgement.submitted_at)
    insert_with(judgement, new=[(revision, "judgement_id"), (event, "object_id")], changed=changed)


def _count_for(tally: Tally, leases: Sequence[Assignment]) -> None:
    """As many answers more for the participant; the last of them is the one that they may change."""
    tests = sum(1 for lease in leases if lease.item.is_test)
    tally.tests += tests
    tally.answered += len(leases) - tests
    tally.last = leases[-1]
    tally.leases -= sum(1 for lease in leases if lease.state == Assignment.State.LEASED)


def _seconds(held: Assignment, now: datetime, idle: float) -> tuple[float, float]:
    """The seconds of work from the showing to the sending, and the others: those that the page says, and
    those after the lease, which somebody at work keeps. A tab left open is not work."""
    whole = max(0.0, (now - held.shown_at).total_seconds())
    held_for = max(0.0, (held.expires_at - held.shown_at).total_seconds())
    active = min(max(0.0, whole - max(0.0, idle)), held_for)
    return active, whole - active


def _counts(held: Assignment, item: Item, value: Value, now: datetime) -> bool:
    """Whether the answer counts: always on a live lease (its place was kept, unless the target was
    lowered since), and late where neither an answer nor somebody's lease has taken the place. Never a
    skip where the campaign says that skips don't count."""
    if item.is_test or item.campaign.state == Campaign.State.CLOSED or held.participant.blocked_at:
        return False
    if value.is_skip and not item.campaign.skips_count:
        return False
    if held.state == Assignment.State.LEASED and held.expires_at > now:
        return item.counted < item.wanted
    return selectors.has_room(item, now, beside=held)
