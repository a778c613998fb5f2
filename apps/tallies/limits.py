"""How much memory and time the statements of a counting may take."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import OperationalError, connection, transaction

# What a counting's sort may take, and a table that it looks rows up in twice that.
MEMORY = "64MB"
# After so many of its steps SQLite asks whether to go on: a fraction of a millisecond.
_STEPS = 10_000


class TookTooLong(Exception):
    """The time is over."""


@contextmanager
def room_to_sort() -> Iterator[None]:
    """On PostgreSQL, memory for a million rows to be sorted or looked up in, without files."""
    if connection.vendor != "postgresql":
        yield
        return
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL work_mem = %s", [MEMORY])
        yield


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Statements inside, which read, are stopped when the time is over: :class:`TookTooLong`."""
    until = time.monotonic() + seconds
    stop = _stop_on_postgresql if connection.vendor == "postgresql" else _stop_on_sqlite

    def limited(execute: Any, *arguments: Any) -> Any:
        if time.monotonic() >= until:
            raise TookTooLong
        return execute(*arguments)

    try:
        with stop(until), connection.execute_wrapper(limited):
            yield
    except OperationalError as error:
        if time.monotonic() < until:
            raise
        raise TookTooLong from error


@contextmanager
def _stop_on_postgresql(until: float) -> Iterator[None]:
    with transaction.atomic(), connection.cursor() as cursor:
        left = max(1, round(1000 * (until - time.monotonic())))
        cursor.execute("SELECT set_config('statement_timeout', %s, true)", [str(left)])
        yield
        cursor.execute("SELECT set_config('statement_timeout', '0', true)")


@contextmanager
def _stop_on_sqlite(until: float) -> Iterator[None]:
    connection.ensure_connection()
    database: Any = connection.connection
    database.set_progress_handler(lambda: int(time.monotonic() >= until), _STEPS)
    try:
        yield
    finally:
        database.set_progress_handler(None, 0)
