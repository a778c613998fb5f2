"""TPTP's first-order form: ``! [X1]: (dog(X1) => ? [X2]: (cat(X2) & see(X1,X2)))``, alone or as
``fof(name, conjecture, …).`` (G. Sutcliffe, *The TPTP Problem Library*, 2017).

Connectives have no precedence among each other: ``a & b | c`` is refused, as TPTP's grammar does.
"""

from __future__ import annotations

import re
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
    rename,
)
from natlog.logic.notation import FirstOrderReader, Operator, quoted, words_of

_WORDS = re.compile(r"<=>|=>|<=|!=|[!?~&|=().,:\[\]]|'(?:[^'\\]|\\.)*'|\$?\w+")
_ASSOCIATIVE = ("&", "|")
_OPERATORS = {
    "&": Operator(1, And),
    "|": Operator(1, Or),
    "=>": Operator(1, Implies),
    "<=": Operator(1, lambda left, right: Implies(right, left)),
    "<=>": Operator(1, Iff),
}
_QUANTIFIERS: dict[str, type[ForAll | Exists]] = {"!": ForAll, "?": Exists}
_SIGNS: dict[type, str] = {And: " & ", Or: " | ", Implies: " => ", Iff: " <=> "}


def parse_sentence(text: str) -> Expression:
    """The formula of a line.

    Raises :class:`natlog.logic.notation.NotationError` with the column, of a free variable too.
    """
    reader = _Reader(words_of(text, _WORDS), _OPERATORS)
    return reader.annotated() if [word.text for word in reader.words[:2]] == ["fof", "("] else reader.whole()


class _Reader(FirstOrderReader):
    """What stands between TPTP's connectives."""

    def annotated(self) -> Expression:
        """The formula inside ``fof(name, role, formula).``"""
        self.take()
        opened = self.take()
        for _ in ("name", "role"):
            self.take()
            self.expect(",")
        formula = self.expression()
        self.expect(")", opened)
        self.expect(".")
        if self.word.text:
            self.refuse("one formula a line, and here another begins")
        return formula

    def expression(self, strength: int = 0) -> Expression:
        first = self.at
        result = super().expression(strength)
        if strength == 0:
            self._check_connectives(first)
        return result

    def _check_connectives(self, first: int) -> None:
        """Between the parts of one expression stands one connective, and only & and | more than once."""
        depth, seen = 0, ""
        for word in self.words[first : self.at]:
            depth += (word.text in ("(", "[")) - (word.text in (")", "]"))
            if depth or word.text not in _OPERATORS:
                continue
            if seen and (seen != word.text or seen not in _ASSOCIATIVE):
                self.refuse(f"{seen!r} and {word.text!r} need brackets", word)
            seen = word.text

    def part(self) -> Expression:
        word = self.take()
        if word.text == "~":
            return Not(self.expression(2))
        if word.text in _QUANTIFIERS:
            return self._quantified(_QUANTIFIERS[word.text])
        if word.text == "(":
            inner = self.expression()
            self.expect(")", word)
            return inner
        if not (word.text[:1].isalnum() or (word.text[:1] in ("_", "'", "$") and word.text)):
            self.refuse("a formula is wanted", word)
        return self.atom(word)

    def _quantified(self, quantifier: type[ForAll | Exists]) -> Expression:
        opened = self.word
        self.expect("[")
        names = [self.binding(self.take())]
        while self.accept(","):
            names.append(self.binding(self.take()))
        self.expect("]", opened)
        self.expect(":")
        body = self.expression(2)
        self.unbind(len(names))
        for name in reversed(names):
            body = quantifier(name, body)
        return body


def to_tptp(formula: Expression) -> str:
    """The formula of a sentence in TPTP's notation, variables numbered from left to right.

    Raises :class:`ValueError` where a variable is free, :class:`TypeError` for a λ-term.
    """
    if free := free_variables(formula):
        raise ValueError(f"free variables: {', '.join(sorted(free))}")
    return _text(rename(formula))


def _text(node: Any) -> str:
    match node:
        case Variable(name):
            return name.upper()
        case Constant(name):
            return quoted(name)
        case Atom(predicate, terms):
            return quoted(predicate) + (f"({','.join(map(_text, terms))})" if terms else "")
        case Not(Equals(left, right)):
            return f"{_text(left)} != {_text(right)}"
        case Equals(left, right):
            return f"{_text(left)} = {_text(right)}"
        case Not(body):
            return f"~ {_text(body)}"
        case Exists(variable, body):
            return f"? [{variable.upper()}]: {_text(body)}"
        case ForAll(variable, body):
            return f"! [{variable.upper()}]: {_text(body)}"
    if type(node) not in _SIGNS:
        raise TypeError(f"{type(node).__name__} is no formula")
    return f"({_text(node.left)}{_SIGNS[type(node)]}{_text(node.right)})"
