"""An answer for the next card: both in one transaction, so that whoever works through many pays for one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from apps.campaigns.card_sql import Place, Where, sheet_locked
from apps.campaigns.models import Assignment, Judgement, Tally
from apps.campaigns.reasons import NothingNow
from apps.campaigns.services.leasing import hand_out
from apps.campaigns.services.submission import take_in
from apps.campaigns.services.values import Sent


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
def work_exchange(
    *, where: Where, read: Callable[[Sequence[Place]], Mapping[int, Sent]], onward: bool = True
) -> Exchange | None:
    """:func:`judgements_submit` for what stands at an address, and (``onward``) one try to hand out what
    comes next, which waits for no lock: those of the answered items are held.

    ``read`` says what was sent for each. None where there is nothing of the asker's at the address.
    """
    held = sheet_locked(where)
    if held is None:
        return None
    person, places = held
    sent = read(places)
    taken, tally, now = take_in(where.campaign, person, {place.item_id: place.pk for place in places}, sent)
    return Exchange(taken, tally, hand_out(tally, now, wait=False) if onward else None, now)
