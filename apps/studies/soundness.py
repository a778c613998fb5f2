"""Checks of what must always hold in the database, as ``manage.py doctor`` runs them.

An app describes what must hold of its own rows in its ``invariants.py`` and registers it when Django
starts. A check only reads, in one statement, so that work that goes on meanwhile raises no false alarm,
and row by row, so that a million judgements need no more memory than one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from django.db import connection
from django.db.models import Exists, Model, OuterRef, QuerySet

from apps.studies.access import within
from apps.studies.models import Study

M = TypeVar("M", bound=Model)


@dataclass(frozen=True)
class Fault:
    """One thing that is not as it must be: the rows by their numbers, and what to do about it.

    A note (``is_note``) is worth knowing, but can come about rightly.
    """

    check: str
    text: str
    remedy: str
    is_note: bool = False

    def __str__(self) -> str:
        return f"{'note' if self.is_note else 'fault'} [{self.check}] {self.text} → {self.remedy}"


#: Everything of one kind that is wrong in a study, or (None) in all of them.
Check = Callable[[Study | None], Iterator[Fault]]

_checks: list[Check] = []


def register(*checks: Check) -> None:
    """Add an app's checks; adding one twice changes nothing."""
    _checks.extend(check for check in checks if check not in _checks)


def checks() -> Sequence[Check]:
    """All registered checks, in the order of their registration."""
    return tuple(_checks)


#: What a host must see to at once, in a line each, nobody's data in it: a monitor asks often and is anybody.
Complaints = Callable[[], Iterator[str]]

_complaints: list[Complaints] = []


def register_complaints(*found: Complaints) -> None:
    """Add what an app looks at for a monitor; adding one twice changes nothing."""
    _complaints.extend(one for one in found if one not in _complaints)


def complaints() -> list[str]:
    """What a quick look finds: about one query each."""
    return [line for one in _complaints for line in one()]


def faults(study: Study | None = None) -> Iterator[Fault]:
    """What is wrong, check by check. Queries: about one a check."""
    for check in _checks:
        yield from check(study)


# ---- What checks are made of ---------------------------------------------------------------------


def rows(model: type[M], study: Study | None) -> QuerySet[M]:
    """The rows of a study, or all of them, without an order."""
    found = within(model, study) if study else model._default_manager.all()
    return found.order_by()


def lacking(found: QuerySet[M], others: QuerySet[Any], column: str, *, own: str = "pk") -> QuerySet[M]:
    """The rows of ``found`` whose ``own`` column is in no ``column`` of ``others``.

    PostgreSQL answers NOT EXISTS with one pass over both tables, and NOT IN of many rows hardly ever;
    SQLite the other way round.
    """
    if connection.vendor == "postgresql":
        return found.filter(~Exists(others.filter(**{column: OuterRef(own)})))
    there = others.filter(**{f"{column}__isnull": False}).values(column)
    return found.exclude(**{f"{own}__in": there})
