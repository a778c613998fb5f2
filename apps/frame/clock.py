"""The database's clock: leases and durations come from it, never from a web process or a browser."""

from __future__ import annotations

from datetime import UTC, datetime

from django.db import connection


def database_now() -> datetime:
    """The current time by the database, with its time zone. One query."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT clock_timestamp()")
            now: datetime = cursor.fetchone()[0]
            return now
    # SQLite lives in this process: its clock is this machine's, at millisecond resolution.
    return datetime.now(UTC)
