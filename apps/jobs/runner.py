"""Running a job: claim it, then chunk after chunk, each stored with the cursor in one transaction.

A worker killed between chunks loses nothing; killed within one, it has stored nothing of it. Whoever
takes the job up begins at the cursor. docs/developers.md has the state diagram.
"""

from __future__ import annotations

import logging
import uuid
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from apps.jobs.kinds import Chunk, JobDelayed, JobError, Kind, ended_undone, kind_named
from apps.jobs.models import Job, JobFailure
from apps.jobs.services import MAXIMUM_ATTEMPTS

logger = logging.getLogger(__name__)


def run(pk: int) -> None:
    """Work on job ``pk`` until it is over, unless somebody else is at it."""
    claim = _claim(pk)
    if claim is None:
        return
    job = Job.objects.select_related("study").get(pk=pk)
    with translation.override(job.language or settings.LANGUAGE_CODE):
        _work(job, claim)


def _work(job: Job, claim: str) -> None:
    """Chunk after chunk, until the job is over or somebody else's."""
    pk = job.pk
    try:
        kind = kind_named(job.kind)
        if job.cursor == 0:
            total = kind.total(job)
            Job.objects.filter(pk=pk, claim=claim).update(total=total, heartbeat_at=timezone.now())
        while True:
            job.refresh_from_db()
            if job.claim != claim or job.state != Job.State.RUNNING:
                return
            chunk = None if job.cancel_requested else kind.work(job)
            if not _store(job, kind, chunk, claim):
                return
    except JobError as error:
        _give_up(pk, claim, str(error))
    except JobDelayed as error:
        _delay(pk, claim, str(error))
    except Exception as error:
        logger.exception("job %s failed", pk)
        _give_up(pk, claim, f"{type(error).__name__}: {error}", retry=True)


def _claim(pk: int) -> str | None:
    """Take the job if it waits or its worker is silent for too long; one UPDATE decides who gets it."""
    now = timezone.now()
    silent = Q(heartbeat_at=None) | Q(heartbeat_at__lt=now - timedelta(seconds=settings.JOB_STALL_SECONDS))
    free = Q(state=Job.State.QUEUED) | (Q(state=Job.State.RUNNING) & silent)
    claim = uuid.uuid4().hex
    taken = Job.objects.filter(free, pk=pk).update(
        state=Job.State.RUNNING, claim=claim, heartbeat_at=now, attempts=F("attempts") + 1
    )
    if not taken:
        return None
    Job.objects.filter(pk=pk, started_at=None).update(started_at=now)
    job = Job.objects.get(pk=pk)
    if job.attempts > MAXIMUM_ATTEMPTS:
        with translation.override(job.language or settings.LANGUAGE_CODE):
            text = _("Given up after %(n)d attempts; each time the worker died or failed.")
            _give_up(pk, claim, text % {"n": MAXIMUM_ATTEMPTS})
        return None
    return claim


def _store(job: Job, kind: Kind, chunk: Chunk | None, claim: str) -> bool:
    """Store a chunk, or end the job. False when the job is over or belongs to somebody else now."""
    with transaction.atomic():
        held = Job.objects.select_for_update().select_related("study").get(pk=job.pk)
        if held.claim != claim or held.state != Job.State.RUNNING:
            return False
        held.heartbeat_at = timezone.now()
        held.error = ""  # whatever delayed the job is over
        if held.cancel_requested:
            held.state, held.finished_at = Job.State.CANCELLED, timezone.now()
            held.save()
            ended_undone(held)
            return False
        if chunk is None:
            held.result = kind.finish(held)
            held.state, held.finished_at = Job.State.DONE, timezone.now()
            held.save()
            return False
        kind.store(held, chunk)
        JobFailure.objects.bulk_create(
            [JobFailure(job=held, item=f.item, text=f.text, message=f.message) for f in chunk.failures],
            ignore_conflicts=True,
        )
        held.cursor = chunk.next_cursor
        held.done += chunk.count
        held.failed += len(chunk.failures)
        held.attempts = 1  # progress was made: a later death is a new misfortune, not the same one
        held.save()
        return True


def _delay(pk: int, claim: str, message: str) -> None:
    """Queue the job again with the reason: waiting for something outside is no attempt of its own."""
    held = Job.objects.filter(pk=pk, claim=claim)
    with transaction.atomic():
        cancelled = held.filter(cancel_requested=True)
        if cancelled.update(state=Job.State.CANCELLED, finished_at=timezone.now()):
            ended_undone(held.select_related("study").get())
    held.filter(cancel_requested=False).update(
        state=Job.State.QUEUED, error=message[:2000], attempts=F("attempts") - 1
    )


def _give_up(pk: int, claim: str, message: str, *, retry: bool = False) -> None:
    """Record why. A crash is tried again by the sweeper, up to the limit; then the job has failed."""
    with transaction.atomic():
        _give_up_held(pk, claim, message, retry=retry)


def _give_up_held(pk: int, claim: str, message: str, *, retry: bool) -> None:
    job = (
        Job.objects.select_for_update(of=("self",)).select_related("study").filter(pk=pk, claim=claim).first()
    )
    if job is None:
        return
    if retry and job.attempts < MAXIMUM_ATTEMPTS and not job.cancel_requested:
        job.state = Job.State.QUEUED
    else:
        job.state, job.finished_at = Job.State.FAILED, timezone.now()
    job.error = message[:2000]
    job.save(update_fields=["state", "error", "finished_at"])
    if job.state == Job.State.FAILED:
        ended_undone(job)
