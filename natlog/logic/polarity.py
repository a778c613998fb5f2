"""The polarity of each content word of a sentence, read off its meaning (SyGNS, section 3.2 and appendix C).

A predicate is in a downward position where an odd number of negations, restrictors of ∀ and antecedents are
around it. Numerals are among the words, in both forms of meaning (the published program has them in one form
only).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from natlog.logic.formula import And, Atom, Equals, Exists, Expression, ForAll, Iff, Implies, Not, Or
from natlog.logic.variable_free import NUMERALS, VariableFree

Direction = Literal["up", "down", "none"]
Polarity = tuple[tuple[str, Direction], ...]


def polarity_of_formula(formula: Expression) -> Polarity:
    """Each predicate with its direction, from left to right; ``none`` inside an equivalence."""
    found: list[tuple[str, Direction]] = []
    _in_formula(formula, 1, found)
    return tuple(found)


def _in_formula(node: Any, sign: int, found: list[tuple[str, Direction]]) -> None:
    """``sign`` is 1 in an upward position, -1 in a downward one, 0 in neither."""
    kind = type(node)
    if kind is Atom:
        found.append((node.predicate, _direction(sign)))
    elif kind is And or kind is Or:
        _in_formula(node.left, sign, found)
        _in_formula(node.right, sign, found)
    elif kind is Exists or kind is ForAll:
        _in_formula(node.body, sign, found)
    elif kind is Not:
        _in_formula(node.body, -sign, found)
    elif kind is Implies:
        _in_formula(node.left, -sign, found)
        _in_formula(node.right, sign, found)
    elif kind is Iff:
        _in_formula(node.left, 0, found)
        _in_formula(node.right, 0, found)
    elif kind is not Equals:
        raise TypeError(f"{kind.__name__} is no formula")


def _direction(sign: int) -> Direction:
    return "up" if sign > 0 else "down" if sign < 0 else "none"


def polarity_of_variable_free(vf: VariableFree) -> Polarity:
    """Each predicate in lower case with its direction, from left to right."""
    found: list[tuple[str, Direction]] = []
    _in_form(vf, 1, found)
    return tuple(found)


def _in_form(node: VariableFree, sign: int, found: list[tuple[str, Direction]]) -> None:
    if not node.parts or node.word in NUMERALS:
        found.append((node.word.lower(), _direction(sign)))
    if node.word == "NOT":
        sign = -sign
    for place, part in enumerate(node.parts):
        _in_form(part, -sign if node.word == "ALL" and place == 0 else sign, found)


@dataclass(frozen=True, slots=True)
class PolarityAgreement:
    """How far given polarities agree with gold ones, counted in words of one direction."""

    right: int
    given: int
    gold: int

    @property
    def precision(self) -> float | None:
        """Of the words given, the share that is right; None without any."""
        return self.right / self.given if self.given else None

    @property
    def recall(self) -> float | None:
        """Of the gold words, the share that was given; None without any."""
        return self.right / self.gold if self.gold else None

    @property
    def f(self) -> float | None:
        """The harmonic mean of precision and recall; None where neither is defined."""
        return 2 * self.right / (self.given + self.gold) if self.given + self.gold else None


def polarity_agreement(
    given: Sequence[Polarity], gold: Sequence[Polarity], direction: Direction | None = None
) -> PolarityAgreement:
    """Words with the right direction, over all sentences; of one ``direction``, or of any.

    The measure of SyGNS, section 4.3, on bags: a word that a sentence has twice counts twice, so gold
    against itself is 1 (the published program intersects sets and divides by the lengths of lists). Raises
    :class:`ValueError` where the two differ in length.
    """
    right = n_given = n_gold = 0
    for mine, theirs in zip(given, gold, strict=True):
        ours = Counter(word for word in mine if direction in (None, word[1]))
        wanted = Counter(word for word in theirs if direction in (None, word[1]))
        right += (ours & wanted).total()
        n_given += ours.total()
        n_gold += wanted.total()
    return PolarityAgreement(right, n_given, n_gold)
