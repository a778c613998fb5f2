"""An answer for the next card: both in one transaction, so that whoever works through many pays for one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from apps.campaigns.models import Assignment, Judgement, Tally
from apps.campaigns.reasons import NothingNow
from apps.campaigns.services.handing_out import hand_out
from apps.campaigns.services.taking_in import Sent, take_in


@dataclass(frozen=True)
class Exchange:
    """The judgements taken in, their writer's tally after them, and what was handed out for them: leases,
    the reason for none, or nothing (None or []), which :func:`work_next` may still find or explain.
    ``at`` is when."""

    taken: list[Judgement]
    tally: Tally
    found: list[Assignment] | NothingNow | None
    at: datetime


@transaction.atomic
def work_exchange(*, campaign: int, sent: Mapping[Assignment, Sent]) -> Exchange:
    """:func:`judgements_submit`, and one try to hand out what comes next, which waits for no lock: those of
    the answered items are held."""
    taken, tally, now = take_in(campaign, sent)
    return Exchange(taken, tally, hand_out(tally, now, wait=False), now)
