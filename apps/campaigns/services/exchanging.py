"""An answer for the next card: both in one transaction, so that whoever works through many pays for one."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass

from django.db import DatabaseError, transaction

from apps.campaigns.models import Assignment, Judgement, Tally
from apps.campaigns.reasons import NothingNow
from apps.campaigns.services.handing_out import hand_out
from apps.campaigns.services.taking_in import Sent, take_in

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Exchange:
    """The judgements taken in, their writer's tally after them, and what was handed out for them: leases,
    the reason for none, or nothing (None or []), which :func:`work_next` may still find or explain."""

    taken: list[Judgement]
    tally: Tally
    found: list[Assignment] | NothingNow | None = None


@transaction.atomic
def work_exchange(*, campaign: int, sent: Mapping[Assignment, Sent]) -> Exchange:
    """:func:`judgements_submit`, and one try to hand out what comes next.

    The try waits for no lock, since those of the answered items are held. Where it fails, the answers
    stay taken in all the same.
    """
    taken, tally = take_in(campaign, sent)
    try:
        with transaction.atomic():
            return Exchange(taken, tally, hand_out(tally, wait=False))
    except DatabaseError:
        logger.exception("nothing could be handed out after judgement %s", taken[-1].pk)
        return Exchange(taken, tally)
