"""λ-terms as functions: the meaning of a rule, made ready to be applied thousands of times a second.

A λ-term becomes a Python function once; composing a sentence's meaning is then calling functions, and the
result is in β-normal form. Binders get their names (x1, x2, …) as they are met from left to right, which is
the order that :func:`natlog.logic.formula.rename` gives.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from natlog.logic.formula import (
    And,
    Apply,
    Atom,
    Constant,
    Equals,
    Exists,
    Expression,
    ForAll,
    Iff,
    Implies,
    Lambda,
    Not,
    Or,
    Variable,
    numbered,
)
from natlog.logic.variable_free import VariableFree

# What the variables of a term stand for, the innermost last.
Values = tuple[Any, ...]
Compiled = Callable[[Values], Any]


class _Binders(threading.local):
    """How many binders the sentence has that is composed in this thread."""

    count = 0


_binders = _Binders()


def begin() -> None:
    """The next binder is x1: to be called before a sentence's meaning is composed."""
    _binders.count = 0


def formula_function(term: Expression) -> Any:
    """What a λ-term without free variables stands for: a function for a λ, a formula for a formula."""
    return _compiled(term, ())(())


def form_function(term: Expression) -> Any:
    """The same for a term over variable-free forms: ``ALL(F,G)`` becomes a form with two parts."""
    return _form(term, ())(())


def _bound(name: str, names: tuple[str, ...]) -> Compiled:
    # The innermost binder of a name counts.
    place = len(names) - 1 - names[::-1].index(name)
    return lambda values: values[place]


def _abstraction(body: Compiled) -> Compiled:
    def function(values: Values) -> Any:
        return lambda value: body((*values, value))

    return function


def _application(function: Compiled, argument: Compiled) -> Compiled:
    return lambda values: function(values)(argument(values))


def _compiled(node: Expression, names: tuple[str, ...]) -> Compiled:
    """The node as a function of the values of the variables around it."""
    match node:
        case Variable(name):
            return _bound(name, names)
        case Constant():
            return lambda _: node
        case Lambda(variable, body):
            return _abstraction(_compiled(body, (*names, variable)))
        case Apply(function, argument):
            return _application(_compiled(function, names), _compiled(argument, names))
        case Atom(predicate, terms):
            return _atom(predicate, [_compiled(term, names) for term in terms])
        case Not(body):
            inner = _compiled(body, names)
            return lambda values: Not(inner(values))
        case Exists(variable, body) | ForAll(variable, body):
            return _quantified(type(node), _compiled(body, (*names, variable)))
        case And() | Or() | Implies() | Iff() | Equals():
            left, right = _compiled(node.left, names), _compiled(node.right, names)
            make = type(node)
            return lambda values: make(left(values), right(values))
    raise TypeError(f"{type(node).__name__} is no λ-term")


def _atom(predicate: str, terms: list[Compiled]) -> Compiled:
    if len(terms) == 1:
        (only,) = terms
        return lambda values: Atom(predicate, (only(values),))
    return lambda values: Atom(predicate, tuple([term(values) for term in terms]))


def _quantified(kind: type[Exists | ForAll], body: Compiled) -> Compiled:
    def function(values: Values) -> Any:
        _binders.count += 1
        variable = numbered("x", _binders.count)
        return kind(variable.name, body((*values, variable)))

    return function


def _form(node: Expression, names: tuple[str, ...]) -> Compiled:
    match node:
        case Variable(name):
            return _bound(name, names)
        case Lambda(variable, body):
            return _abstraction(_form(body, (*names, variable)))
        case Apply(function, argument):
            return _application(_form(function, names), _form(argument, names))
        case Constant(word) | Atom(word, ()):
            leaf = VariableFree(word)
            return lambda _: leaf
        case Atom(word, terms):
            parts = [_form(term, names) for term in terms]
            return lambda values: VariableFree(word, tuple([part(values) for part in parts]))
    raise TypeError(f"{type(node).__name__} is no variable-free form")
