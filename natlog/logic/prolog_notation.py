"""Formulas as Prolog programs print them. Two hands of it are read: operators,
``(forall A.(dog(A) -> (exists B.(cat(B) & see(A,B)))))`` (the SyGNS program), and functors,
``and(see(john,ann),not(walk(tom)))`` (the transitivity program; also ``or``, ``imp``, ``iff``).
"""

from __future__ import annotations

import re
from collections.abc import Callable
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
    free_variables,
)
from natlog.logic.notation import FirstOrderReader, Operator, Word, is_name, quoted, words_of

_WORDS = re.compile(r"<->|->|\\=|[-&|=().,]|'(?:[^'\\]|\\.)*'|\w+")
_OPERATORS = {
    "&": Operator(4, And, right_first=True),
    "|": Operator(3, Or, right_first=True),
    "->": Operator(2, Implies, right_first=True),
    "<->": Operator(1, Iff),
}
_QUANTIFIERS: dict[str, type[ForAll | Exists]] = {"forall": ForAll, "exists": Exists}
_FUNCTORS: dict[str, type[And | Or | Implies | Iff]] = {"and": And, "or": Or, "imp": Implies, "iff": Iff}
_SIGNS: dict[type, str] = {And: " & ", Or: " | ", Implies: " -> ", Iff: " <-> "}
_FUNCTOR_OF: dict[type, str] = {kind: name for name, kind in _FUNCTORS.items()}


def parse_sentence(text: str) -> Expression:
    """The formula of a line, in either hand.

    Raises :class:`natlog.logic.notation.NotationError` with the column, of a free variable too.
    """
    return _Reader(words_of(text, _WORDS), _OPERATORS).whole()


class _Reader(FirstOrderReader):
    """What stands between the connectives, and connectives written as functors."""

    def part(self) -> Expression:
        word = self.take()
        if word.text == "-":
            return Not(self.expression(6))
        if word.text in _QUANTIFIERS and self.word.text != "(":
            return self._quantified(_QUANTIFIERS[word.text])
        if word.text == "(":
            inner = self.expression()
            self.expect(")", word)
            return inner
        if self.word.text == "(" and (word.text in _FUNCTORS or word.text == "not"):
            return self._functor(word)
        if not is_name(word.text):
            self.refuse("a formula is wanted", word)
        return self.atom(word)

    def _quantified(self, quantifier: type[ForAll | Exists]) -> Expression:
        name = self.binding(self.take())
        self.expect(".")
        body = self.expression(5)
        self.unbind()
        return quantifier(name, body)

    def _functor(self, word: Word) -> Expression:
        opened = self.take()
        left = self.expression()
        if word.text == "not":
            self.expect(")", opened)
            return Not(left)
        self.expect(",")
        right = self.expression()
        self.expect(")", opened)
        return _FUNCTORS[word.text](left, right)


def to_prolog(formula: Expression, *, functors: bool = False) -> str:
    """The formula of a sentence as the SyGNS program prints it, variables A, B, … in the order of their
    binders; ``functors``: as the transitivity program does, which has no quantifiers.

    Raises :class:`ValueError` where a variable is free, or functors are asked of a quantifier or an equation.
    """
    if free := free_variables(formula):
        raise ValueError(f"free variables: {', '.join(sorted(free))}")
    if functors:
        return _with_functors(formula)
    given = 0

    def next_name() -> str:
        nonlocal given
        letter, turn = chr(ord("A") + given % 26), given // 26
        given += 1
        return f"{letter}{turn}" if turn else letter

    return _text(formula, {}, next_name)


def _text(node: Any, names: dict[str, str], next_name: Callable[[], str]) -> str:
    match node:
        case Variable(name):
            return names[name]
        case Constant(name):
            return quoted(name)
        case Atom(predicate, terms):
            inside = ",".join(_text(term, names, next_name) for term in terms)
            return quoted(predicate) + (f"({inside})" if terms else "")
        case Not(body):
            return f"- {_text(body, names, next_name)}"
        case Equals(left, right):
            return f"({_text(left, names, next_name)} = {_text(right, names, next_name)})"
        case Exists(variable, body) | ForAll(variable, body):
            new = next_name()
            word = "exists" if isinstance(node, Exists) else "forall"
            return f"({word} {new}.{_text(body, {**names, variable: new}, next_name)})"
    first = _text(node.left, names, next_name)
    return f"({first}{_SIGNS[type(node)]}{_text(node.right, names, next_name)})"


def _with_functors(node: Any) -> str:
    match node:
        case Constant(name):
            return quoted(name)
        case Atom(predicate, terms):
            return quoted(predicate) + (f"({','.join(map(_with_functors, terms))})" if terms else "")
        case Not(body):
            return f"not({_with_functors(body)})"
        case And(left, right) | Or(left, right) | Implies(left, right) | Iff(left, right):
            return f"{_FUNCTOR_OF[type(node)]}({_with_functors(left)},{_with_functors(right)})"
    raise ValueError("functors are for formulas without quantifiers and equations")
