"""What a section of a report is: facts that a job stores, and the sentences and tables that show them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from apps.reports.models import BalanceReport
from apps.reports.rows import Row


@dataclass(frozen=True)
class Table:
    """Columns and rows of words; the first column names the row. ``title`` may be ""."""

    columns: list[str]
    rows: list[list[str]]
    title: str = ""


@dataclass
class Section:
    """One section: what was found in a sentence or two, and its tables."""

    title: str
    words: list[str] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    examples: list[list[str]] = field(default_factory=list)


#: The facts of a section, over the report's pairs; signs of life are given meanwhile. Heavy libraries are
#: loaded in it, in a worker.
Facts = Callable[[BalanceReport, list[Row], Callable[[], None]], Any]


@dataclass(frozen=True)
class Kind:
    """A section by its name among a report's facts. ``place`` is where it is shown."""

    name: str
    place: int
    facts: Facts
    shown: Callable[[BalanceReport, Any], Section]
