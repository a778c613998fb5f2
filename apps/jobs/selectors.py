"""Reads of jobs: what waits for a worker, and what a host must know of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Count, Min, Q, QuerySet
from django.utils import timezone

from apps.jobs.models import Job, Worker


def is_silent() -> Q:
    """A running job whose worker has given no sign of life for longer than the limit."""
    limit = timezone.now() - timedelta(seconds=settings.JOB_STALL_SECONDS)
    return Q(state=Job.State.RUNNING) & (Q(heartbeat_at=None) | Q(heartbeat_at__lt=limit))


def is_due() -> Q:
    """A queued job that may be taken now."""
    return Q(state=Job.State.QUEUED) & (Q(due_at=None) | Q(due_at__lte=timezone.now()))


def waiting() -> QuerySet[Job]:
    """What a worker may take, the most urgent first, then the oldest."""
    return Job.objects.filter(is_due() | is_silent()).order_by("urgency", "pk")


def claims(held: Sequence[tuple[int, str]]) -> Q:
    """The jobs (number, claim) that are still held by who claimed them so."""
    return Q(pk__in=[pk for pk, _claim in held], claim__in=[claim for _pk, claim in held])


def cancelled_of(held: Sequence[tuple[int, str]]) -> set[tuple[int, str]]:
    """Those of the jobs whose stop was asked for. One query."""
    rows = Job.objects.filter(claims(held), state=Job.State.RUNNING, cancel_requested=True)
    return set(rows.values_list("pk", "claim"))


@dataclass(frozen=True)
class Work:
    """How the background work of an installation stands; nobody's data, so that a monitor may read it."""

    queued: int
    # Seconds that the oldest queued job has waited, which nothing outside holds up; None: none waits.
    oldest_queued_seconds: int | None
    running: int
    silent_jobs: int
    workers: int
    silent_workers: int

    @property
    def complaints(self) -> list[str]:
        """What a host must see to; empty when all is well."""
        found = []
        if not self.workers:
            found.append("no worker gives a sign of life")
        if self.silent_workers:
            found.append(f"{self.silent_workers} worker(s) fell silent")
        if self.silent_jobs:
            found.append(f"{self.silent_jobs} job(s) run without a sign of life")
        if (self.oldest_queued_seconds or 0) > settings.QUEUE_SECONDS:
            found.append(f"a job has waited for {self.oldest_queued_seconds} s")
        return found


def work_now() -> Work:
    """Two queries."""
    now = timezone.now()
    jobs = Job.objects.filter(state__in=[Job.State.QUEUED, Job.State.RUNNING]).aggregate(
        queued=Count("pk", filter=Q(state=Job.State.QUEUED)),
        oldest=Min("queued_at", filter=is_due() & Q(error="")),
        running=Count("pk", filter=Q(state=Job.State.RUNNING)),
        silent=Count("pk", filter=is_silent() & Q(heartbeat_at__lt=missed_before())),
    )
    workers = Worker.objects.aggregate(
        live=Count("pk", filter=Q(seen_at__gte=missed_before())),
        silent=Count("pk", filter=Q(seen_at__lt=missed_before())),
    )
    return Work(
        queued=jobs["queued"],
        oldest_queued_seconds=round((now - jobs["oldest"]).total_seconds()) if jobs["oldest"] else None,
        running=jobs["running"],
        silent_jobs=jobs["silent"],
        workers=workers["live"],
        silent_workers=workers["silent"],
    )


def missed_before() -> datetime:
    """What gave its last sign of life before is missed: nobody has taken it up, though it is time."""
    return timezone.now() - timedelta(seconds=settings.JOB_STALL_SECONDS + 2 * settings.SWEEP_SECONDS)


def is_work_done() -> bool:
    """Whether any worker gives signs of life. One query."""
    return Worker.objects.filter(seen_at__gte=missed_before()).exists()
