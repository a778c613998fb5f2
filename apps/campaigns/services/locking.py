"""Locks, in the order that docs/developers.md gives."""

from __future__ import annotations

from typing import TypeVar, cast

from django.db.models import Model, QuerySet

from apps.campaigns.models import Tally
from apps.campaigns.statements import tally_locked

M = TypeVar("M", bound=Model)


def lock(rows: QuerySet[M], *, skip: bool = False) -> QuerySet[M]:
    """The rows, locked until the transaction ends. SQLite has the whole database locked already."""
    return rows.select_for_update(of=("self",), no_key=True, skip_locked=skip)


def tally_lock(*, campaign: int, participant: int) -> Tally:
    """One participant's tally in one campaign, made on first need: locked, and its participant with it.

    Two queries.
    """
    if found := tally_locked(campaign, participant):
        return found
    Tally.objects.get_or_create(campaign_id=campaign, participant_id=participant)
    return cast(Tally, tally_locked(campaign, participant))
