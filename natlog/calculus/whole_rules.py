"""Rules that judge two sentences as wholes: comparisons, adjectives with and without a noun, times."""

from __future__ import annotations

from natlog.calculus.degrees import compared
from natlog.calculus.predication import predicated
from natlog.calculus.relations import SetRelation
from natlog.calculus.times import existing, lasting, ordered
from natlog.lexicon.words import Words
from natlog.tree import Marking


def whole_rule(premise: Marking, hypothesis: Marking, words: Words) -> tuple[SetRelation, str] | None:
    """The relation that such a rule gives, and why; None where none is of these sentences."""
    return (
        predicated(premise, hypothesis)
        or compared(premise, hypothesis, words)
        or lasting(premise, hypothesis)
        or existing(premise, hypothesis)
        or ordered(premise, hypothesis)
    )
