"""Deleting a thing with all that belongs to it, once its service has found that nobody's work is in it.

What belongs to it is found by the tables' own foreign keys, ``PROTECT`` or not: these guard against
deleting by accident, and this is asked for. A reference that may be empty is emptied. Rows are deleted
without signals; the database checks at the end of the transaction that nothing refers to what is gone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from django.db import models, transaction
from django.db.models import SET_NULL

_A_QUERY = 900  # SQLite takes 999 values in a statement


def belongings_of(root: models.Model) -> dict[type[models.Model], list[Any]]:
    """The keys of all rows that go with ``root``, by their model, ``root`` among them. Some queries for each
    model that refers to one of these."""
    found: dict[type[models.Model], dict[Any, None]] = defaultdict(dict)
    new: list[tuple[type[models.Model], list[Any]]] = [(type(root), [root.pk])]
    while new:
        model, keys = new.pop()
        fresh = [key for key in keys if key not in found[model]]
        found[model].update(dict.fromkeys(fresh))
        for field in _references_to(model):
            if fresh and field.remote_field.on_delete is not SET_NULL:
                new.append((field.model, list(_rows(field, fresh))))
    return {model: list(keys) for model, keys in found.items() if keys}


@transaction.atomic
def remove_all(root: models.Model) -> None:
    """Delete ``root`` and all that belongs to it."""
    found = belongings_of(root)
    for model, keys in found.items():
        for field in _references_to(model):
            if field.remote_field.on_delete is SET_NULL:
                for some in _parts(keys):
                    field.model._default_manager.filter(**{f"{field.name}__in": some}).update(
                        **{field.name: None}
                    )
    for model, keys in found.items():
        for some in _parts(keys):
            rows: Any = model._default_manager.filter(pk__in=some)
            rows._raw_delete(rows.db)


def _references_to(model: type[models.Model]) -> Iterable[Any]:
    """The foreign keys of other tables, and of its own, that lead to a model."""
    for relation in model._meta.get_fields(include_hidden=True):
        if (relation.one_to_many or relation.one_to_one) and relation.auto_created and not relation.concrete:
            yield relation.field  # type: ignore[union-attr]


def _rows(field: Any, keys: Sequence[Any]) -> Iterable[Any]:
    for some in _parts(keys):
        yield from field.model._default_manager.filter(**{f"{field.name}__in": some}).values_list(
            "pk", flat=True
        )


def _parts(keys: Sequence[Any]) -> Iterable[Sequence[Any]]:
    return (keys[begin : begin + _A_QUERY] for begin in range(0, len(keys), _A_QUERY))
