r"""The notation of NLTK's logic module (and of the SyGNS data): ``all x1.(dog(x1) -> exists x2.(cat(x2) &
see(x1,x2)))``, λ-terms as ``\P Q.exists x.(P(x) & Q(x))``.

``-`` binds most tightly, then ``=``, quantifiers and λ (over what follows up to a connective), ``&``, ``|``,
``->``, ``<->``. A name that nothing binds is a variable where it is a lower-case letter with or without
digits (not *e*, NLTK's event variable), otherwise a constant.
"""

from __future__ import annotations

import re
from typing import Any

from natlog.logic.formula import (
    And,
    Apply,
    Atom,
    Binder,
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
)
from natlog.logic.notation import Operator, Reader, Word, words_of

_WORDS = re.compile(r"<->|<=>|->|=>|!=|==|[-!&^|=().,\\]|[^\W\d]\w*|\d\w*")
_FREE = re.compile(r"[a-df-z]\d*")
_OPERATORS = {
    **dict.fromkeys(("&", "and", "^"), Operator(4, And)),
    **dict.fromkeys(("|", "or"), Operator(3, Or)),
    **dict.fromkeys(("->", "=>", "implies"), Operator(2, Implies)),
    **dict.fromkeys(("<->", "<=>", "iff"), Operator(1, Iff)),
}
_BINDERS: dict[str, type[Binder]] = {
    **dict.fromkeys(("all", "forall"), ForAll),
    **dict.fromkeys(("exists", "some", "exist"), Exists),
    **dict.fromkeys(("\\", "lambda"), Lambda),
}
_NEGATIONS = ("-", "not", "!")
_SIGNS: dict[type, str] = {And: " & ", Or: " | ", Implies: " -> ", Iff: " <-> "}
_QUANTIFIERS = {ForAll: "all ", Exists: "exists ", Lambda: "\\"}


def parse(text: str) -> Expression:
    """A formula or a λ-term; free variables are allowed.

    Raises :class:`natlog.logic.notation.NotationError` with the column.
    """
    return _Reader(words_of(text, _WORDS), _OPERATORS, closed=False).whole()


def parse_sentence(text: str) -> Expression:
    """A first-order formula without free variables.

    Raises :class:`natlog.logic.notation.NotationError` with the column, of a free variable or a λ too.
    """
    return _Reader(words_of(text, _WORDS), _OPERATORS, closed=True).whole()


class _Reader(Reader):
    """What stands between connectives, with the names bound so far."""

    def __init__(self, words: list[Word], operators: dict[str, Operator], *, closed: bool) -> None:
        super().__init__(words, operators)
        self.closed = closed
        self.bound: list[str] = []

    def part(self) -> Expression:
        word = self.take()
        if word.text in _NEGATIONS:
            return Not(self.expression(6))
        if word.text in _BINDERS:
            if self.closed and _BINDERS[word.text] is Lambda:
                self.refuse("a λ in what should be a sentence", word)
            return self._bound_by(_BINDERS[word.text])
        if word.text == "(":
            inner = self.expression()
            self.expect(")", word)
            if self.closed:  # a formula has no arguments, and is no term of an equation
                return inner
            return self._with_arguments(inner) if self.word.text == "(" else self._equation(inner, word)
        if not word.text or not (word.text[0].isalnum() or word.text[0] == "_") or word.text in _OPERATORS:
            self.refuse("a formula is wanted", word)
        return self._named(word)

    def _bound_by(self, binder: type[Binder]) -> Expression:
        names = []
        while not self.accept("."):
            word = self.take()
            if not word.text or not word.text[0].isalpha():
                self.refuse("a variable or '.' is wanted", word)
            names.append(word.text)
        if not names:
            self.refuse("a variable is wanted", self.words[self.at - 1])
        self.bound += names
        body = self.expression(5)
        del self.bound[-len(names) :]
        for name in reversed(names):
            body = binder(name, body)
        return body

    def _named(self, word: Word) -> Expression:
        """An atom, an application of a variable, an equation, or a bare name."""
        is_bound = word.text in self.bound
        if self.word.text == "(":
            if is_bound and self.closed:
                self.refuse(f"{word.text} is a variable, no predicate", word)
            if is_bound:
                return self._equation(self._with_arguments(Variable(word.text)), word)
            return Atom(word.text, tuple(self._arguments()))
        if self.word.text in ("=", "==", "!="):
            return self._equation(self._individual(word), word)
        if is_bound and self.closed:
            self.refuse("a formula is wanted", word)
        if is_bound or (_FREE.fullmatch(word.text) and not self.closed):
            return Variable(word.text)
        return Atom(word.text, ())

    def _with_arguments(self, function: Expression) -> Expression:
        while self.word.text == "(":
            for argument in self._arguments():
                function = Apply(function, argument)
        return function

    def _arguments(self) -> list[Expression]:
        opened = self.take()
        arguments = [self._argument()]
        while self.accept(","):
            arguments.append(self._argument())
        self.expect(")", opened)
        return arguments

    def _individual(self, word: Word) -> Expression:
        """A variable or a constant of this name."""
        if word.text in self.bound:
            return Variable(word.text)
        if not _FREE.fullmatch(word.text):
            return Constant(word.text)
        if self.closed:
            self.refuse(f"a free variable, {word.text}", word)
        return Variable(word.text)

    def _argument(self) -> Expression:
        if self.closed:
            return self._term()
        argument = self.expression()
        # A bare name is a proposition between connectives and an individual in an argument's place.
        return (
            Constant(argument.predicate)
            if argument == Atom(getattr(argument, "predicate", ""), ())
            else argument
        )

    def _equation(self, left: Expression, word: Word) -> Expression:
        if self.word.text not in ("=", "==", "!="):
            return left
        sign = self.take()
        equation = Equals(left, self._term())
        return Not(equation) if sign.text == "!=" else equation

    def _term(self) -> Expression:
        word = self.take()
        if not word.text or not (word.text[0].isalnum() or word.text[0] == "_"):
            self.refuse("a term is wanted", word)
        term = self._individual(word)
        return term if self.closed else self._with_arguments(term)


def to_nltk(expression: Expression) -> str:
    """The expression as NLTK prints it: ∧ and ∨ inside themselves without brackets."""
    return _text(expression)


def _text(node: Any) -> str:
    kind = type(node)
    if kind is Variable or kind is Constant:
        return str(node.name)
    if kind is Atom:
        return f"{node.predicate}({','.join(map(_text, node.terms))})" if node.terms else str(node.predicate)
    if kind is And or kind is Or:
        return f"({_parts(node, kind)})"
    if kind is Not:
        return f"-{_text(node.body)}"
    if kind is Exists or kind is ForAll or kind is Lambda:
        names = node.variable
        while type(node.body) is kind:
            node = node.body
            names = f"{names} {node.variable}"
        return f"{_QUANTIFIERS[kind]}{names}.{_text(node.body)}"
    if kind is Apply:
        return _application(node)
    if kind is Equals:
        return f"({_text(node.left)} = {_text(node.right)})"
    return f"({_text(node.left)}{_SIGNS[kind]}{_text(node.right)})"


def _parts(node: Any, kind: type[And | Or]) -> str:
    """The parts of a conjunction or a disjunction."""
    left, right = node.left, node.right
    shown = _parts(left, kind) if type(left) is kind else _text(left)
    others = _parts(right, kind) if type(right) is kind else _text(right)
    return f"{shown}{_SIGNS[kind]}{others}"


def _application(node: Any) -> str:
    arguments = []
    while type(node) is Apply:
        arguments.append(_text(node.argument))
        node = node.function
    function = _text(node)
    return f"{f'({function})' if type(node) is Lambda else function}({','.join(reversed(arguments))})"
