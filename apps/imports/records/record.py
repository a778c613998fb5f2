"""A record by the names of its columns, and the records of a file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from apps.corpora.formats.readings import RowError
from apps.imports.labels import spelled
from apps.imports.rows import CellError

MOST_COLUMNS = 1000


@dataclass(frozen=True, slots=True)
class Record:
    """A record by the names of its columns in lower case; ``line`` is where it begins."""

    number: int
    line: int
    cells: Mapping[str, Any]

    def text(self, *columns: str) -> str:
        """The cell of the first of these columns that is there, stripped; "" where none is."""
        for column in columns:
            value = self.cells.get(column)
            if value is None or value != value:  # not a number
                continue
            if isinstance(value, str):
                return value.strip()
            if isinstance(value, int | float) and not isinstance(value, bool):
                return str(value)
            raise CellError(column, _("this is no text: %(found)s") % {"found": repr(value)[:60]})
        return ""

    def label(self, *columns: str) -> str:
        """A label's cell as people would write it, numbers and truth values too; of a list, its only one."""
        value = next((found for name in columns if (found := self.cells.get(name)) is not None), None)
        if isinstance(value, list):
            several = list(dict.fromkeys(spelled(item) for item in value))
            if len(several) > 1:
                raise CellError(
                    columns[0], _("several labels: %(found)s") % {"found": ", ".join(several)[:60]}
                )
            return several[0] if several else ""
        return spelled(value) if isinstance(value, bool | int | float) else self.text(*columns)

    def listed(self, column: str) -> list[Any]:
        """A cell that is a list, or in a table its JSON; [] where there is none."""
        value = self.cells.get(column)
        if value is None or value == "":
            return []
        if isinstance(value, str) and value.startswith("["):
            try:
                value = json.loads(value)
            except (ValueError, RecursionError) as error:
                raise CellError(column, _("this is no JSON")) from error
        if not isinstance(value, list):
            raise CellError(column, _("a list is wanted, not %(found)s") % {"found": repr(value)[:60]})
        return value


@dataclass(frozen=True)
class Records:
    """The columns of a file as it names them, and its records and bad rows in order."""

    columns: tuple[str, ...]
    rows: Iterator[Record | RowError]

    @property
    def keys(self) -> frozenset[str]:
        return frozenset(name.lower() for name in self.columns)
