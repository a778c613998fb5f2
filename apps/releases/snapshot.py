"""One state of the database for all that a release reads, over as many chunks of a job as it takes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections


class Snapshot:
    """A connection of its own in a transaction that only reads: annotators go on answering meanwhile, and
    nothing of it shows. Inside :meth:`reading` every query goes there.

    Where the caller is in a transaction already, or the database is in memory (tests), that is the one
    state there is, and no other connection is opened. Close it: an open one keeps the database from
    clearing up.
    """

    def __init__(self) -> None:
        self._own: Any = None
        usual: Any = connections[DEFAULT_DB_ALIAS]
        in_memory = usual.vendor == "sqlite" and usual.is_in_memory_db()
        if usual.in_atomic_block or in_memory:
            return
        self._own = connections.create_connection(DEFAULT_DB_ALIAS)
        with self._own.cursor() as cursor:
            if usual.vendor == "postgresql":
                cursor.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
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

    def close(self) -> None:
        if self._own is not None:
            self._own.close()
            self._own = None
