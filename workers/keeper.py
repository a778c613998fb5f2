"""The keeper of a worker's jobs: it has a process do them, and ends that process when it overruns.

A chunk may contain anything: a loop that never ends, in Python or in C, which no signal's exception and
no thread gets out of. So jobs are done by another process, the hand (``workers/hand.py``), which says what
it begins and how long that may take. Past that time, or when a job is cancelled and the hand doesn't come
to it, the hand is killed, the job's row told why (``apps/jobs/overruns.py``), and another hand started. It is
the same on every broker; one hand a worker, so that a pipeline is loaded once.

The keeper is a thread of the Celery worker, which itself never waits for a job: a message only wakes it.
"""

from __future__ import annotations

import json
import logging
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection

from apps.jobs import overruns, selectors, services
from apps.jobs.signs_of_life import BEAT_SECONDS, ITEM_SAID_SECONDS

logger = logging.getLogger(__name__)

TURN_SECONDS = 0.5
# How often work is looked for when no message comes.
LOOK_SECONDS = 1.0
# What a cancelled job gets to come to the end of its chunk.
CANCEL_SECONDS = 3.0
CANCEL_LOOK_SECONDS = 1.0
# A chunk that gives signs of life may take so many times the seconds between two of them.
SIGNS_A_CHUNK = 30
# Whoever waits for a lock can't kill.
LOCK_SECONDS = 2


@dataclass
class At:
    """What the hand has said that it is at, and until when it may be, by the keeper's own clock."""

    held: list[tuple[int, str]]
    said: float
    seconds: float
    is_item: bool
    begun: float

    @property
    def overran(self) -> float:
        """The seconds that were too long; 0 while they aren't."""
        now = time.monotonic()
        if now - self.said > self.seconds + ITEM_SAID_SECONDS:  # so late may an item have been said
            return self.seconds
        whole = SIGNS_A_CHUNK * float(settings.CHUNK_SECONDS)
        return whole if now - self.begun > whole else 0.0


@dataclass
class Hand:
    """The process, and the two pipes to it."""

    process: subprocess.Popen[bytes]
    commands: int
    words: int
    at: At | None = None
    is_idle: bool = True
    has_spoken: bool = False
    _unread: bytes = b""

    @classmethod
    def start(cls) -> Hand:
        for_hand, commands = os.pipe()
        words, from_hand = os.pipe()
        try:
            process = subprocess.Popen(  # noqa: S603
                [sys.executable, "-m", "workers.hand", str(for_hand), str(from_hand)],
                cwd=settings.BASE_DIR,
                pass_fds=(for_hand, from_hand),
                process_group=0,  # with whatever it starts itself
            )
        finally:
            os.close(for_hand)
            os.close(from_hand)
        return cls(process, commands, words)

    def call(self) -> None:
        """Have it work until nothing waits."""
        self.is_idle = False
        os.write(self.commands, b"work\n")

    def listen(self, seconds: float) -> bool:
        """Take in what it says, waiting so long for a first word. False: it is dead."""
        ready, _, _ = select.select([self.words], [], [], seconds)
        if not ready:
            return True
        heard = os.read(self.words, 1 << 16)
        if not heard:
            return False
        *lines, self._unread = (self._unread + heard).split(b"\n")
        for line in lines:
            self._hear(json.loads(line))
        return True

    def _hear(self, word: dict[str, Any]) -> None:
        self.has_spoken = True
        if word.get("idle"):
            self.is_idle, self.at = True, None
            return
        now = time.monotonic()
        begun = now if word["is_chunk"] or self.at is None else self.at.begun
        held = [(int(pk), str(claim)) for pk, claim in word["held"]]
        self.at = At(held, now, float(word["seconds"]), bool(word["is_item"]), begun)

    def kill(self) -> None:
        """It, and whatever it has started."""
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            self.process.kill()
        self.process.wait()
        os.close(self.commands)
        os.close(self.words)


@dataclass
class Keeper:
    """See above. ``start`` and ``stop`` belong to the worker, ``wake`` to its messages."""

    name: str = field(default_factory=lambda: f"{socket.gethostname()}:{os.getpid()}:{uuid.uuid4().hex[:6]}")
    hand: Hand | None = None
    _thread: threading.Thread | None = None
    _woken: threading.Event = field(default_factory=threading.Event)
    _stopping: threading.Event = field(default_factory=threading.Event)
    # When signs of life were given, and cancelled jobs looked for.
    _beaten: float = 0.0
    _asked: float = 0.0
    _stop_asked: float | None = None
    _deaths: int = 0
    # What is to be written into rows and could not be yet.
    _verdicts: list[Callable[[], None]] = field(default_factory=list)

    def start(self) -> None:
        self._thread = threading.Thread(target=self._keep, name="keeper", daemon=True)
        self._thread.start()

    def wake(self) -> None:
        self._woken.set()

    def stop(self, patience: float = 5.0) -> None:
        """End in order: what the hand is at is put back into the queue."""
        self._stopping.set()
        self._woken.set()
        if self._thread is not None:
            self._thread.join(patience)

    def _keep(self) -> None:
        while not self._stopping.is_set():
            try:
                self._turn()
            except (DatabaseError, InterfaceError) as error:
                logger.warning("the keeper of jobs can't reach the database: %s", error)
                connection.close()
                self._stopping.wait(1)
            except Exception:
                logger.exception("the keeper of jobs stumbled")
                self._stopping.wait(1)
        self._end()

    def _turn(self) -> None:
        """Once round: listen, end what overran, write down what is to be written, find work."""
        if self.hand is not None and not self.hand.is_idle:
            self._watch(self.hand)
        elif self._woken.wait(LOOK_SECONDS):
            self._woken.clear()
        if self._stopping.is_set():
            return
        _be_impatient()
        self._write_verdicts()
        if time.monotonic() - self._beaten > min(BEAT_SECONDS, settings.JOB_STALL_SECONDS / 4):
            self._give_sign()
        if time.monotonic() - self._asked > CANCEL_LOOK_SECONDS:
            self._cancel()
        if (self.hand is None or self.hand.is_idle) and selectors.to_take().exists():
            self._call()

    def _call(self) -> None:
        if self.hand is not None and self.hand.process.poll() is not None:
            self._let_go(self.hand)
        if self.hand is None:
            self.hand = Hand.start()
        self.hand.call()

    def _watch(self, hand: Hand) -> None:
        """Listen, and end a hand that overran. Nothing here waits for the database."""
        if not hand.listen(TURN_SECONDS):
            self._bury(hand)
        elif hand.at is not None and (overran := hand.at.overran):
            at, (pk, claim) = hand.at, hand.at.held[-1]
            logger.warning("job %s took longer than %.0f s; its process is killed", pk, overran)
            self._let_go(hand)
            self._judge(
                at,
                lambda: overruns.job_overran(pk=pk, claim=claim, seconds=overran, is_item=at.is_item),
            )

    def _bury(self, hand: Hand) -> None:
        """The hand died by itself, or of somebody else."""
        self._let_go(hand)
        logger.warning("the process that does the jobs ended with status %s", hand.process.returncode)
        if hand.at is not None:
            at, (pk, claim) = hand.at, hand.at.held[-1]
            self._judge(at, lambda: overruns.job_died(pk=pk, claim=claim, is_item=at.is_item))
        if not hand.has_spoken:  # it can't even start: not to be tried many times a second
            self._deaths += 1
            self._stopping.wait(min(60.0, 2.0**self._deaths))

    def _cancel(self) -> None:
        """Jobs whose stop was asked for: those that let others pass end at once; the one at work, when it
        doesn't come to it by itself."""
        self._asked = time.monotonic()
        hand = self.hand
        at = hand.at if hand else None
        wanted = selectors.cancelled_of(at.held) if at else set()
        if hand is None or at is None or not wanted:
            self._stop_asked = None
            return
        last = at.held[-1]
        overruns.jobs_cancelled(held=[one for one in at.held[:-1] if one in wanted])
        if last not in wanted:
            return
        self._stop_asked = self._stop_asked or time.monotonic()
        if time.monotonic() - self._stop_asked > CANCEL_SECONDS:
            self._stop_asked = None
            self._let_go(hand)
            self._judge(at, lambda: overruns.jobs_cancelled(held=[last]))

    def _write_verdicts(self) -> None:
        """Into the rows. What the database can't take now is tried again; what can't be written at all is
        left to whoever finds the job silent."""
        while self._verdicts:
            try:
                self._verdicts[0]()
            except (DatabaseError, InterfaceError):
                raise
            except Exception:
                logger.exception("what became of a job can't be written down")
            del self._verdicts[0]

    def _judge(self, at: At, verdict: Callable[[], None]) -> None:
        """The job at work gets its verdict; those that let it pass wait for another hand."""
        self._verdicts += [verdict, lambda: overruns.jobs_put_back(held=at.held[:-1])]

    def _let_go(self, hand: Hand) -> None:
        hand.kill()
        self.hand = None
        if hand.has_spoken:
            self._deaths = 0

    def _give_sign(self) -> None:
        """The worker lives, and is at the jobs that its hand holds."""
        services.worker_seen(name=self.name)
        if self.hand is not None and self.hand.at is not None:
            services.jobs_heartbeat(held=self.hand.at.held)
        self._beaten = time.monotonic()

    def _end(self) -> None:
        try:
            held = self.hand.at.held if self.hand and self.hand.at else []
            if self.hand is not None:
                self._let_go(self.hand)
            self._write_verdicts()
            overruns.jobs_put_back(held=held)
            services.worker_gone(name=self.name)
        except (DatabaseError, InterfaceError) as error:
            logger.warning("the jobs of this worker will be found silent: %s", error)
        finally:
            connection.close()


def _be_impatient() -> None:
    """A lock that another process holds is not waited for long on this thread's connection."""
    if connection.connection is not None:
        return
    connection.ensure_connection()
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(f"PRAGMA busy_timeout = {LOCK_SECONDS * 1000}")
        else:
            cursor.execute("SELECT set_config('lock_timeout', %s, false)", [f"{LOCK_SECONDS}s"])


keeper = Keeper()
