"""Campaigns' writes: handing out, taking in."""

from __future__ import annotations

from apps.campaigns.models import Assignment
from apps.studies.clock import database_now
from apps.studies.models import Participant


def leases_expire() -> int:
    """Mark the leases that have run out; their slots were free from that moment on. Returns how many."""
    return Assignment.objects.filter(state=Assignment.State.LEASED, expires_at__lte=database_now()).update(
        state=Assignment.State.EXPIRED
    )


def leases_release(*, participant: Participant) -> int:
    """Give a participant's live leases back, once. Returns how many."""
    return Assignment.objects.filter(participant=participant, state=Assignment.State.LEASED).update(
        state=Assignment.State.RELEASED
    )
