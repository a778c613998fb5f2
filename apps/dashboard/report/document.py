"""A report as it is stored: chapters of sentences, tables and figures, in one language.

A chapter takes all exhibits of a page (``kept`` of its module of exhibits), so that a new one of a page is in
the report too.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from typing import Any

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.frame.exhibits import Cell, Column, Exhibits, Figure, Table
from apps.frame.exhibits.tables import Form

#: A longer table is cut, but for the rows that are set apart: the page's file has it.
ROWS = 40


@dataclass(frozen=True)
class Told:
    """What a chapter says, in its reader's language: sentences, and its page's exhibits. Those in ``without``
    are left to the page; ``page`` is its address."""

    sentences: list[str]
    exhibits: Exhibits = field(default_factory=dict)
    without: Collection[str] = ()
    page: str = ""


@dataclass(frozen=True)
class Shown:
    """An exhibit of a report; ``left`` rows of a table are left out of it."""

    key: str
    exhibit: Table | Figure
    left: int = 0

    @property
    def table(self) -> Table | None:
        return self.exhibit if isinstance(self.exhibit, Table) else None

    @property
    def figure(self) -> Figure | None:
        return self.exhibit if isinstance(self.exhibit, Figure) else None

    @property
    def left_said(self) -> str:
        """How many rows are left out; "" for none."""
        text = ngettext(
            "%(n)s more row is in the page's file.", "%(n)s more rows are in the page's file.", self.left
        )
        return text % {"n": self.left} if self.left else ""


@dataclass(frozen=True)
class Chapter:
    """``group`` is the name of the dataset that it is of, "" of the study; ``as_of`` an ISO time."""

    name: str
    title: str
    group: str
    as_of: str
    page: str
    sentences: list[str]
    exhibits: list[Shown]

    @property
    def as_of_said(self) -> str:
        at = datetime.fromisoformat(self.as_of)
        return _("As of %(day)s (UTC).") % {"day": date_format(at, "SHORT_DATETIME_FORMAT")}


@dataclass(frozen=True)
class Group:
    """The chapters of a dataset (``name``), or of the study ("")."""

    name: str
    chapters: list[Chapter]


def written(told: Told, *, name: str, title: str, group: str, as_of: str) -> dict[str, Any]:
    """A chapter as JSON, its texts in the language that is active. ``name`` is its own in the report; its
    exhibits' keys begin with it. A table without rows is left out."""
    made = {key: make() for key, make in told.exhibits.items() if key not in told.without}
    made = {key: one for key, one in made.items() if not isinstance(one, Table) or one.rows}
    return {
        "name": name,
        "title": title,
        "group": group,
        "as_of": as_of,
        "page": told.page,
        "sentences": told.sentences,
        "exhibits": [
            {"key": f"{name}-{key}", **(_table(one) if isinstance(one, Table) else _figure(one))}
            # What one sees first, and then its numbers.
            for kind in (Figure, Table)
            for key, one in made.items()
            if isinstance(one, kind)
        ],
    }


def read(chapters: list[dict[str, Any]]) -> list[Chapter]:
    """The chapters again, from :func:`written`."""
    return [Chapter(**{**said, "exhibits": [_shown(one) for one in said["exhibits"]]}) for said in chapters]


def grouped(chapters: list[Chapter]) -> list[Group]:
    """By what they are of, in order."""
    return [Group(name, list(own)) for name, own in groupby(chapters, key=lambda one: one.group)]


def _figure(figure: Figure) -> dict[str, Any]:
    return {"title": str(figure.title), "says": str(figure.says), "spec": figure.spec}


def _table(table: Table) -> dict[str, Any]:
    numbers = [n for n in range(len(table.rows)) if n < ROWS or n in table.emphasised]
    return {
        "title": str(table.title),
        "columns": [[one.key, str(one.title), one.form.value, one.decimals] for one in table.columns],
        "rows": [[_cell(cell) for cell in table.rows[number]] for number in numbers],
        "emphasised": [place for place, number in enumerate(numbers) if number in table.emphasised],
        "left": len(table.rows) - len(numbers),
    }


def _cell(cell: Cell) -> list[Any]:
    value = cell.value if cell.value is None or isinstance(cell.value, int | float) else str(cell.value)
    return [value, cell.url, str(cell.beside)]


def _shown(said: Mapping[str, Any]) -> Shown:
    if "spec" in said:
        return Shown(said["key"], Figure(said["title"], said["says"], said["spec"]))
    columns = [Column(key, title, Form(form), decimals) for key, title, form, decimals in said["columns"]]
    rows = [[Cell(value, url, beside) for value, url, beside in row] for row in said["rows"]]
    table = Table(said["title"], columns, rows, frozenset(said["emphasised"]))
    return Shown(said["key"], table, said["left"])
