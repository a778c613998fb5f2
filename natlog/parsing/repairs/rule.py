"""The one shape of a repair that needs no second parse: what it looks for, what it changes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from itertools import pairwise
from typing import Generic, TypeVar

from natlog.parsing.draft import Draft

Site = TypeVar("Site")
"""What a repair needs to know of a place that it changes: tokens, at most a word for one of them."""


class Repair(ABC, Generic[Site]):
    """One repair; its docstring says when grammar leaves no doubt, and shows it on a sentence.

    The places are looked for one after the other, so that each sees what was changed before it.
    """

    @abstractmethod
    def find(self, draft: Draft) -> Iterator[Site]:
        """The places where the parse goes wrong."""

    @abstractmethod
    def change(self, draft: Draft, site: Site) -> str:
        """Mend one place; what :attr:`natlog.tree.Tree.repairs` says of it, "" for nothing."""

    def mend(self, draft: Draft) -> None:
        """Mend every place."""
        for site in self.find(draft):
            said = self.change(draft, site)
            if said:
                draft.repairs.append(said)


def siblings(draft: Draft, *deps: str) -> Iterator[tuple[int, int]]:
    """Each two tokens next to each other that hang by these relations on the same governor."""
    found = [index for index, dep in enumerate(draft.deps) if dep in deps]
    if len(found) < 2:
        return
    heads = draft.heads
    for first, second in pairwise(sorted(found, key=lambda index: (heads[index], index))):
        if draft.heads[first] == draft.heads[second]:
            yield first, second


def word_before(draft: Draft, token: int, first: int) -> int:
    """The last word between ``first`` and the phrase of ``token``; ``first`` where none stands there."""
    heads = draft.heads
    between = range(token - 1, first, -1)
    return next((index for index in between if not heads.dominates(token, index)), first)


def linker_before(draft: Draft, conjunct: int, start: int) -> int:
    """The nearest coordinator before a conjunct and after ``start``; -1 for none."""
    between = range(conjunct - 1, start, -1)
    return next((index for index in between if draft.deps[index] == "cc"), -1)
