"""Balance on request: at most so many pairs of each operation, direction and label."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from natlog.generation.change import MadePair

Cell = tuple[str, str, str]


class Quota:
    """Counts what was taken of each cell (operation, direction, label). With a limit, a full cell takes no
    more, so that a corpus large enough gives the same number of each; without one, everything is taken."""

    def __init__(self, limit: int | None = None, taken: Iterable[tuple[Cell, int]] = ()) -> None:
        self.limit = limit
        self.taken: Counter[Cell] = Counter(dict(taken))

    def take(self, pair: MadePair) -> bool:
        """Whether the pair is taken; it then counts."""
        if self.limit is not None and self.taken[pair.cell] >= self.limit:
            return False
        self.taken[pair.cell] += 1
        return True
