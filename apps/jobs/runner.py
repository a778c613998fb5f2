"""Running a job: claim it, then chunk after chunk, each stored with the cursor in one transaction.

A worker killed between chunks loses nothing; killed within one, it has stored nothing of it. Whoever
takes the job up begins at the cursor. docs/developers.md has the state diagram.
"""

from __future__ import annotations

import logging
import uuid
from datetime import datetime, timedelta

from django.conf import settings
from django.db import DatabaseError, InterfaceError, transaction
from django.db.models import F
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from apps.jobs import selectors, signs_of_life
from apps.jobs.kinds import (
    Chunk,
    InItems,
    JobDelayed,
    JobError,
    Kind,
    ended_undone,
    items_a_chunk,
    kind_named,
)
from apps.jobs.models import Job, JobFailure
from apps.jobs.services import MAXIMUM_ATTEMPTS

logger = logging.getLogger(__name__)


def run_waiting(before: Job | None = None) -> None:
    """Work on what waits for this worker, the most urgent first, until nothing does. ``before``: only what
    goes before that job, which waits meanwhile with all that it keeps in memory, and stays claimed."""
    while True:
        pk = selectors.to_take(before).values_list("pk", flat=True).first()
        if pk is None:
            return
        try:
            run(pk, gives_way=True)
        except (DatabaseError, InterfaceError):
            raise
        except Exception:  # others wait behind it; it is silent now, and will be looked at again
            logger.exception("job %s could not be ended", pk)


def run(pk: int, *, gives_way: bool = False) -> None:
    """Work on job ``pk`` until it is over, unless somebody else is at it. ``gives_way``: between two of its
    chunks, more urgent ones are worked on."""
    claim = _claim(pk)
    if claim is None:
        return
    job = Job.objects.select_related("study").get(pk=pk)
    with translation.override(job.language or settings.LANGUAGE_CODE), signs_of_life.holding(job, claim):
        _work(job, claim, gives_way)


def _work(job: Job, claim: str, gives_way: bool) -> None:
    """Chunk after chunk, until the job is over or somebody else's."""
    pk = job.pk
    try:
        signs_of_life.chunk_begins()
        kind = kind_named(job.kind)
        if job.cursor == 0:
            total = kind.total(job)
            Job.objects.filter(pk=pk, claim=claim).update(total=total, heartbeat_at=timezone.now())
        while True:
            if gives_way:
                run_waiting(before=job)
            job.refresh_from_db()
            if job.claim != claim or job.state != Job.State.RUNNING:
                return
            signs_of_life.chunk_begins()
            chunk = None if job.cancel_requested else _chunk(job, kind)
            signs_of_life.chunk_begins(is_item=job.singly > 0 and chunk is not None)
            if not _store(job, kind, chunk, claim):
                return
    except JobError as error:
        _give_up(pk, claim, str(error))
    except JobDelayed as error:
        _delay(pk, claim, str(error))
    except Exception as error:
        logger.exception("job %s failed", pk)
        _give_up(pk, claim, f"{type(error).__name__}: {error}", retry=True)


def _chunk(job: Job, kind: Kind) -> Chunk | None:
    """The next chunk, or the one item that is to be passed over."""
    if not job.passing_over:
        return kind.work(job)
    skipped = kind.skipped(job, job.passing_over) if isinstance(kind, InItems) else None
    if skipped is None:
        raise JobError(_("It was ended: %(why)s.") % {"why": job.passing_over})
    return skipped


def _claim(pk: int) -> str | None:
    """Take the job if it waits or its worker is silent for too long; one UPDATE decides who gets it."""
    now = timezone.now()
    claim = uuid.uuid4().hex
    fresh = {
        "state": Job.State.RUNNING,
        "claim": claim,
        "heartbeat_at": now,
        "attempts": F("attempts") + 1,
        "claimed_at": now,
        "done_when_claimed": F("done"),
    }
    job = Job.objects.filter(pk=pk).first()
    if job is None:
        return None
    if job.state == Job.State.RUNNING:
        # Whoever held it fell silent in the middle of a chunk; not to fall silent of the same item.
        free = Job.objects.filter(selectors.is_silent(), pk=pk, claim=job.claim)
        fresh["singly"] = job.singly or items_a_chunk(job.kind)
    else:
        free = Job.objects.filter(pk=pk, state=Job.State.QUEUED)
    if not free.update(**fresh):
        return None
    Job.objects.filter(pk=pk, started_at=None).update(started_at=now)
    job.refresh_from_db()
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
        held.stored_at = timezone.now()
        held.failed += len(chunk.failures)
        held.singly = max(0, held.singly - chunk.count)
        held.passing_over = ""
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
        state=Job.State.QUEUED,
        queued_at=timezone.now(),
        due_at=_soon(),
        error=message[:2000],
        attempts=F("attempts") - 1,
    )


def _give_up(pk: int, claim: str, message: str, *, retry: bool = False) -> None:
    """Record why. A crash is tried again, up to the limit; then the job has failed."""
    with transaction.atomic():
        _give_up_held(pk, claim, message, retry=retry)


def _give_up_held(pk: int, claim: str, message: str, *, retry: bool) -> None:
    job = (
        Job.objects.select_for_update(of=("self",)).select_related("study").filter(pk=pk, claim=claim).first()
    )
    if job is None:
        return
    if retry and job.attempts < MAXIMUM_ATTEMPTS and not job.cancel_requested:
        job.state, job.queued_at, job.due_at = Job.State.QUEUED, timezone.now(), _soon()
    else:
        job.state, job.finished_at = Job.State.FAILED, timezone.now()
    job.error = message[:2000]
    job.save(update_fields=["state", "queued_at", "due_at", "error", "finished_at"])
    if job.state == Job.State.FAILED:
        ended_undone(job)


def _soon() -> datetime:
    """When what has to be tried again is: as the sweeper comes round."""
    return timezone.now() + timedelta(seconds=settings.SWEEP_SECONDS)
