"""Entailment by shape: the premise becomes the conclusion by weakening its parts, place by place.

A conjunction entails what one of its parts entails, a disjunction is entailed by what entails one of its
parts, and quantifiers of one kind stand over each other. Each step is sound, and nothing is refuted this
way: two sentences that differ in one word are mostly decided in microseconds, others are left to a prover.
"""

from __future__ import annotations

from collections.abc import Mapping

from natlog.logic.formula import Expression
from natlog.logic.normal_form import (
    ALL_OF,
    DIFFERENT,
    EACH,
    FACT,
    NO_FACT,
    ONE_OF,
    SAME,
    SOME,
    Node,
    normal_form,
)

# Comparisons of parts; conjunctions of conjunctions could otherwise be compared without end.
MOST_STEPS = 3000


class _Limit(Exception):
    pass


def subsumes(premise: Expression, conclusion: Expression, steps: int = MOST_STEPS) -> bool:
    """Whether the conclusion follows by shape, within this many comparisons; False says nothing."""
    try:
        return _Comparison(steps).entails(normal_form(premise), normal_form(conclusion), {}, {})
    except _Limit:
        return False


class _Comparison:
    """One comparison, and the steps it took."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.steps = 0

    def entails(self, left: Node, right: Node, ours: Mapping[str, int], theirs: Mapping[str, int]) -> bool:
        """Whether ``left`` entails ``right``; ``ours`` and ``theirs`` say which binder each variable belongs
        to.
        """
        self.steps += 1
        if self.steps > self.most:
            raise _Limit
        if right[0] == ALL_OF:
            return all(self.entails(left, part, ours, theirs) for part in right[1])
        if left[0] == ONE_OF:
            return all(self.entails(part, right, ours, theirs) for part in left[1])
        if left[0] == right[0]:
            if left[0] in (FACT, NO_FACT):
                return bool(left[1] == right[1]) and _same(left[2], right[2], ours, theirs)
            if left[0] in (SAME, DIFFERENT):
                pairs = (left[1:], left[:0:-1])
                return any(_same(pair, right[1:], ours, theirs) for pair in pairs)
            if left[0] in (EACH, SOME):
                number = self.steps
                mine, other = {**ours, left[1]: number}, {**theirs, right[1]: number}
                return self.entails(left[2], right[2], mine, other)
        if left[0] == ALL_OF and any(self.entails(part, right, ours, theirs) for part in left[1]):
            return True
        return right[0] == ONE_OF and any(self.entails(left, part, ours, theirs) for part in right[1])


def _same(
    left: tuple[str, ...], right: tuple[str, ...], ours: Mapping[str, int], theirs: Mapping[str, int]
) -> bool:
    """Whether two rows of variables and constants are the same individuals."""
    return len(left) == len(right) and all(
        ours.get(one, one) == theirs.get(other, other) for one, other in zip(left, right, strict=True)
    )
