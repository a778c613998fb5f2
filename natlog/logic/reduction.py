"""β-reduction by evaluation: a function is a closure over what its variables stand for, and nothing is
substituted.

Each binder gets a new name where it is evaluated, so that nothing is captured (normalisation by evaluation;
U. Berger, H. Schwichtenberg 1991). Arguments are evaluated once, before their function.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from natlog.logic.formula import (
    Apply,
    Atom,
    Constant,
    Exists,
    Expression,
    ForAll,
    Lambda,
    Not,
    Variable,
    numbered,
    prefix_of,
)


class _Closure:
    """A λ-term with what its free variables stand for."""

    __slots__ = ("body", "known", "variable")

    def __init__(self, variable: str, body: Expression, known: Mapping[str, Any]) -> None:
        self.variable = variable
        self.body = body
        self.known = known


def reduce(term: Expression) -> Expression:
    r"""The β-normal form. Binders get new names (x1, x2, …; P1, … for functions) in an order that means
    nothing: :func:`natlog.logic.formula.rename` numbers them from left to right.

    A constant that is applied becomes a predicate: ``(\P.P(x))(dog)`` is ``dog(x)``, and applied again it
    gets its next argument.

    A term without a normal form (none that a typed grammar makes) ends in :class:`RecursionError`.
    """
    taken: frozenset[str] = frozenset()
    while True:
        evaluation = _Evaluation(taken)
        result: Expression = evaluation.read_back(evaluation.of(term, {}))
        if evaluation.free.isdisjoint(evaluation.given):
            return result
        taken = frozenset(evaluation.free)


class _Evaluation:
    """One pass of :func:`reduce`: the names given out, and the free variables met on the way."""

    def __init__(self, taken: frozenset[str]) -> None:
        self.taken = taken
        self.free: set[str] = set()
        self.given: set[str] = set()
        self._count = 0

    def _new(self, kind: type, name: str) -> Variable:
        prefix = prefix_of(kind, name)
        while True:
            self._count += 1
            variable = numbered(prefix, self._count)
            if variable.name not in self.taken:
                self.given.add(variable.name)
                return variable

    def of(self, node: Any, known: Mapping[str, Any]) -> Any:
        """The value: an expression in normal form, or a closure."""
        kind = type(node)
        if kind is Variable:
            value = known.get(node.name)
            if value is None:
                self.free.add(node.name)
                return node
            return value
        if kind is Apply:
            return self._applied(self.of(node.function, known), self.of(node.argument, known))
        if kind is Lambda:
            return _Closure(node.variable, node.body, known)
        if kind is Atom:
            return Atom(node.predicate, tuple([self.read_back(self.of(term, known)) for term in node.terms]))
        if kind is Exists or kind is ForAll:
            new = self._new(kind, node.variable)
            return kind(new.name, self.read_back(self.of(node.body, {**known, node.variable: new})))
        if kind is Not:
            return Not(self.read_back(self.of(node.body, known)))
        if kind is Constant:
            return node
        return kind(self.read_back(self.of(node.left, known)), self.read_back(self.of(node.right, known)))

    def _applied(self, function: Any, argument: Any) -> Any:
        if type(function) is _Closure:
            return self.of(function.body, {**function.known, function.variable: argument})
        if type(function) is Constant:
            return Atom(function.name, (self.read_back(argument),))
        if type(function) is Atom:
            return Atom(function.predicate, (*function.terms, self.read_back(argument)))
        return Apply(function, self.read_back(argument))

    def read_back(self, value: Any) -> Any:
        """A value as an expression: what stayed a function gets its λ again."""
        if type(value) is not _Closure:
            return value
        new = self._new(Lambda, value.variable)
        body = self.of(value.body, {**value.known, value.variable: new})
        return Lambda(new.name, self.read_back(body))
