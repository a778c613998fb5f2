"""Starting, cancelling and sweeping jobs."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import asdict
from datetime import timedelta
from typing import Any

from celery import current_app
from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import get_language

from apps.accounts.models import User
from apps.jobs import selectors
from apps.jobs.kinds import ended_undone, queue_of, urgency_of
from apps.jobs.models import Job, Worker
from apps.jobs.wording import Wording
from apps.studies import audit
from apps.studies.models import Study

logger = logging.getLogger(__name__)

MAXIMUM_ATTEMPTS = 5
# A worker that was killed and not replaced is missed for so long.
FORGOTTEN = timedelta(hours=1)


def job_start(
    *,
    study: Study,
    kind: str,
    title: str | Wording,
    actor: User | None,
    urgency: Job.Urgency | None = None,
    **params: Any,
) -> Job:
    """Store a job and hand its number to the broker once the transaction is committed. ``urgency`` is the
    kind's, unless this job is a short one of its kind."""
    said = title if isinstance(title, Wording) else None
    job = Job.objects.create(
        study=study,
        kind=kind,
        urgency=urgency or urgency_of(kind),
        queue=queue_of(kind),
        title=(said.in_english if said else str(title))[:200],
        wording=asdict(said) if said else {},
        # A job that an annotator's answer started is read by others.
        language=(get_language() or "") if actor else "",
        params=params,
        created_by=actor,
    )
    audit.record("job.started", study=study, actor=actor, subject=job, kind=kind)
    transaction.on_commit(lambda: send(job.pk))
    return job


def send(pk: int) -> None:
    """Tell a worker. A broker that is down loses nothing: the sweeper sends the job again."""
    try:
        current_app.send_task("workers.run_job", [pk])
    except Exception as error:  # whatever the transport raises, the row is already stored
        logger.warning("job %s could not be sent (%s); the sweeper will", pk, error)


def job_cancel(*, job: Job, actor: User | None) -> None:
    """Ask for a stop: a queued job ends at once, a running one after its present chunk; where that takes
    longer than a few seconds, its worker ends the chunk."""
    with transaction.atomic():
        held = Job.objects.select_for_update().get(pk=job.pk)
        if held.is_over:
            return
        held.cancel_requested = True
        if held.state == Job.State.QUEUED or held.is_stalled:
            held.state = Job.State.CANCELLED
            held.finished_at = timezone.now()
        held.save(update_fields=["cancel_requested", "state", "finished_at"])
        if held.is_over:
            ended_undone(held)
        audit.record("job.cancelled", study=held.study, actor=actor, subject=held, done=held.done)


def job_retry(*, job: Job, actor: User | None) -> None:
    """Queue a failed or cancelled job again, from the chunk where it stopped. One that was to be cancelled,
    and has not heard of it, goes on."""
    with transaction.atomic():
        held = Job.objects.select_for_update().get(pk=job.pk)
        if held.state == Job.State.RUNNING and held.cancel_requested:
            held.cancel_requested = False  # nobody has heard of it yet: it need not stop at all
            held.save(update_fields=["cancel_requested"])
            return
        if held.state not in (Job.State.FAILED, Job.State.CANCELLED):
            return
        held.state, held.error, held.cancel_requested, held.attempts = Job.State.QUEUED, "", False, 0
        held.finished_at, held.due_at, held.queued_at = None, None, timezone.now()
        held.singly, held.passing_over = 0, ""
        held.save()
        audit.record("job.retried", study=held.study, actor=actor, subject=held, cursor=held.cursor)
        transaction.on_commit(lambda: send(held.pk))


def job_again(*, job: Job) -> Job:
    """Queue a job that is over once more, from the beginning: work that comes round again and again keeps one
    row. No trail: nobody asked. One that isn't over is left as it is."""
    with transaction.atomic():
        held = Job.objects.select_for_update().get(pk=job.pk)
        if held.is_over:
            held.state, held.error, held.cancel_requested, held.attempts = Job.State.QUEUED, "", False, 0
            held.cursor = held.done = held.failed = 0
            held.finished_at, held.due_at, held.queued_at = None, None, timezone.now()
            held.singly, held.passing_over = 0, ""
            held.save()
            transaction.on_commit(lambda: send(held.pk))
    return held


def sweep() -> list[int]:
    """Send again what nobody works on: queued for a while, or running without a heartbeat. Forget workers
    that have been silent for long."""
    now = timezone.now()
    sent_before = now - timedelta(seconds=min(settings.SWEEP_SECONDS, settings.JOB_STALL_SECONDS))
    forgotten = selectors.waiting().exclude(state=Job.State.QUEUED, created_at__gte=sent_before)
    pks = list(forgotten.values_list("pk", flat=True)[:200])
    for pk in pks:
        send(pk)
    Worker.objects.filter(seen_at__lt=now - FORGOTTEN).delete()
    return pks


# ---- Workers --------------------------------------------------------------------------------


def worker_seen(*, name: str) -> None:
    """A worker (host:process:…) lives, and these are the queues that it takes."""
    Worker.objects.update_or_create(
        name=name, defaults={"seen_at": timezone.now(), "queues": list(settings.QUEUES)}
    )


def worker_gone(*, name: str) -> None:
    """A worker has ended in order: nobody misses it."""
    Worker.objects.filter(name=name).delete()


def jobs_heartbeat(*, held: Sequence[tuple[int, str]]) -> None:
    """A worker is at these jobs (number, claim). One that is being stored is locked, and says so itself."""
    with transaction.atomic():
        rows = Job.objects.filter(selectors.claims(held), state=Job.State.RUNNING)
        pks = list(rows.select_for_update(skip_locked=True).values_list("pk", flat=True))
        Job.objects.filter(pk__in=pks).update(heartbeat_at=timezone.now())
