"""Classes of modifiers, from ``modifiers.toml``."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from pathlib import Path

DATA = Path(__file__).with_name("modifiers.toml")


@lru_cache(maxsize=1)
def _classes() -> dict[str, frozenset[str]]:
    tables = tomllib.loads(DATA.read_text("utf-8"))
    return {name: frozenset(table["words"]) for name, table in tables.items()}


def modifiers(name: str) -> frozenset[str]:
    """The words of one class; KeyError for a class the file lacks.

    >>> "fake" in modifiers("privative")
    True
    """
    return _classes()[name]
