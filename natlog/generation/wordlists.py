"""The tables of ``words.toml``."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any

DATA = Path(__file__).with_name("words.toml")


@lru_cache(maxsize=1)
def tables() -> dict[str, Any]:
    """Every table of the file, read once a process."""
    return tomllib.loads(DATA.read_text("utf-8"))


@lru_cache(maxsize=32)
def listed(name: str) -> frozenset[str]:
    """The words of one list. KeyError where there is none of that name."""
    return frozenset(tables()[name]["words"])
