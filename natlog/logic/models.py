"""Finite models, and whether a formula is true in one: what makes a countermodel more than a claim."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from natlog.logic.formula import (
    And,
    Atom,
    Constant,
    Equals,
    Exists,
    Expression,
    ForAll,
    Iff,
    Implies,
    Not,
    Or,
    Variable,
)

Fact = tuple[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class FiniteModel:
    """``size`` individuals (0, 1, …, at least one), the facts that are true (all others are false), and which
    individual each constant names."""

    size: int
    facts: frozenset[Fact]
    names: Mapping[str, int]

    def label(self, individual: int) -> str:
        """What to call an individual: its name where a constant names it, otherwise a letter."""
        for name, named in self.names.items():
            if named == individual:
                return name
        letter, turn = chr(ord("a") + individual % 26), individual // 26
        return f"{letter}{turn}" if turn else letter


def holds(formula: Expression, model: FiniteModel) -> bool:
    """Whether the sentence is true in the model. A constant that the model does not know raises
    :class:`KeyError`.
    """
    return _true(formula, {}, model)


def _true(node: Any, values: Mapping[str, int], model: FiniteModel) -> bool:
    match node:
        case Atom(predicate, terms):
            return (predicate, tuple(_value(term, values, model) for term in terms)) in model.facts
        case Equals(left, right):
            return _value(left, values, model) == _value(right, values, model)
        case Not(body):
            return not _true(body, values, model)
        case And(left, right):
            return _true(left, values, model) and _true(right, values, model)
        case Or(left, right):
            return _true(left, values, model) or _true(right, values, model)
        case Implies(left, right):
            return not _true(left, values, model) or _true(right, values, model)
        case Iff(left, right):
            return _true(left, values, model) == _true(right, values, model)
        case Exists(variable, body):
            return any(_true(body, {**values, variable: one}, model) for one in range(model.size))
        case ForAll(variable, body):
            return all(_true(body, {**values, variable: one}, model) for one in range(model.size))
    raise TypeError(f"{type(node).__name__} is no formula")


def _value(term: Any, values: Mapping[str, int], model: FiniteModel) -> int:
    match term:
        case Variable(name):
            return values[name]
        case Constant(name):
            return model.names[name]
    raise TypeError(f"{type(term).__name__} is no term")
