"""How predicates stand in time and what times are called, from ``times.toml``."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any

DATA = Path(__file__).with_name("times.toml")


@lru_cache(maxsize=1)
def _tables() -> dict[str, Any]:
    return tomllib.loads(DATA.read_text("utf-8"))


def months() -> list[str]:
    """The months' names in their order, in lower case."""
    return list(_tables()["months"])


@lru_cache(maxsize=16)
def verbs(kind: str) -> frozenset[str]:
    """The lemmas of one class of verbs; KeyError for a class the file lacks."""
    return frozenset(_tables()["verbs"][kind])


@lru_cache(maxsize=1)
def unique() -> frozenset[str]:
    """Ordinal words that let a thing be done but once."""
    return frozenset(_tables()["unique"]["words"])


def hours(unit: str) -> float | None:
    """The length of a unit in hours, or None of other words.

    >>> hours("week")
    168
    """
    found = _tables()["hours"].get(unit)
    return found if found is None else float(found) if not isinstance(found, int) else found
