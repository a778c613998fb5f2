"""Reads of jobs: what waits for a worker, and what a host must know of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Case, Count, IntegerField, Min, Q, QuerySet, Value, When
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
    """What waits for any worker, the most urgent first, then the oldest."""
    return Job.objects.filter(is_due() | is_silent()).order_by("urgency", "pk")


def to_take(before: Job | None = None) -> QuerySet[Job]:
    """What waits for this worker: in its own queues, and, for as long as no worker gives a sign of life whose
    own a queue is, what has been left lying there. The most urgent first, of equally urgent its own first,
    then the oldest. ``before``: what goes before that job alone. Two queries where a queue isn't its own."""
    own = settings.QUEUES
    if set(own) >= set(Job.Queue.values):
        return waiting() if before is None else waiting().filter(urgency__lt=before.urgency)
    left_lying = Q(state=Job.State.QUEUED, queued_at__lt=missed_before()) | Q(
        state=Job.State.RUNNING, heartbeat_at__lt=missed_before()
    )
    nobodys = set(Job.Queue.values) - set(own) - queues_taken()
    jobs = waiting().filter(Q(queue__in=own) | Q(queue__in=nobodys) & left_lying)
    if before is not None:
        passes = Q(urgency__lt=before.urgency)
        if before.queue not in own:
            passes |= Q(urgency=before.urgency, queue__in=own)
        jobs = jobs.filter(passes)
    is_lent = Case(When(queue__in=own, then=Value(0)), default=Value(1), output_field=IntegerField())
    return jobs.order_by("urgency", is_lent, "pk")


def queues_taken() -> set[str]:
    """The queues of all workers that give signs of life. One query."""
    live = Worker.objects.filter(seen_at__gte=missed_before())
    return {name for queues in live.values_list("queues", flat=True) for name in queues or Job.Queue.values}


def claims(held: Sequence[tuple[int, str]]) -> Q:
    """The jobs (number, claim) that are still held by who claimed them so."""
    return Q(pk__in=[pk for pk, _claim in held], claim__in=[claim for _pk, claim in held])


def cancelled_of(held: Sequence[tuple[int, str]]) -> set[tuple[int, str]]:
    """Those of the jobs whose stop was asked for. One query."""
    rows = Job.objects.filter(claims(held), state=Job.State.RUNNING, cancel_requested=True)
    return set(rows.values_list("pk", "claim"))


@dataclass(frozen=True)
class QueueNow:
    """One queue: its jobs, and the workers whose own it is."""

    queued: int = 0
    running: int = 0
    workers: int = 0


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
    queues: dict[str, QueueNow] = field(default_factory=dict)

    @property
    def complaints(self) -> list[str]:
        """What a host must see to; empty when all is well."""
        found = []
        if not self.workers:
            found.append("no worker gives a sign of life")
        for name, queue in self.queues.items():
            if self.workers and not queue.workers:
                found.append(f"no worker takes the queue “{name}”; others see to it late")
        if self.silent_workers:
            found.append(f"{self.silent_workers} worker(s) fell silent")
        if self.silent_jobs:
            found.append(f"{self.silent_jobs} job(s) run without a sign of life")
        if (self.oldest_queued_seconds or 0) > settings.QUEUE_SECONDS:
            found.append(f"a job has waited for {self.oldest_queued_seconds} s")
        return found


def work_now() -> Work:
    """Two queries."""
    rows = (
        Job.objects.filter(state__in=[Job.State.QUEUED, Job.State.RUNNING])
        .order_by()
        .values("queue")
        .annotate(
            queued=Count("pk", filter=Q(state=Job.State.QUEUED)),
            oldest=Min("queued_at", filter=is_due() & Q(error="")),
            running=Count("pk", filter=Q(state=Job.State.RUNNING)),
            silent=Count("pk", filter=is_silent() & Q(heartbeat_at__lt=missed_before())),
        )
    )
    jobs = {row["queue"]: row for row in rows}
    workers = list(Worker.objects.all())
    live = [worker for worker in workers if worker.seen_at >= missed_before()]
    queues = {
        name: QueueNow(
            queued=jobs[name]["queued"] if name in jobs else 0,
            running=jobs[name]["running"] if name in jobs else 0,
            workers=sum(name in (worker.queues or Job.Queue.values) for worker in live),
        )
        for name in Job.Queue.values
    }
    oldest = min((row["oldest"] for row in jobs.values() if row["oldest"]), default=None)
    return Work(
        queued=sum(queue.queued for queue in queues.values()),
        oldest_queued_seconds=round((timezone.now() - oldest).total_seconds()) if oldest else None,
        running=sum(queue.running for queue in queues.values()),
        silent_jobs=sum(row["silent"] for row in jobs.values()),
        workers=len(live),
        silent_workers=len(workers) - len(live),
        queues=queues,
    )


def missed_before() -> datetime:
    """What gave its last sign of life before is missed: nobody has taken it up, though it is time."""
    return timezone.now() - timedelta(seconds=settings.JOB_STALL_SECONDS + 2 * settings.SWEEP_SECONDS)


def is_work_done() -> bool:
    """Whether any worker gives signs of life. One query."""
    return Worker.objects.filter(seen_at__gte=missed_before()).exists()
