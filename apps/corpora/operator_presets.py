"""Presets of operators: what papers chose their sentences by, as data (``operator_presets.toml``)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Row:
    """A row of a paper's table: its ``words`` as printed, the ``operators`` that hold them here, and the
    signs of their arguments where the paper prints them."""

    words: tuple[str, ...]
    operators: tuple[str, ...]
    category: str = ""
    first: str = ""
    second: str = ""


@dataclass(frozen=True)
class OperatorPreset:
    """``quotas`` are the most blanks of a polarity (up, down, flat) that the paper took."""

    key: str
    title: str
    source: str
    note: str
    rows: tuple[Row, ...]
    quotas: Mapping[str, int] = field(default_factory=dict)

    @property
    def operators(self) -> tuple[str, ...]:
        """Each of its operators once, in the table's order.

        >>> operator_presets()["med-table-1"].operators[:4]
        ('every', 'some', 'many', 'any')
        """
        return tuple(dict.fromkeys(name for row in self.rows for name in row.operators))


@cache
def operator_presets() -> dict[str, OperatorPreset]:
    """Every preset by its key, in the file's order."""
    found: dict[str, OperatorPreset] = {}
    with (Path(__file__).parent / "operator_presets.toml").open("rb") as file:
        for entry in tomllib.load(file)["preset"]:
            joined = [row for key in entry.pop("of", []) for row in found[key].rows]
            rows = (*joined, *map(_row, entry.pop("row", [])))
            found[entry["key"]] = OperatorPreset(rows=rows, **entry)
    return found


def _row(entry: dict[str, Any]) -> Row:
    return Row(**{**entry, "words": tuple(entry["words"]), "operators": tuple(entry["operators"])})
