"""What becomes of a job whose process was killed, or died: the keeper's word, written into its row.

The row remembers, so that whoever takes the job up next, on whatever machine, does not hang as the one
before it did: first the items of that chunk one at a time, then past the one that is to blame.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.conf import settings
from django.db import transaction
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from apps.jobs.kinds import ended_undone, items_a_chunk
from apps.jobs.models import Job
from apps.jobs.services import MAXIMUM_ATTEMPTS, send


def job_overran(*, pk: int, claim: str, seconds: float, is_item: bool) -> None:
    """Its process was killed: what it was at took longer than ``seconds``. ``is_item``: and that was one
    item alone, so it is to blame where the job goes item by item already."""
    with transaction.atomic():
        job = _held(pk, claim)
        if job is None:
            return
        with _language_of(job):
            why = _("took longer than %(n)s s") % {"n": round(seconds)}
        # An overrun says what to do next, so it is no attempt that came to nothing.
        job.attempts = 0
        _go_on(job, why, is_to_blame=is_item)


def job_died(*, pk: int, claim: str, is_item: bool) -> None:
    """Its process died by itself, or somebody killed it. That may be nobody's fault, so an item is passed
    over, or a job given up, only when it happens again and again."""
    with transaction.atomic():
        job = _held(pk, claim)
        if job is None:
            return
        if job.attempts < MAXIMUM_ATTEMPTS:
            job.singly = job.singly or items_a_chunk(job.kind)
            _queue(job)
            return
        with _language_of(job):
            why = _("the process that worked on it died, %(n)s times") % {"n": job.attempts}
        job.attempts = 0
        _go_on(job, why, is_to_blame=is_item)


def jobs_put_back(*, held: Sequence[tuple[int, str]]) -> None:
    """Their worker ends in order: they wait for another, and that was no attempt."""
    for pk, claim in held:
        with transaction.atomic():
            job = _held(pk, claim)
            if job is not None:
                job.attempts = max(0, job.attempts - 1)
                _queue(job)


def jobs_cancelled(*, held: Sequence[tuple[int, str]]) -> None:
    """Nobody is at them any more; where a stop was asked for, it has come."""
    for pk, claim in held:
        with transaction.atomic():
            _held(pk, claim)


def _held(pk: int, claim: str) -> Job | None:
    """The job, locked, if it is still theirs; one that was to be cancelled is, now."""
    theirs = Job.objects.select_for_update(of=("self",)).select_related("study")
    job = theirs.filter(pk=pk, claim=claim, state=Job.State.RUNNING).first()
    if job is not None and job.cancel_requested:
        _end(job, Job.State.CANCELLED)
        return None
    return job


def _go_on(job: Job, why: str, *, is_to_blame: bool) -> None:
    """One at a time, past the culprit, or not at all."""
    chunk = items_a_chunk(job.kind)
    if chunk and not job.singly:
        job.singly = chunk
        _queue(job)
    elif chunk and is_to_blame and not job.passing_over:
        job.passing_over = why
        _queue(job)
    else:
        with _language_of(job):
            job.error = _("It was ended: %(why)s.") % {"why": why}
        _end(job, Job.State.FAILED)


def _end(job: Job, state: Job.State) -> None:
    job.state, job.finished_at, job.claim = state, timezone.now(), ""
    job.save()
    with _language_of(job):
        ended_undone(job)


def _queue(job: Job) -> None:
    job.state, job.claim, job.queued_at = Job.State.QUEUED, "", timezone.now()
    job.save()
    transaction.on_commit(lambda: send(job.pk))


def _language_of(job: Job) -> translation.override:
    return translation.override(job.language or settings.LANGUAGE_CODE)
