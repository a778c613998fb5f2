"""Rows read and written without building their statement anew.

Django builds the text of each statement each time, which takes several times as long as running it. Where
rows are read and written for each card of each annotator, these do the same with the text kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from django.core.exceptions import EmptyResultSet
from django.db import connection, models
from django.db.models import QuerySet

M = TypeVar("M", bound=models.Model)
if TYPE_CHECKING:
    _Field = models.Field[Any, Any]
#: A change of one row that is there: the row, and the names of the fields to write.
Change = tuple[models.Model, tuple[str, ...]]


# ---- Reading -----------------------------------------------------------------------------------


def plain_rows(columns: QuerySet[Any, tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """The rows of a ``values_list`` as the database's driver gives them, for where there are millions: times
    have no zone on SQLite (they are in UTC there), and JSON is text. One query."""
    try:
        sql, params = columns.query.sql_with_params()
    except EmptyResultSet:
        return []
    with connection.cursor() as cursor:
        cursor.execute(sql, params)
        found: list[tuple[Any, ...]] = cursor.fetchall()
    return found


@cache
def columns(model: type[models.Model], alias: str, *names: str) -> str:
    """What a SELECT says to have a row of ``model`` (or the named fields of it) for :func:`row_of`."""
    return ", ".join(f'{alias}."{field.column}"' for field in _read(model, names))


def row_of(model: type[M], values: Sequence[Any], *names: str) -> M:
    """The row that was read by :func:`columns`. Fields that were not named are read when they are asked
    for, one query each."""
    values = list(values)
    for place, convert in _conversions(model, names, connection.vendor):
        values[place] = convert(values[place])
    return model.from_db(connection.alias, _attributes(model, names), values)


@cache
def width(model: type[models.Model], *names: str) -> int:
    """How many columns :func:`columns` says."""
    return len(_read(model, names))


@cache
def _read(model: type[models.Model], names: tuple[str, ...]) -> tuple[_Field, ...]:
    fields = model._meta.concrete_fields
    return tuple(field for field in fields if not names or field.name in names)


@cache
def _attributes(model: type[models.Model], names: tuple[str, ...]) -> list[str]:
    return [field.attname for field in _read(model, names)]


@cache
def _conversions(
    model: type[models.Model], names: tuple[str, ...], vendor: str
) -> list[tuple[int, Callable[[Any], Any]]]:
    """What Django makes of the database's values, for the columns where it does (``vendor`` is the key)."""
    return [
        (place, convert)
        for place, field in enumerate(_read(model, names))
        if (convert := _conversion(field)) is not None
    ]


def _conversion(field: _Field) -> Callable[[Any], Any] | None:
    column = field.get_col(field.model._meta.db_table)
    converters = [*connection.ops.get_db_converters(column), *field.get_db_converters(connection)]

    def convert(value: Any) -> Any:
        for converter in converters:
            value = converter(value, column, connection)
        return value

    return convert if converters else None


# ---- Writing -----------------------------------------------------------------------------------


def insert(row: models.Model) -> None:
    """Add a new row, and give it its number. As ``save(force_insert=True)``, without signals."""
    with connection.cursor() as cursor:
        cursor.execute(_insertion(type(row)), _inserted(row))
        _is_there(row, cursor.fetchone()[0])


def insert_many(
    like: models.Model, names: Sequence[str], values: Iterable[Sequence[Any]], *, conflict: str = "DO NOTHING"
) -> None:
    """Add rows that are as ``like`` is but for the named fields, whose ``values`` (as the database has them)
    come row by row; ``conflict`` says what becomes of one that is there already. As ``bulk_create``, without
    an object for each row. One statement."""
    rows = list(values)
    if not rows:
        return
    by_name: dict[str, _Field] = {field.name: field for field in type(like)._meta.concrete_fields}
    varying = [by_name[name] for name in names]
    same = [field for field in _columns(type(like)) if field not in varying]
    given = [field.get_db_prep_save(field.pre_save(like, add=True), connection) for field in same]
    columns = ", ".join(f'"{field.column}"' for field in (*varying, *same))
    into = f'INSERT INTO "{type(like)._meta.db_table}" ({columns})'
    on_conflict = f"ON CONFLICT {conflict}"
    with connection.cursor() as cursor:
        if connection.vendor != "postgresql":
            places = ", ".join(["%s"] * (len(varying) + len(same)))
            cursor.executemany(f"{into} VALUES ({places}) {on_conflict}", [(*row, *given) for row in rows])
            return
        lists = ", ".join(f"%s::{field.db_type(connection)}[]" for field in varying)
        constants = "".join(f", %s::{field.db_type(connection)}" for field in same)
        cursor.execute(
            f"{into} SELECT new.*{constants} FROM UNNEST({lists}) AS new {on_conflict}",  # noqa: S608 - names
            [*given, *(list(column) for column in zip(*rows, strict=True))],
        )


def update(row: models.Model, *names: str) -> None:
    """Write the named fields of a row that is there. As ``save(update_fields=names)``, without signals."""
    with connection.cursor() as cursor:
        cursor.execute(_change(type(row), names), _changed(row, names))


def insert_with(
    row: models.Model, *, new: Sequence[tuple[models.Model, str]] = (), changed: Sequence[Change] = ()
) -> None:
    """Add a new row and what belongs to it: ``new`` rows, each with the name of the column that holds the
    first one's number, and changes of others. One statement on PostgreSQL; SQLite takes them one by one."""
    if connection.vendor != "postgresql":
        insert(row)
        for other, column in new:
            setattr(other, column, row.pk)
            insert(other)
        for other, names in changed:
            update(other, *names)
        return
    parts, values = [f"main AS ({_insertion(type(row))})"], [*_inserted(row)]
    for number, (other, column) in enumerate(new):
        parts.append(f"new{number} AS ({_insertion(type(other), column)})")
        values += _inserted(other, column)
    for number, (other, names) in enumerate(changed):
        parts.append(f"changed{number} AS ({_change(type(other), names)})")
        values += _changed(other, names)
    key = row._meta.pk.column
    with connection.cursor() as cursor:
        cursor.execute(f'WITH {", ".join(parts)} SELECT "{key}" FROM main', values)  # noqa: S608 - names of columns
        _is_there(row, cursor.fetchone()[0])
    for other, column in new:
        setattr(other, column, row.pk)


def _is_there(row: models.Model, pk: Any) -> None:
    row.pk = pk
    row._state.adding, row._state.db = False, connection.alias


def _inserted(row: models.Model, but: str = "") -> list[Any]:
    fields = [field for field in _columns(type(row)) if field.attname != but]
    return [field.get_db_prep_save(field.pre_save(row, add=True), connection) for field in fields]


def _changed(row: models.Model, names: tuple[str, ...]) -> list[Any]:
    fields = _named(type(row), names)
    return [
        *(field.get_db_prep_save(field.pre_save(row, add=False), connection) for field in fields),
        row.pk,
    ]


@cache
def _columns(model: type[models.Model]) -> tuple[_Field, ...]:
    return tuple(field for field in model._meta.concrete_fields if not field.primary_key)


@cache
def _named(model: type[models.Model], names: tuple[str, ...]) -> tuple[_Field, ...]:
    return tuple(field for field in _columns(model) if field.name in names)


@cache
def _insertion(model: type[models.Model], main: str = "") -> str:
    """``main`` names the column, if any, that holds the number of the row inserted beside it."""
    names = ", ".join(f'"{field.column}"' for field in _columns(model))
    key = model._meta.pk.column
    number = f'(SELECT "{key}" FROM main)'  # noqa: S608 - names of columns
    places = ", ".join(number if field.attname == main else "%s" for field in _columns(model))
    return f'INSERT INTO "{model._meta.db_table}" ({names}) VALUES ({places}) RETURNING "{key}"'  # noqa: S608


@cache
def _change(model: type[models.Model], names: tuple[str, ...]) -> str:
    written = ", ".join(f'"{field.column}" = %s' for field in _named(model, names))
    table, key = model._meta.db_table, model._meta.pk.column
    return f'UPDATE "{table}" SET {written} WHERE "{key}" = %s'  # noqa: S608
