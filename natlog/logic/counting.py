"""Counting quantifiers in first-order logic: at least three are three distinct witnesses.

The witnesses are asked for one inside the other, so that a prover looks for the next only where one was
found.
"""

from __future__ import annotations

from natlog.logic.formula import (
    And,
    Apply,
    Equals,
    Exists,
    Expression,
    Lambda,
    Not,
    Variable,
    conjunction,
    free_variables,
)
from natlog.logic.reduction import reduce


def at_least(number: int, variable: str, body: Expression) -> Expression:
    """``number`` distinct individuals satisfy ``body``, a formula about ``variable``.

    Raises :class:`ValueError` for a number below 1: at least none is no claim.
    """
    if number < 1:
        raise ValueError(f"at least {number} says nothing")
    taken = free_variables(body)
    names: list[str] = []
    place = 0
    while len(names) < number:
        place += 1
        if (name := f"x{place}") not in taken:
            names.append(name)
    return reduce(_witness(names, 0, Lambda(variable, body)))


def _witness(names: list[str], place: int, about: Expression) -> Expression:
    """One more individual, other than those before, and those after it."""
    one = Variable(names[place])
    parts: list[Expression] = [Not(Equals(one, Variable(before))) for before in names[:place]]
    parts.append(Apply(about, one))
    if place + 1 < len(names):
        parts.append(_witness(names, place + 1, about))
    return Exists(names[place], conjunction(parts))


def at_most(number: int, variable: str, body: Expression) -> Expression:
    """Not more than ``number`` individuals satisfy ``body``; with 0 none does."""
    return Not(at_least(number + 1, variable, body))


def exactly(number: int, variable: str, body: Expression) -> Expression:
    """As many as ``number`` individuals satisfy ``body``, and no more."""
    few = at_most(number, variable, body)
    return And(at_least(number, variable, body), few) if number else few
