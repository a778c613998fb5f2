"""The arcs of a dependency parse, and the only ways along them: up from a word, down from a word.

``heads[i]`` is the governor of token ``i``; a root is its own. Whatever the numbers say (governors in a
circle, several roots, a governor outside the sentence), no walk takes more steps than the sentence has
words. Every repair, marker, profile, comparison and generator walks by these functions, with no loop of its
own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

DEEPEST = 100
"""Longest chain of governors, in tokens, of a parse that is kept: trees are visited recursively."""


def upward(heads: Sequence[int], token: int) -> Iterator[int]:
    """The token, its governor, that one's governor, … up to a root.

    Heads may be changed on the way; the walk goes on by the new ones.
    """
    for _ in heads:
        yield token
        head = heads[token]
        if head == token or not 0 <= head < len(heads):
            return
        token = head


def downward(children: Sequence[Sequence[int]], token: int) -> Iterator[int]:
    """The token and everything below it, each once, governors before what hangs on them.

    ``children`` is what :func:`dependents` makes, or a part of it.
    """
    seen, pending = {token}, [token]
    for _ in children:
        if not pending:
            return
        at = pending.pop()
        yield at
        fresh = [child for child in children[at] if child not in seen]
        seen.update(fresh)
        pending.extend(reversed(fresh))


def dependents(heads: Sequence[int]) -> list[list[int]]:
    """For every token the tokens that hang on it, left to right."""
    children: list[list[int]] = [[] for _ in heads]
    for index, head in enumerate(heads):
        if head != index and 0 <= head < len(heads):
            children[head].append(index)
    return children


def dominates(heads: Sequence[int], head: int, token: int) -> bool:
    """Whether ``head`` governs ``token``, directly or through others, or is it."""
    for _ in heads:  # as `head in upward(heads, token)`, at a third of its cost: repairs ask this most
        if token == head:
            return True
        above = heads[token]
        if above == token or not 0 <= above < len(heads):
            return False
        token = above
    return False


def forest(heads: Sequence[int]) -> list[int]:
    """The same arcs as what can be visited from its roots: none leaves the sentence, none closes a circle.

    A token whose governor is outside, and the token at which a circle closes, become roots. A parse that is
    deeper than :data:`DEEPEST` is no sentence's: everything hangs on its first word.
    """
    sound = [head if 0 <= head < len(heads) else index for index, head in enumerate(heads)]
    depths = [0] * len(sound)  # governors above a token, itself included; 0 where not known yet
    for start in range(len(sound)):
        chain: dict[int, None] = {}
        for token in upward(sound, start):
            if depths[token]:
                break
            chain[token] = None
            head = sound[token]
            if head in chain:  # a root, or where a circle closes
                sound[head], depths[head] = head, 1
                break
        for token in reversed(chain):
            depths[token] = 1 if sound[token] == token else depths[sound[token]] + 1
    return [0] * len(sound) if max(depths, default=0) > DEEPEST + 1 else sound
