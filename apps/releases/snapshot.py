"""One state of the database for all that a release reads, over as many chunks of a job as it takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, Generic, Protocol, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections


class Batched(Protocol):
    """What was read at once, up to number ``last``."""

    @property
    def last(self) -> int: ...


B = TypeVar("B", bound=Batched)


class Snapshot:
    """A connection of its own in a transaction that only reads: annotators go on answering meanwhile, and
    nothing of it shows. Inside :meth:`reading` every query goes there.

    Where the caller is in a transaction already, or the database is in memory (tests), that is the one
    state there is, and no other connection is opened. Close it: an open one keeps the database from
    clearing up.
    """

    _own: Any = None
    _thread: ThreadPoolExecutor | None = None

    def __init__(self) -> None:
        usual: Any = connections[DEFAULT_DB_ALIAS]
        in_memory = usual.vendor == "sqlite" and usual.is_in_memory_db()
        if usual.in_atomic_block or in_memory:
            return
        self._own = connections.create_connection(DEFAULT_DB_ALIAS)
        self._own.inc_thread_sharing()
        # SQLite's rows are fetched one by one, each time waiting for this thread to pause.
        if usual.vendor == "postgresql":
            self._thread = ThreadPoolExecutor(1)
        with self._own.cursor() as cursor:
            if usual.vendor == "postgresql":
                cursor.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
                # What is read lies side by side, a small part of each table at a time; else it reads a whole
                # table for some thousand of its rows, and with both cores.
                cursor.execute("SET LOCAL random_page_cost = 1")
                cursor.execute("SET LOCAL max_parallel_workers_per_gather = 0")
            else:
                # Not Django's own BEGIN IMMEDIATE, which would keep annotators from answering meanwhile.
                cursor.execute("BEGIN DEFERRED")
            # The state is that of the first query, not of BEGIN.
            cursor.execute("SELECT 1 FROM django_migrations")
            cursor.fetchone()

    @contextmanager
    def reading(self) -> Iterator[None]:
        if self._own is None:
            yield
            return
        usual = connections[DEFAULT_DB_ALIAS]
        connections[DEFAULT_DB_ALIAS] = self._own
        try:
            yield
        finally:
            connections[DEFAULT_DB_ALIAS] = usual

    def begin(self, read: Callable[[int], B | None], after: int) -> Future[B | None] | None:
        """Begin to read what comes after number ``after`` in a thread of its own, so that the database's
        server works meanwhile on another core; None where nobody else would."""
        if self._thread is None:
            return None
        return self._thread.submit(self.read, read, after)

    def read(self, read: Callable[[int], B | None], after: int) -> B | None:
        with self.reading():
            return read(after)

    def close(self) -> None:
        if self._thread is not None:
            self._thread.shutdown(cancel_futures=True)
            self._thread = None
        if self._own is not None:
            self._own.close()
            self._own = None


class Ahead(Generic[B]):
    """Batches of a snapshot, each of which is read while the caller works on the one before. Nothing else
    may be read from the snapshot until :meth:`after` gave None."""

    def __init__(self, snapshot: Snapshot, read: Callable[[int], B | None]) -> None:
        self._snapshot, self._read = snapshot, read
        self._begun: tuple[int, Future[B | None] | None] = (0, None)

    def after(self, number: int) -> B | None:
        """The batch after this number; None where there are no more."""
        (begun, waiting), self._begun = self._begun, (0, None)
        found = waiting.result() if waiting else None
        if waiting is None or begun != number:
            found = self._snapshot.read(self._read, number)
        if found is not None:
            self._begun = found.last, self._snapshot.begin(self._read, found.last)
        return found
