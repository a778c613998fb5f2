"""What can be counted, by name: rooms register it when Django starts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Model

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


_countings: dict[str, Counting] = {}


def register(name: str, title: str, compute: Compute, reads: Sequence[type[Model]]) -> None:
    """Registering a name again replaces it. ``title``: in English, marked with ``gettext_noop``."""
    _countings[name] = Counting(name, title, compute, tuple(reads))


def counting_named(name: str) -> Counting:
    """KeyError where nothing is registered as ``name``."""
    return _countings[name]
