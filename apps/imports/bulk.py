"""Many rows of a table at once, without an object for each: COPY on PostgreSQL, a prepared INSERT on SQLite.

Their numbers are drawn first, so that rows which belong to them can be written without reading any back.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from django.db import connection, models
from django.utils import timezone

_ESCAPES = str.maketrans({"\\": r"\\", "\t": r"\t", "\n": r"\n", "\r": r"\r"})


def numbers(model: type[models.Model], count: int) -> Sequence[int]:
    """``count`` numbers that no row of the table has or gets. On SQLite, only within a transaction, which
    lets no other writer in."""
    if not count:
        return ()
    table = model._meta.db_table
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            draw = "SELECT nextval(pg_get_serial_sequence(%s, 'id')) FROM generate_series(1, %s)"
            cursor.execute(draw, [table, count])
            return [number for (number,) in cursor.fetchall()]
        cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
        last = (cursor.fetchone() or [0])[0]
    return range(last + 1, last + 1 + count)


def insert(model: type[models.Model], fields: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Insert rows with the values of these fields, in their order; the other fields get their defaults.
    Times are given as aware datetimes, JSON as what it stands for, references as numbers."""
    by_name = {field.name: field for field in model._meta.concrete_fields}
    named = [by_name.pop(name) for name in fields]
    others = [field for field in by_name.values() if not field.primary_key]
    defaults = [_default(field) for field in others]
    columns = [*named, *others]
    quoted = ", ".join(connection.ops.quote_name(str(column.column)) for column in columns)
    table = connection.ops.quote_name(model._meta.db_table)
    how = {place: adapt for place, column in enumerate(columns) if (adapt := _adapter(column))}
    adapted = (_adapted([*row, *defaults], how) for row in rows)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            text = io.StringIO("".join(map(_line, adapted)))
            cursor.copy_expert(f"COPY {table} ({quoted}) FROM STDIN", text)
        else:
            places = ", ".join(["%s"] * len(columns))
            cursor.executemany(f"INSERT INTO {table} ({quoted}) VALUES ({places})", list(adapted))  # noqa: S608


def _default(field: models.Field[Any, Any]) -> Any:
    is_now = getattr(field, "auto_now_add", False) or getattr(field, "auto_now", False)
    return timezone.now() if is_now else field.get_default()


def _adapter(field: models.Field[Any, Any]) -> Callable[[Any], Any] | None:
    """How a field's value is written where the database's driver can't know."""
    if isinstance(field, models.JSONField):
        return json.dumps
    if isinstance(field, models.DateTimeField):
        return connection.ops.adapt_datetimefield_value
    return None


def _adapted(row: list[Any], how: dict[int, Callable[[Any], Any]]) -> list[Any]:
    for place, adapt in how.items():
        row[place] = adapt(row[place])
    return row


def _line(row: Sequence[Any]) -> str:
    """A row as COPY reads it."""
    return "\t".join([_cell(value) for value in row]) + "\n"


def _cell(value: Any) -> str:
    if isinstance(value, str):
        return value if value.isprintable() and "\\" not in value else value.translate(_ESCAPES)
    return "\\N" if value is None else str(value)
