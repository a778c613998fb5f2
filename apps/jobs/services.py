"""Starting, cancelling and sweeping jobs."""

from __future__ import annotations

import logging
from dataclasses import asdict
from datetime import timedelta
from typing import Any

from celery import current_app
from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import get_language

from apps.accounts.models import User
from apps.jobs.kinds import ended_undone
from apps.jobs.models import Job
from apps.jobs.wording import Wording
from apps.studies import audit
from apps.studies.models import Study

logger = logging.getLogger(__name__)

MAXIMUM_ATTEMPTS = 5


def job_start(*, study: Study, kind: str, title: str | Wording, actor: User | None, **params: Any) -> Job:
    """Store a job and hand its number to the broker once the transaction is committed."""
    said = title if isinstance(title, Wording) else None
    job = Job.objects.create(
        study=study,
        kind=kind,
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


def job_cancel(*, job: Job, actor: User) -> None:
    """Ask for a stop: a queued job ends at once, a running one after its present chunk."""
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


def job_retry(*, job: Job, actor: User) -> None:
    """Queue a failed or cancelled job again, from the chunk where it stopped."""
    with transaction.atomic():
        held = Job.objects.select_for_update().get(pk=job.pk)
        if held.state not in (Job.State.FAILED, Job.State.CANCELLED):
            return
        held.state, held.error, held.cancel_requested, held.attempts = Job.State.QUEUED, "", False, 0
        held.finished_at = None
        held.save()
        audit.record("job.retried", study=held.study, actor=actor, subject=held, cursor=held.cursor)
        transaction.on_commit(lambda: send(held.pk))


def sweep() -> list[int]:
    """Send again what nobody works on: queued for a while, or running without a heartbeat."""
    now = timezone.now()
    limit = now - timedelta(seconds=settings.JOB_STALL_SECONDS)
    waiting = now - timedelta(seconds=min(settings.SWEEP_SECONDS, settings.JOB_STALL_SECONDS))
    stalled = Q(state=Job.State.RUNNING) & (Q(heartbeat_at=None) | Q(heartbeat_at__lt=limit))
    forgotten = Q(state=Job.State.QUEUED, created_at__lt=waiting)
    pks = list(Job.objects.filter(stalled | forgotten).order_by("pk").values_list("pk", flat=True)[:200])
    for pk in pks:
        send(pk)
    return pks
