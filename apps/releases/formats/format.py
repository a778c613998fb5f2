"""What a format of published pairs is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from apps.releases.columns import Row


class Line(Protocol):
    """A pair's line up to its split and group. ``row`` is the pair with what several formats write alike
    (apps/releases/columns.py), ``index`` its place in the release from 1 on, ``labels`` are the dataset's."""

    def __call__(self, row: Row, *, index: int, labels: Sequence[str]) -> str: ...


class End(Protocol):
    """The rest of a line: the name of the pair's split and the number of its group, where the format has
    them, and the line's end. The splits are drawn when the lines are written already."""

    def __call__(self, split: str, group: int) -> str: ...


@dataclass(frozen=True)
class Loading:
    """The card's code that reads the files: what comes of it has this ``name``.

    ``datasets`` are lines of arguments of `datasets.load_dataset`; ``pandas`` and ``polars`` call a function
    of theirs, "" where the card shows none. ``{files}`` stands for the files of all splits, by split,
    ``{first}`` for the first split, ``{file}`` for its file.
    """

    name: str
    datasets: tuple[str, ...]
    pandas: str = ""
    polars: str = ""


def texts(columns: Sequence[str]) -> str:
    """Columns of text, as `datasets` is told them; ``text`` is defined before."""
    return f'datasets.Features({{name: text for name in "{" ".join(columns)}".split()}})'


@dataclass(frozen=True)
class Format:
    """``data/<split>.<ending>``: a header, and a line a pair. ``holds`` is what the card says of it."""

    ending: str
    holds: str
    line: Line
    end: End
    loading: Loading
    header: str = ""
