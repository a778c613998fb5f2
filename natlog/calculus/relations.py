"""Seven relations between sets (or between sentences, sets of situations), and how they combine.

The inventory is that of natural logic (MacCartney 2009, chapter 5): equivalence ≡, forward ⊏ and
reverse ⊐ containment, alternation | (disjoint), negation ^ (disjoint and exhaustive), cover ⌣
(exhaustive), independence #. ``A ⊏ B`` reads "every A is a B": a sentence that stands in ⊏ or ≡ to
another entails it, one that stands in | or ^ contradicts it.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable

from natlog.lexicon.words import Relation
from natlog.tree import Polarity


class SetRelation(enum.Enum):
    """How a first set stands to a second."""

    EQUAL = "≡"
    FORWARD = "⊏"
    REVERSE = "⊐"
    NEGATION = "^"
    ALTERNATION = "|"
    COVER = "⌣"
    INDEPENDENT = "#"

    def __str__(self) -> str:
        return self.value

    @property
    def converse(self) -> SetRelation:
        """How the second stands to the first."""
        return {_F: _R, _R: _F}.get(self, self)

    @property
    def entails(self) -> bool:
        """Whether every member of the first is one of the second."""
        return self in (_E, _F)

    @property
    def excludes(self) -> bool:
        """Whether nothing is a member of both."""
        return self in (_N, _A)

    def against_complement(self) -> SetRelation:
        """How the first stands to the complement of the second."""
        return {_E: _N, _F: _A, _R: _C, _N: _E, _A: _F, _C: _R}.get(self, _I)

    def of_complement(self) -> SetRelation:
        """How the complement of the first stands to the second."""
        return {_E: _N, _F: _C, _R: _A, _N: _E, _A: _R, _C: _F}.get(self, _I)

    def under(self, sign: Polarity) -> SetRelation:
        """The relation one operator up, where no more is known of it than its sign."""
        if self is _E:
            return _E
        if sign is Polarity.UP:
            return self if self in (_F, _R) else _I
        if sign is Polarity.DOWN:
            return self.converse if self in (_F, _R) else _I
        return _I


_E, _F, _R, _N, _A, _C, _I = SetRelation


def from_words(relation: Relation) -> SetRelation:
    """The set relation that a word relation shows. Co-hyponyms may overlap (a singer, a pianist)."""
    return {
        Relation.SYNONYM: _E,
        Relation.HYPONYM: _F,
        Relation.HYPERNYM: _R,
        Relation.ANTONYM: _A,
    }.get(relation, _I)


def intersect(relations: Iterable[SetRelation]) -> SetRelation:
    """The relation of A₁ ∩ B₁ ∩ … to A₂ ∩ B₂ ∩ …, from those of A₁ to A₂, B₁ to B₂, …

    >>> print(intersect([SetRelation.FORWARD, SetRelation.EQUAL]))
    ⊏
    >>> print(intersect([SetRelation.FORWARD, SetRelation.REVERSE]))
    #
    """
    found = [relation for relation in relations if relation is not _E]
    if not found:
        return _E
    if len(found) == 1:
        return found[0]
    if any(relation.excludes for relation in found):
        return _A
    if all(relation is _F for relation in found):
        return _F
    if all(relation is _R for relation in found):
        return _R
    return _I
