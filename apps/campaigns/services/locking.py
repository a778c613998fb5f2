"""Locks, in the order that docs/developers.md gives."""

from __future__ import annotations

from typing import TypeVar

from django.db.models import Model, QuerySet

from apps.campaigns.models import Tally

M = TypeVar("M", bound=Model)


def lock(rows: QuerySet[M], *, skip: bool = False) -> QuerySet[M]:
    """The rows, locked until the transaction ends. SQLite has the whole database locked already."""
    return rows.select_for_update(of=("self",), no_key=True, skip_locked=skip)


def tally_lock(*, campaign: int, participant: int) -> Tally:
    """One participant's tally in one campaign, made on first need: locked, and its participant with it.

    One query.
    """
    rows = _locked(Tally.objects.filter(campaign=campaign, participant=participant))
    found = next(iter(rows), None)
    if found:
        return found
    Tally.objects.get_or_create(campaign_id=campaign, participant_id=participant)
    return rows.get()


def _locked(rows: QuerySet[Tally]) -> QuerySet[Tally]:
    rows = rows.select_related("participant")
    return rows.select_for_update(of=("self", "participant"), no_key=True)
