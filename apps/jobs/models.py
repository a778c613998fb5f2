"""A job is a row; the broker only carries its number."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from apps.jobs.wording import Wording


class Job(models.Model):
    """One piece of background work: what, how far, by whom, and what came of it.

    ``cursor`` is where the next chunk begins; it moves in the transaction that stores a chunk.
    ``claim`` is the token of the worker that holds the job: a worker that was given up for dead
    and wakes up again finds another token there and stores nothing.
    """

    class State(models.TextChoices):
        QUEUED = "queued", _("queued")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")
        CANCELLED = "cancelled", _("cancelled")

    class Urgency(models.IntegerChoices):
        """Who waits. A worker takes the lowest number first, and lets it pass between two chunks."""

        CARD = 1, _("an annotator, before a card")
        PREVIEW = 2, _("somebody who looks before they act")
        PERSON = 3, _("somebody who asked for it")
        MACHINE = 4, _("nobody in particular")

    class Queue(models.TextChoices):
        """Which workers take it: a setting says of each worker which queues are its own."""

        GENERAL = "general", _("everything but models")
        MODELS = "models", _("what loads a model")

    study = models.ForeignKey("studies.Study", models.CASCADE, related_name="jobs")
    kind = models.CharField(max_length=60)
    title = models.CharField(max_length=200)
    # The title's text and values (apps/jobs/wording.py), to say it in its reader's language.
    wording = models.JSONField(default=dict)
    # What is said while the job runs (errors, mostly) is said in the language of who started it.
    language = models.CharField(max_length=10, blank=True)
    params = models.JSONField(default=dict)
    state = models.CharField(max_length=20, choices=State.choices, default=State.QUEUED)
    urgency = models.PositiveSmallIntegerField(choices=Urgency.choices, default=Urgency.MACHINE)
    queue = models.CharField(max_length=20, choices=Queue.choices, default=Queue.GENERAL)
    # Not before: something outside is waited for, or the job has just crashed.
    due_at = models.DateTimeField(null=True, blank=True)
    cursor = models.BigIntegerField(default=0)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    failed = models.PositiveIntegerField(default=0)
    attempts = models.PositiveIntegerField(default=0)
    # A chunk killed its process, or had to be killed: so many items are done one at a time.
    singly = models.PositiveIntegerField(default=0)
    # The item at the cursor is the culprit: why whoever takes the job up passes it over. Empty: it isn't.
    passing_over = models.TextField(blank=True)
    claim = models.CharField(max_length=32, blank=True)
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    cancel_requested = models.BooleanField(default=False)
    error = models.TextField(blank=True)
    result = models.JSONField(default=dict)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    # Since when it waits, each time that it does.
    queued_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    # Since when who holds it is at it, how much was done then, and when it last stored a chunk: its speed.
    claimed_at = models.DateTimeField(null=True, blank=True)
    done_when_claimed = models.PositiveIntegerField(default=0)
    stored_at = models.DateTimeField(null=True, blank=True)

    STUDY_PATH = "study"

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["state", "heartbeat_at"], name="job_by_state"),
            models.Index(fields=["state", "urgency", "id"], name="job_by_urgency"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(queue__in=["general", "models"]), name="job_queue_known"
            ),
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def heading(self) -> str:
        """The title in the language of who reads it, where it was given in words to translate."""
        return str(Wording(**self.wording)) if self.wording else self.title

    @property
    def is_over(self) -> bool:
        return self.state in (self.State.DONE, self.State.FAILED, self.State.CANCELLED)

    @property
    def is_stalled(self) -> bool:
        """Running, but nobody has reported a chunk for longer than the limit."""
        limit = timezone.now() - timedelta(seconds=settings.JOB_STALL_SECONDS)
        return self.state == self.State.RUNNING and (self.heartbeat_at is None or self.heartbeat_at < limit)

    def at_most(self, items: int) -> int:
        """How many items the next chunk takes, of a kind that usually takes so many."""
        return 1 if self.singly else items

    @property
    def percent(self) -> int:
        if self.state == self.State.DONE:
            return 100
        return min(99, 100 * self.done // self.total) if self.total else 0

    @property
    def seconds_left(self) -> int | None:
        """How long what is left takes at the speed since the claim; None before anything is known."""
        done = self.done - self.done_when_claimed
        if self.state != self.State.RUNNING or self.is_stalled or done <= 0:
            return None
        if self.claimed_at is None or self.stored_at is None or self.stored_at <= self.claimed_at:
            return None
        taken = (self.stored_at - self.claimed_at).total_seconds()
        since = (timezone.now() - self.stored_at).total_seconds()
        return max(0, round(taken / done * (self.total - self.done) - since))


class JobFailure(models.Model):
    """One item that a job could not do, and why; the rest of the job went on."""

    job = models.ForeignKey(Job, models.CASCADE, related_name="failures")
    item = models.CharField(max_length=60)
    text = models.TextField(blank=True)
    message = models.TextField()

    STUDY_PATH = "job__study"

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["job", "item"], name="job_failure_once")]

    def __str__(self) -> str:
        return f"{self.item}: {self.message}"


class Worker(models.Model):
    """A worker (host, process, a number drawn) and its last sign of life; the row goes with a worker that
    ends in order. ``queues`` are its own; an empty list, from an older version, is all of them."""

    name = models.CharField(max_length=120, unique=True)
    queues = models.JSONField(default=list)
    started_at = models.DateTimeField(auto_now_add=True)
    seen_at = models.DateTimeField()

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name
