"""What a process that runs jobs says of itself to its keeper, which ends it when it overruns.

A keeper (``workers/keeper.py``) can't look into the process: a loop in C answers nothing. So the process
says beforehand what it begins and how long that may take. Without a keeper (tests, commands) nothing is
said, and nothing is ended.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass

from django.conf import settings
from django.utils import timezone

from apps.jobs.models import Job

# A sign of life costs a write: so often at most, within a chunk and between its items.
BEAT_SECONDS = 5.0
ITEM_SAID_SECONDS = 0.5


@dataclass(frozen=True)
class Word:
    """What begins: ``held`` are the jobs of the process with their claims, the last is the one at work.

    ``seconds`` from now the process may be killed, unless it says another word before. ``is_chunk``: a
    chunk begins here, whose time as a whole is bounded too. ``is_item``: one item alone is to blame.
    """

    held: list[tuple[int, str]]
    seconds: float
    is_chunk: bool = False
    is_item: bool = False


Say = Callable[[dict[str, object]], None]
_say: Say | None = None
_held: list[tuple[int, str]] = []
_item_said = 0.0


def keeper_is(say: Say) -> None:
    """From now on the words of this process go to ``say``."""
    global _say
    _say = say


def is_kept() -> bool:
    return _say is not None


@contextmanager
def holding(job: Job, claim: str) -> Iterator[None]:
    """The job is this process's, before whatever it held already."""
    _held.append((job.pk, claim))
    try:
        yield
    finally:
        _held.pop()
        if _held:
            chunk_begins()


def chunk_begins(*, is_item: bool = False) -> None:
    """A chunk is begun, or is stored. ``is_item``: it is one item alone."""
    global _item_said
    _item_said = 0.0
    _speak(settings.CHUNK_SECONDS, is_chunk=True, is_item=is_item)


def item_begins(count: int = 1) -> None:
    """A sentence or a pair is begun (or ``count`` of them at once, whose times add up)."""
    global _item_said
    now = time.monotonic()
    if count > 1 or now - _item_said > ITEM_SAID_SECONDS:
        _item_said = now if count == 1 else 0.0
        seconds = min(settings.ITEM_SECONDS * count, settings.CHUNK_SECONDS)
        _speak(seconds, is_item=count == 1)


def _speak(seconds: float, *, is_chunk: bool = False, is_item: bool = False) -> None:
    if _say is not None and _held:
        _say(asdict(Word(list(_held), seconds, is_chunk, is_item)))


def heartbeat(job: Job) -> Callable[[], None]:
    """A sign of life for steps that take longer than a few seconds (packing a large archive)."""
    last = time.monotonic()
    pk, claim = job.pk, job.claim  # not the job: who holds on to it would never let its snapshot go

    def beat() -> None:
        nonlocal last
        if time.monotonic() - last > BEAT_SECONDS:
            last = time.monotonic()
            if is_kept():
                _speak(settings.CHUNK_SECONDS)
            else:
                Job.objects.filter(pk=pk, claim=claim).update(heartbeat_at=timezone.now())

    return beat
