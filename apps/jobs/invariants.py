"""What must hold of background work: somebody is at it, or it is over."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from apps.jobs.models import Job, Worker
from apps.jobs.selectors import missed_before
from apps.studies.models import Study
from apps.studies.soundness import Fault, rows

_START = "start a worker and the beat (manage.py start does both)"


def at_work(study: Study | None) -> Iterator[Fault]:
    """A running job has a worker that reports, or the sweeper has it taken up again; none waits for long."""
    now = timezone.now()
    silent = Q(heartbeat_at=None) | Q(heartbeat_at__lt=missed_before())
    running = rows(Job, study).filter(silent, state=Job.State.RUNNING)
    for pk, kind, at in running.values_list("pk", "kind", "heartbeat_at").iterator():
        last = f"since {at:%Y-%m-%d %H:%M}" if at else "from the start"
        yield Fault("job", f"job {pk} ({kind}) is running, and silent {last}", _START)
    waiting = rows(Job, study).filter(
        state=Job.State.QUEUED, created_at__lt=now - timedelta(seconds=settings.QUEUE_SECONDS)
    )
    for pk, kind, at, why in waiting.values_list("pk", "kind", "created_at", "error").iterator():
        text = f"job {pk} ({kind}) has waited since {at:%Y-%m-%d %H:%M}"
        if why:  # it runs again and again, and what it needs is not there
            yield Fault("job", f"{text}: {why}", "see to what it waits for", is_note=True)
        else:
            yield Fault("job", text, _START)
    unended = rows(Job, study).filter(state__in=[Job.State.DONE, Job.State.FAILED, Job.State.CANCELLED])
    for pk, state in unended.filter(finished_at=None).values_list("pk", "state").iterator():
        yield Fault("job", f"job {pk} is {state} without a time at which it ended", "cancel or retry it")


def workers(study: Study | None) -> Iterator[Fault]:
    """A worker gives signs of life until it ends in order. A note: another may have taken its place, or the
    database may come from a backup."""
    if study is not None:
        return
    silent = Worker.objects.filter(seen_at__lt=missed_before())
    for name, at in silent.values_list("name", "seen_at"):
        said = f"worker {name} is silent since {at:%Y-%m-%d %H:%M}"
        yield Fault("job", said, f"{_START}, if no other took its place", is_note=True)


CHECKS = (at_work, workers)
