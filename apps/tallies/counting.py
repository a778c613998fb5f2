"""What can be counted, by name: rooms register it when Django starts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from django.db.models import Model

from apps.studies.access import within
from apps.studies.models import Study

#: From a study and arguments (JSON) to a value (JSON): numbers and words of the database, nothing translated,
#: nobody's permissions, no clock. The same rows give the same value, so what is drawn has a fixed seed.
Compute = Callable[[Study, dict[str, Any]], Any]


@dataclass(frozen=True)
class Counting:
    """``reads`` are the tables that the value depends on (each watched), ``title`` what the job is called."""

    name: str
    title: str
    compute: Compute
    reads: Sequence[type[Model]]


M = TypeVar("M", bound=Model)

_countings: dict[str, Counting] = {}


def register(name: str, title: str, compute: Compute, reads: Sequence[type[Model]]) -> None:
    """Registering a name again replaces it. ``title``: in English, marked with ``gettext_noop``."""
    _countings[name] = Counting(name, title, compute, tuple(reads))


def counting_named(name: str) -> Counting:
    """KeyError where nothing is registered as ``name``."""
    return _countings[name]


def row_asked(model: type[M], study: Study, asked: int | M, *also: str) -> M:
    """The row that an argument of a counting names: what the page has read, else the study's of that number,
    with what belongs to it ``also``. One query at most; ``DoesNotExist``."""
    if isinstance(asked, model):
        return asked
    return within(model, study).select_related(*also).get(pk=asked)
