"""Discourse representation structures (H. Kamp, U. Reyle 1993), from first-order formulas and back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from natlog.logic.formula import (
    And,
    Atom,
    Equals,
    Exists,
    Expression,
    ForAll,
    Iff,
    Implies,
    Not,
    Or,
    Variable,
    conjunction,
    rename,
)


@dataclass(frozen=True, slots=True)
class Box:
    """A DRS: the names of its discourse referents, and its conditions. The empty box is true."""

    referents: tuple[str, ...]
    conditions: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Negation:
    """The condition ¬K."""

    box: Box


@dataclass(frozen=True, slots=True)
class Implication:
    """The condition K ⇒ K′: the referents of the first box are known in the second."""

    antecedent: Box
    consequent: Box


@dataclass(frozen=True, slots=True)
class Alternative:
    """The condition K ∨ K′."""

    left: Box
    right: Box


Condition = Atom | Equals | Negation | Implication | Alternative


def drs_of(formula: Expression) -> Box:
    """The DRS of a formula. ∃ and ∧ open no box of their own, ∀ is an implication; equivalent to the formula.

    Bound variables are renamed first, so that no referent shadows another. Raises :class:`TypeError` for a
    λ-term.
    """
    return drs_of_renamed(rename(_without_equivalences(formula)))


def drs_of_renamed(formula: Expression) -> Box:
    """As :func:`drs_of`, for a formula without equivalences whose binders all have names of their own, as
    renaming leaves them.
    """
    referents: list[str] = []
    conditions: list[Condition] = []
    _add(formula, referents, conditions)
    return Box(tuple(referents), tuple(conditions))


def _add(node: Any, referents: list[str], conditions: list[Condition]) -> None:
    """Put what a formula says into a box."""
    kind = type(node)
    if kind is Atom or kind is Equals:
        conditions.append(node)
    elif kind is And:
        _add(node.left, referents, conditions)
        _add(node.right, referents, conditions)
    elif kind is Exists:
        referents.append(node.variable)
        _add(node.body, referents, conditions)
    elif kind is Not:
        conditions.append(Negation(drs_of_renamed(node.body)))
    elif kind is Implies:
        conditions.append(Implication(drs_of_renamed(node.left), drs_of_renamed(node.right)))
    elif kind is ForAll:
        conditions.append(_universal(node))
    elif kind is Or:
        conditions.append(Alternative(drs_of_renamed(node.left), drs_of_renamed(node.right)))
    else:
        raise TypeError(f"{kind.__name__} has no place in a DRS")


def _universal(node: ForAll) -> Implication:
    names = [node.variable]
    body = node.body
    while isinstance(body, ForAll):
        names.append(body.variable)
        body = body.body
    if not isinstance(body, Implies):
        return Implication(Box(tuple(names), ()), drs_of_renamed(body))
    restriction = drs_of_renamed(body.left)
    return Implication(
        Box((*names, *restriction.referents), restriction.conditions), drs_of_renamed(body.right)
    )


def _without_equivalences(node: Any) -> Any:
    """Each equivalence as two implications; then its second half repeats the binders of the first."""
    match node:
        case Iff(left, right):
            one, other = _without_equivalences(left), _without_equivalences(right)
            return And(Implies(one, other), Implies(other, one))
        case Exists(variable, body) | ForAll(variable, body):
            return type(node)(variable, _without_equivalences(body))
        case Not(body):
            return Not(_without_equivalences(body))
        case And(left, right) | Or(left, right) | Implies(left, right):
            return type(node)(_without_equivalences(left), _without_equivalences(right))
    return node


def formula_of(box: Box) -> Expression:
    """The first-order formula of a DRS: its referents are existential, in an antecedent universal.

    A referent of an antecedent is known in its consequent. Raises :class:`TypeError` for an unknown
    condition.
    """
    return rename(_existential(box))


def _existential(box: Box) -> Expression:
    body = _body(box)
    for name in reversed(box.referents):
        body = Exists(name, body)
    return body


def _body(box: Box) -> Expression:
    if not box.conditions:
        # There is no word for "true" among the formulas.
        name = box.referents[0] if box.referents else "x"
        truth = Equals(Variable(name), Variable(name))
        return truth if box.referents else ForAll(name, truth)
    return conjunction([_condition(condition) for condition in box.conditions])


def _condition(condition: Condition) -> Expression:
    match condition:
        case Atom() | Equals():
            return condition
        case Negation(box):
            return Not(_existential(box))
        case Alternative(left, right):
            return Or(_existential(left), _existential(right))
        case Implication(antecedent, consequent):
            after = _existential(consequent)
            body = Implies(_body(antecedent), after) if antecedent.conditions else after
            if not antecedent.conditions and not antecedent.referents:
                return after
            for name in reversed(antecedent.referents):
                body = ForAll(name, body)
            return body
    raise TypeError(f"{type(condition).__name__} is no condition")
