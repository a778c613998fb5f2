"""Which combinator made a constituent, found from the categories alone.

Parsers name their rules differently (``fa``, ``>``, ``ba``, ``bx``, ``gbx``, ``lex``, ``tr``,
``lp``, ``conj``, none in AUTO lines), so the name isn't used: a parent category and its
children's categories determine the combinator (Steedman 2000, chapters 3 and 4).
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

from natlog.parsing.ccg.categories import (
    Category,
    Functor,
    is_atom,
    is_punctuation,
    matches,
)


class Rule(enum.Enum):
    """The combinators; the direction is in the slash of the functor."""

    APPLICATION = "application"
    COMPOSITION = "composition"
    SUBSTITUTION = "substitution"
    COORDINATION = "coordination"
    CONJUNCT = "conjunct"
    PUNCTUATION = "punctuation"
    TYPE_RAISING = "type raising"
    TYPE_CHANGING = "type changing"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Combination:
    """How children made their parent.

    ``functor`` and ``argument`` are indices into the children: the function and what it is applied
    to or composed with. For CONJUNCT (a conjunction and its right conjunct), COORDINATION (conjunct,
    conjunction, conjunct) and PUNCTUATION the functor is the part without content of its own. For one
    child, both are 0.
    """

    rule: Rule
    functor: int
    argument: int


def combine(parent: Category, children: tuple[Category, ...]) -> Combination:
    r"""Find the combinator.

    >>> from natlog.parsing.ccg.categories import parse_category as c
    >>> combine(c("S[dcl]"), (c("NP"), c(r"S[dcl]\NP")))
    Combination(rule=<Rule.APPLICATION: 'application'>, functor=1, argument=0)
    """
    if len(children) == 1:
        rule = Rule.TYPE_RAISING if is_type_raised(parent, children[0]) else Rule.TYPE_CHANGING
        return Combination(rule, 0, 0)
    if len(children) > 2:
        return _flat(parent, children)
    left, right = children
    if (is_atom(left, "conj") or is_punctuation(left)) and _is_conjunct(parent, right):
        return Combination(Rule.CONJUNCT, 0, 1)
    if is_punctuation(left) or is_atom(left, "conj"):
        return Combination(Rule.PUNCTUATION, 0, 1)
    if is_punctuation(right) or is_atom(right, "conj"):
        return Combination(Rule.PUNCTUATION, 1, 0)
    for functor, argument, slash in ((0, 1, "/"), (1, 0, "\\")):
        function = children[functor]
        if isinstance(function, Functor) and function.slash == slash:
            if matches(function.argument, children[argument]) and matches(function.result, parent):
                return Combination(Rule.APPLICATION, functor, argument)
            if _composes(function, children[argument], parent):
                return Combination(Rule.COMPOSITION, functor, argument)
            if _substitutes(function, children[argument], parent):
                return Combination(Rule.SUBSTITUTION, functor, argument)
    return _unknown(parent, children)


def is_type_raised(parent: Category, child: Category) -> bool:
    r"""Whether the parent is ``T/(T\X)`` or ``T\(T/X)`` of the child ``X``."""
    if not isinstance(parent, Functor) or not isinstance(parent.argument, Functor):
        return False
    inner = parent.argument
    return (
        inner.slash != parent.slash
        and matches(parent.result, inner.result)
        and matches(inner.argument, child)
    )


def _is_conjunct(parent: Category, child: Category) -> bool:
    return (
        isinstance(parent, Functor)
        and parent.slash == "\\"
        and matches(parent.result, child)
        and matches(parent.argument, child)
    )


def _composes(function: Functor, other: Category, parent: Category, depth: int = 4) -> bool:
    """Whether ``X|Y`` and ``(Y|Z1)…|Zn`` give ``(X|Z1)…|Zn``, crossed and generalized forms included."""
    if depth == 0 or not isinstance(other, Functor) or not isinstance(parent, Functor):
        return False
    if other.slash != parent.slash or not matches(other.argument, parent.argument):
        return False
    if matches(function.argument, other.result) and matches(function.result, parent.result):
        return True
    return _composes(function, other.result, parent.result, depth - 1)


def _substitutes(function: Functor, other: Category, parent: Category) -> bool:
    r"""Whether ``(X\Y)\Z`` and ``Y|Z`` give ``X|Z`` (parasitic gaps)."""
    outer = function.result
    return (
        isinstance(outer, Functor)
        and isinstance(other, Functor)
        and isinstance(parent, Functor)
        and matches(outer.argument, other.result)
        and matches(function.argument, other.argument)
        and matches(outer.result, parent.result)
        and matches(other.argument, parent.argument)
    )


def _flat(parent: Category, children: tuple[Category, ...]) -> Combination:
    """More than two children, which no combinator makes but some corpora print."""
    if len(children) == 3 and is_atom(children[1], "conj") and matches(children[0], children[2]):
        return Combination(Rule.COORDINATION, 1, 0)
    for index, child in enumerate(children):
        if matches(child, parent):
            return Combination(Rule.UNKNOWN, (index + 1) % len(children), index)
    return Combination(Rule.UNKNOWN, 1, 0)


def _unknown(parent: Category, children: tuple[Category, ...]) -> Combination:
    """Two children that no combinator puts together: a daughter of the parent's category is modified."""
    left, right = children
    if matches(left, parent):
        return Combination(Rule.UNKNOWN, 1, 0)
    if matches(right, parent):
        return Combination(Rule.UNKNOWN, 0, 1)
    if isinstance(right, Functor) and not isinstance(left, Functor):
        return Combination(Rule.UNKNOWN, 1, 0)
    return Combination(Rule.UNKNOWN, 0, 1)
