"""What a format of published pairs is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol


class Line(Protocol):
    """A pair's line with its end. ``row`` is the pair as JSON (apps/releases/rows.py), ``index`` its place in
    the release from 1 on, ``labels`` are the dataset's."""

    def __call__(self, row: dict[str, Any], *, index: int, labels: Sequence[str]) -> str: ...


@dataclass(frozen=True)
class Format:
    """``data/<split>.<ending>``: a header, and a line a pair. ``holds`` is what the card says of it."""

    ending: str
    holds: str
    line: Line
    header: str = ""
