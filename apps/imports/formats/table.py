"""What a format that is known by its columns consists of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from apps.imports.records.record import Record
from apps.imports.rows import PairRow

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

Values = Mapping[str, str]


@dataclass(frozen=True)
class Columns:
    """A format: it is recognised by ``required`` (in lower case), and reads one record at a time.

    ``read`` is also given what labels of the file were said to stand for; it raises
    :class:`~apps.imports.rows.CellError` for a record that is no pair.
    """

    key: str
    title: StrOrPromise
    required: frozenset[str]
    read: Callable[[Record, Values], PairRow]
