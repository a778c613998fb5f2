"""The arcs of a dependency parse, and the only ways along them: up from a word, down from a word.

Whatever a parser or a stored parse says of its governors, :class:`Heads` holds no circle, so a walk along it
ends. Every repair, marker, profile, comparison and generator asks it, with no loop of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

DEEPEST = 100
"""Longest chain of governors, in tokens, of a parse that is kept: trees are visited recursively."""


class Heads(tuple[int, ...]):
    """For every token of a sentence its governor; a root is its own. Never changed, and never in a circle.

    A token whose governor is outside the sentence, and the token at which a circle closes, read from the
    sentence's beginning, become roots. Several roots stay: a text may hold several sentences.

    >>> Heads([1, 2, 2])  # "Big dogs bark"
    Heads([1, 2, 2])
    >>> Heads([1, 2, 0, 9])
    Heads([0, 2, 0, 3])
    """

    roots: Sequence[int]
    """The tokens that hang on no other, left to right."""
    children: Sequence[Sequence[int]]
    """For every token the tokens that hang on it, left to right."""
    order: Sequence[int]
    """All tokens, each before what hangs on it."""

    def __new__(cls, heads: Iterable[int] = ()) -> Heads:
        """Heads without the arcs that no tree has."""
        made = super().__new__(cls, heads)
        return made if made._settle() else cls(_opened(made))

    def _settle(self) -> bool:
        """Note what hangs on what; False where a token is not reached from a root, as in a circle."""
        size, roots = len(self), list[int]()
        children: list[list[int]] = [[] for _ in self]
        for token, head in enumerate(self):
            if head == token:
                roots.append(token)
            elif 0 <= head < size:
                children[head].append(token)
        order = [*roots]
        for token in order:  # grows on the way
            order += children[token]
        self.roots, self.children, self.order = roots, children, order
        return len(order) == size

    def __repr__(self) -> str:
        return f"Heads({[*self]})"

    def spans(self) -> Sequence[tuple[int, int]]:
        """For every token the contiguous run of its descendants around it, end exclusive.

        >>> Heads([1, 1, 1]).spans()
        [(0, 1), (0, 3), (2, 3)]
        """
        size = len(self)
        first, last, count = list(range(size)), list(range(size)), [1] * size
        for token in reversed(self.order):
            head = self[token]
            if head != token:
                count[head] += count[token]
                if first[token] < first[head]:
                    first[head] = first[token]
                if last[token] > last[head]:
                    last[head] = last[token]
        return [
            (start, end + 1) if end + 1 - start == count[token] else self._run(token, start, end + 1)
            for token, (start, end) in enumerate(zip(first, last, strict=True))
        ]

    def _run(self, head: int, start: int, end: int) -> tuple[int, int]:
        """The run around ``head`` where its subtree is interrupted (a crossing arc)."""
        below = set(self.subtree(head))
        before = (token for token in range(head - 1, start - 1, -1) if token not in below)
        after = (token for token in range(head + 1, end) if token not in below)
        return next(before, start - 1) + 1, next(after, end)

    def upward(self, token: int) -> Iterator[int]:
        """The token and its ancestors: its governor, that one's governor, … up to a root."""
        yield token
        while (head := self[token]) != token:
            token = head
            yield token

    def subtree(self, token: int) -> Iterator[int]:
        """The token and everything below it, governors before what hangs on them, left to right."""
        children, pending = self.children, [token]
        while pending:
            at = pending.pop()
            yield at
            pending.extend(reversed(children[at]))

    def dominates(self, head: int, token: int) -> bool:
        """Whether ``head`` governs ``token``, directly or through others, or is it."""
        while token != head:  # as `head in upward(token)`, at a third of its cost: repairs ask this most
            above = self[token]
            if above == token:
                return False
            token = above
        return True

    def moved(self, token: int, head: int) -> Heads | None:
        """The arcs with ``token`` hung on another head; None where that would close a circle."""
        if self.dominates(token, head):
            return None
        return Heads((*self[:token], head, *self[token + 1 :]))

    @property
    def is_too_deep(self) -> bool:
        """Whether a chain of governors is longer than :data:`DEEPEST`."""
        if len(self) <= DEEPEST + 1:
            return False
        depth = [0] * len(self)
        for token in self.order:
            if self[token] != token:
                depth[token] = depth[self[token]] + 1
        return max(depth) > DEEPEST

    def kept(self) -> Heads:
        """These, or, where they are too deep to be a sentence's, flat ones."""
        return flat(len(self)) if self.is_too_deep else self


def flat(size: int) -> Heads:
    """Everything hung on the first word."""
    return Heads([0] * size)


def _opened(heads: Sequence[int]) -> list[int]:
    """The governors without those outside, and with every circle opened at the token where it closes."""
    opened = [head if 0 <= head < len(heads) else token for token, head in enumerate(heads)]
    known = set[int]()
    for start in range(len(opened)):
        chain, token = set[int](), start
        while token not in known and token not in chain:
            chain.add(token)
            token = opened[token]
        if token in chain:
            opened[token] = token
        known |= chain
    return opened
