"""Single rows written without building their statement anew.

``Model.save`` builds the text of its statement each time, which takes several times as long as running it.
Where rows are written for each card of each annotator, these two do the same with the text kept.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from django.db import connection, models


def insert(row: models.Model) -> None:
    """Add a new row, and give it its number. As ``save(force_insert=True)``, without signals."""
    model = type(row)
    values = [field.get_db_prep_save(field.pre_save(row, add=True), connection) for field in _columns(model)]
    with connection.cursor() as cursor:
        cursor.execute(_insertion(model), values)
        row.pk = cursor.fetchone()[0]
    row._state.adding, row._state.db = False, connection.alias


def update(row: models.Model, *names: str) -> None:
    """Write the named fields of a row that is there. As ``save(update_fields=names)``, without signals."""
    model = type(row)
    values = [
        field.get_db_prep_save(field.pre_save(row, add=False), connection) for field in _named(model, names)
    ]
    with connection.cursor() as cursor:
        cursor.execute(_change(model, names), [*values, row.pk])


@cache
def _columns(model: type[models.Model]) -> tuple[models.Field[Any, Any], ...]:
    return tuple(field for field in model._meta.concrete_fields if not field.primary_key)


@cache
def _named(model: type[models.Model], names: tuple[str, ...]) -> tuple[models.Field[Any, Any], ...]:
    return tuple(field for field in _columns(model) if field.name in names)


@cache
def _insertion(model: type[models.Model]) -> str:
    columns = ", ".join(f'"{field.column}"' for field in _columns(model))
    places = ", ".join("%s" for _field in _columns(model))
    table, key = model._meta.db_table, model._meta.pk.column
    return f'INSERT INTO "{table}" ({columns}) VALUES ({places}) RETURNING "{key}"'  # noqa: S608


@cache
def _change(model: type[models.Model], names: tuple[str, ...]) -> str:
    columns = ", ".join(f'"{field.column}" = %s' for field in _named(model, names))
    table, key = model._meta.db_table, model._meta.pk.column
    return f'UPDATE "{table}" SET {columns} WHERE "{key}" = %s'  # noqa: S608
