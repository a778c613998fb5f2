"""Joins of whole tables, whose plan must not depend on what PostgreSQL last counted."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, models, transaction

_COUNTED = "SELECT min(reltuples) FROM pg_class WHERE oid = ANY(%s::regclass[])"


@contextmanager
def joined_by_hashing(*tables: type[models.Model]) -> Iterator[None]:
    """Within it, PostgreSQL joins by hashing where it counts no rows in one of the tables.

    A table that was empty when it was last looked at is taken to be empty still, and loops over whole tables
    are nested: minutes for a few thousand rows. One query more; none on SQLite, which plans by its indexes.
    """
    if connection.vendor != "postgresql":
        yield
        return
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_COUNTED, [[table._meta.db_table for table in tables]])
        unknown = cursor.fetchone()[0] <= 0
        if unknown:
            cursor.execute("SET LOCAL enable_nestloop = off")
        yield
        if unknown:
            cursor.execute("SET LOCAL enable_nestloop = DEFAULT")
