"""Polarity marking: a sign for every token and constituent of a parsed sentence."""

from __future__ import annotations

from dataclasses import replace

from natlog.polarity.dependency import mark_dependencies
from natlog.tree import Marking, Polarity, Tree

__all__ = ["mark"]

MOST_STEPS = 50
"""Operators over one word, at most, in what is still read as a sentence."""


def mark(tree: Tree, convention: str = "default") -> Marking:
    """The polarity of every token and constituent of ``tree``, with the operators behind each sign.

    ``convention`` names a set of switches in ``conventions.toml``; an unknown name raises
    :class:`natlog.lexicon.conventions.UnknownConvention`. Trees of CCG derivations come with the
    relations that their categories say, and are marked as any other. Where more than
    :data:`MOST_STEPS` operators stand over one word, no sentence is meant, and every sign is =.
    """
    marking = mark_dependencies(tree, convention)
    deepest = max(map(len, marking.token_why), default=0)
    return marking if deepest <= MOST_STEPS else _unreadable(marking)


def _unreadable(marking: Marking) -> Marking:
    return replace(
        marking,
        signs=(Polarity.FLAT,) * len(marking.signs),
        constituents=tuple(replace(item, polarity=Polarity.FLAT, why=()) for item in marking.constituents),
        token_why=((),) * len(marking.signs),
    )
