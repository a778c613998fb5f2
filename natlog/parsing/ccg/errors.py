"""The error of every derivation reader."""

from __future__ import annotations


class DerivationError(ValueError):
    """A derivation that can't be read: which file, which line, which element, what is wrong.

    >>> print(DerivationError("a.auto", 3, "leaf 2", "no category"))
    a.auto, line 3, leaf 2: no category
    """

    def __init__(self, source: str, line: int, element: str, problem: str) -> None:
        self.source = source
        self.line = line
        self.element = element
        self.problem = problem
        where = [source] + ([f"line {line}"] if line else []) + ([element] if element else [])
        super().__init__(f"{', '.join(where)}: {problem}")
