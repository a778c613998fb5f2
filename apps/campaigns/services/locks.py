"""Locks, in the order that docs/developers.md gives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar, cast

from django.db.models import Model, QuerySet

from apps.campaigns.card_sql import Standing, participant_locked, standing_locked, tally_locked
from apps.campaigns.models import Tally
from apps.studies.models import Participant

M = TypeVar("M", bound=Model)


def lock(rows: QuerySet[M], *, skip: bool = False) -> QuerySet[M]:
    """The rows, locked until the transaction ends. SQLite has the whole database locked already."""
    return rows.select_for_update(of=("self",), no_key=True, skip_locked=skip)


def tally_lock(*, campaign: int, participant: int) -> Tally:
    """One participant's tally in one campaign, made on first need: locked, and its participant before it,
    so that what it says of their leases is as old as their last piece of work. Two queries."""
    person = participant_locked(participant)
    if found := tally_locked(campaign, person):
        return found
    Tally.objects.get_or_create(campaign_id=campaign, participant_id=participant)
    return cast(Tally, tally_locked(campaign, person))


def standing_lock(*, campaign: int, person: Participant, items: Sequence[int]) -> Standing:
    """The tally of somebody (locked before), made on first need, and the items of answers. One query."""
    if found := standing_locked(campaign, person, items):
        return found
    Tally.objects.get_or_create(campaign_id=campaign, participant_id=person.pk)
    return cast(Standing, standing_locked(campaign, person, items))
