"""What a kind of background work is, and the register of kinds.

An app describes its work in a module ``background.py`` and registers it there; the runner finds it
by name, so that no app imports ``workers`` and the web process loads nothing heavy.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from django.db import OperationalError, transaction
from django.utils.module_loading import autodiscover_modules
from django.utils.translation import gettext as _

from apps.jobs.models import Job

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Failure:
    """An item that could not be done: its name, its text, and why."""

    item: str
    text: str
    message: str


@dataclass(frozen=True)
class Chunk:
    """Work computed but not yet stored: ``next_cursor`` is where the chunk after it begins."""

    next_cursor: int
    count: int
    payload: Any
    failures: list[Failure] = field(default_factory=list)


class Kind(Protocol):
    """Background work in chunks. ``work`` computes without writing; ``store`` writes, in the
    transaction that moves the cursor, and must be idempotent."""

    def total(self, job: Job) -> int:
        """The number of items in all, for the progress bar."""

    def work(self, job: Job) -> Chunk | None:
        """The chunk at ``job.cursor``, or None when nothing is left."""

    def store(self, job: Job, chunk: Chunk) -> None:
        """Write the chunk."""

    def finish(self, job: Job) -> dict[str, Any]:
        """After the last chunk, in its transaction: the job's result."""


@runtime_checkable
class AllOrNothing(Protocol):
    """A kind whose chunks count only once all of them are stored."""

    def take_back(self, job: Job) -> None:
        """The job was cancelled or has failed: undo its chunks, in the transaction that ends it. What takes
        long is a job of its own. A retry begins at the beginning."""


@runtime_checkable
class InItems(Protocol):
    """A kind that can go on without one of its items. Its ``work`` takes ``job.at_most(items_a_chunk)`` of
    them, and says before each (or before several at once) that it begins: ``signs_of_life.item_begins``."""

    items_a_chunk: int

    def skipped(self, job: Job, why: str) -> Chunk | None:
        """A chunk of the item at ``job.cursor``, not done: with a failure, and nothing else to store.
        It must not do what the item's work does. None where no item is left."""


class JobError(Exception):
    """Work that cannot go on, with a message for the researcher; not retried."""


class JobDelayed(Exception):
    """Work that cannot go on now, with a message for the researcher; it is tried again soon."""


_kinds: dict[str, Kind] = {}
_urgency: dict[str, Job.Urgency] = {}
_queues: dict[str, Job.Queue] = {}


def register(
    name: str,
    kind: Kind,
    urgency: Job.Urgency = Job.Urgency.MACHINE,
    queue: Job.Queue = Job.Queue.GENERAL,
) -> None:
    """``queue``: what loads a model belongs to that of models."""
    _kinds[name] = kind
    _urgency[name] = urgency
    _queues[name] = queue


def kind_named(name: str) -> Kind:
    """The kind registered as ``name``; KeyError where none is."""
    autodiscover_modules("background")
    return _kinds[name]


def ended_undone(job: Job) -> None:
    """To be called in the transaction that ends a job which is not done."""
    autodiscover_modules("background")
    kind = _kinds.get(job.kind)
    if not isinstance(kind, AllOrNothing):
        return
    try:
        with transaction.atomic():
            kind.take_back(job)
        job.cursor = job.done = 0
    except OperationalError:  # a lock, or the connection: all of it is tried again
        raise
    except Exception as error:  # a job must end, or whoever ends it never comes to another
        logger.exception("what job %s stored could not be taken back", job.pk)
        why = f"{type(error).__name__}: {error}"
        said = _("What it had stored could not be taken back: %(why)s") % {"why": why}
        job.error = f"{job.error} {said}".strip()
    job.save(update_fields=["cursor", "done", "error"])


def urgency_of(name: str) -> Job.Urgency:
    """How urgent jobs of the kind are unless their start says otherwise."""
    autodiscover_modules("background")
    return _urgency.get(name, Job.Urgency.MACHINE)


def queue_of(name: str) -> Job.Queue:
    """The queue that jobs of the kind wait in."""
    autodiscover_modules("background")
    return _queues.get(name, Job.Queue.GENERAL)


def items_a_chunk(name: str) -> int:
    """How many items a chunk of the kind has at most; 0 where it can't go on without one of them."""
    autodiscover_modules("background")
    kind = _kinds.get(name)
    return kind.items_a_chunk if isinstance(kind, InItems) else 0
