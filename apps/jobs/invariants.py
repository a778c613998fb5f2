"""What must hold of background work: somebody is at it, or it is over."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from apps.jobs.models import Job
from apps.studies.models import Study
from apps.studies.soundness import Fault, rows

_START = "start a worker and the beat (manage.py start does both)"
# A job may wait while workers are busy with others.
_WAIT = timedelta(hours=1)


def at_work(study: Study | None) -> Iterator[Fault]:
    """A running job has a worker that reports, or the sweeper has it taken up again; none waits for long."""
    now = timezone.now()
    # The sweeper looks every SWEEP_SECONDS; two rounds more, and nobody sweeps or takes what is swept.
    silence = timedelta(seconds=settings.JOB_STALL_SECONDS + 2 * settings.SWEEP_SECONDS)
    silent = Q(heartbeat_at=None) | Q(heartbeat_at__lt=now - silence)
    running = rows(Job, study).filter(silent, state=Job.State.RUNNING)
    for pk, kind, at in running.values_list("pk", "kind", "heartbeat_at").iterator():
        last = f"since {at:%Y-%m-%d %H:%M}" if at else "from the start"
        yield Fault("job", f"job {pk} ({kind}) is running, and silent {last}", _START)
    waiting = rows(Job, study).filter(state=Job.State.QUEUED, created_at__lt=now - _WAIT)
    for pk, kind, at, why in waiting.values_list("pk", "kind", "created_at", "error").iterator():
        text = f"job {pk} ({kind}) has waited since {at:%Y-%m-%d %H:%M}"
        if why:  # it runs again and again, and what it needs is not there
            yield Fault("job", f"{text}: {why}", "see to what it waits for", is_note=True)
        else:
            yield Fault("job", text, _START)
    unended = rows(Job, study).filter(state__in=[Job.State.DONE, Job.State.FAILED, Job.State.CANCELLED])
    for pk, state in unended.filter(finished_at=None).values_list("pk", "state").iterator():
        yield Fault("job", f"job {pk} is {state} without a time at which it ended", "cancel or retry it")


CHECKS = (at_work,)
