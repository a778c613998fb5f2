"""Counting, and counting again: for who looks, by the sweeper, and at night to see that nothing differs."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from django.utils import timezone

from apps.jobs.models import Job
from apps.jobs.services import job_again, job_start
from apps.jobs.wording import wording
from apps.tallies.changes import changes_fold, stamp
from apps.tallies.counting import Counting, counting_named
from apps.tallies.limits import TookTooLong, at_most, room_to_sort
from apps.tallies.models import KeptTally

logger = logging.getLogger(__name__)

JOB = "tally"
# A number that nobody looks at is not kept up to date, and is forgotten at last.
LOOKED_AT = timedelta(minutes=5)
COMPARED = timedelta(days=7)
FORGOTTEN = timedelta(days=30)
# While answers come in, a number is counted again so often.
PAUSE = timedelta(seconds=30)


@dataclass(frozen=True)
class Counted:
    """A value, the rows that it was counted over, when they were so, and how many seconds it took."""

    value: Any
    stamp: str
    as_of: datetime
    seconds: float


def count(tally: KeptTally) -> Counted:
    """Count now; nothing is written. The stamp is read before the rows: what changes meanwhile is missed by
    both, never by the value alone."""
    counting = counting_named(tally.name)
    as_of, begun = timezone.now(), time.monotonic()
    now = stamp(tally.study, counting.reads)
    with room_to_sort():
        value = plain(counting.compute(tally.study, tally.arguments))
    return Counted(value, now.text, as_of, time.monotonic() - begun)


def count_within(tally: KeptTally, seconds: float) -> Counted | None:
    """:func:`count`, given up after so many seconds: None then."""
    try:
        with at_most(seconds):
            return count(tally)
    except TookTooLong:
        return None


def plain(value: Any) -> Any:
    """As it comes back from the database."""
    return json.loads(json.dumps(value, cls=DjangoJSONEncoder, allow_nan=False))


def tally_keep(*, tally: KeptTally, counted: Counted) -> None:
    """Keep a value, unless a newer one is kept already. One that the same rows gave otherwise is an error."""
    with transaction.atomic():
        held = KeptTally.objects.select_for_update().filter(pk=tally.pk).first()
        if held is None or (held.as_of is not None and held.as_of > counted.as_of):
            return
        if held.as_of is not None and held.stamp == counted.stamp and held.value != counted.value:
            held.differed_at = timezone.now()
            logger.error(
                "tally %s (%s) of study %s came to something else", held.pk, held.name, held.study_id
            )
        held.value, held.stamp = counted.value, counted.stamp
        held.as_of, held.seconds = counted.as_of, counted.seconds
        held.save(update_fields=["value", "stamp", "as_of", "seconds", "differed_at"])


def tally_order(*, tally: KeptTally, counting: Counting) -> Job:
    """A job that counts it: the one that waits or works, else the same one once more. A job that failed a
    moment ago is left alone, so that its error can be read."""
    with transaction.atomic():
        held = KeptTally.objects.select_for_update(of=("self",)).select_related("job").get(pk=tally.pk)
        job = held.job
        if job is None:
            title = wording(counting.title)
            job = job_start(study=held.study, kind=JOB, title=title, actor=None, tally=held.pk)
            held.job = job
            held.save(update_fields=["job"])
        elif job.is_over and not _failed_just_now(job):
            job = job_again(job=job)
    return job


def _failed_just_now(job: Job) -> bool:
    ended = job.finished_at
    return job.state != Job.State.DONE and ended is not None and timezone.now() - ended < 2 * PAUSE


# ---- Now and then --------------------------------------------------------------------------------


def tallies_refresh() -> int:
    """The sweeper: what is looked at and doesn't stand any more is counted again. How many were ordered."""
    changes_fold()
    now = timezone.now()
    looked_at = KeptTally.objects.filter(viewed_at__gte=now - LOOKED_AT, as_of__lt=now - PAUSE)
    ordered = 0
    for tally, counting in _known(looked_at.select_related("study")):
        if stamp(tally.study, counting.reads).text != tally.stamp:
            tally_order(tally=tally, counting=counting)
            ordered += 1
    return ordered


def tallies_compare() -> int:
    """Once a night: what was looked at this week is counted again, whether or not anything changed; what
    nobody has looked at for long is forgotten. How many were ordered."""
    now = timezone.now()
    KeptTally.objects.filter(viewed_at__lt=now - FORGOTTEN).delete()
    looked_at = KeptTally.objects.filter(viewed_at__gte=now - COMPARED).select_related("study")
    ordered = 0
    for tally, counting in _known(looked_at):
        tally_order(tally=tally, counting=counting)
        ordered += 1
    return ordered


def _known(tallies: Iterable[KeptTally]) -> Iterable[tuple[KeptTally, Counting]]:
    """Those whose counting this version still has."""
    for tally in tallies:
        try:
            yield tally, counting_named(tally.name)
        except KeyError:
            continue
