"""What the notations of formulas share: words with their columns, errors that name the place, and operator
precedence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, NoReturn

from natlog.logic.formula import Atom, Constant, Equals, Expression, Not, Variable

# Brackets, quantifiers and negations inside each other. Formulas of sentences stay below 100; beyond,
# Python's own stack would end.
DEEPEST = 100
# Parts of one conjunction without brackets; they are as many levels of the tree.
LONGEST = 200


class NotationError(ValueError):
    """A text is not what its notation wants; ``column`` counts from 1, ``reason`` says what is wrong
    there.
    """

    def __init__(self, column: int, reason: str) -> None:
        super().__init__(f"column {column}: {reason}")
        self.column = column
        self.reason = reason


class Word(NamedTuple):
    """A token of a text, with the column of its first character, from 1; the last one of a text is empty."""

    text: str
    column: int


def words_of(text: str, pattern: re.Pattern[str]) -> list[Word]:
    """The tokens that the pattern describes, and an empty one for the end.

    Raises :class:`NotationError` where something stands that is no token.
    """
    words, end = [], 0
    for match in pattern.finditer(text):
        _only_space(text, end, match.start())
        words.append(Word(match.group(), match.start() + 1))
        end = match.end()
    _only_space(text, end, len(text))
    words.append(Word("", len(text) + 1))
    return words


def _only_space(text: str, start: int, end: int) -> None:
    between = text[start:end]
    if between and not between.isspace():
        place = start + len(between) - len(between.lstrip())
        raise NotationError(place + 1, f"{text[place]!r} has no meaning here")


@dataclass(frozen=True, slots=True)
class Operator:
    """A connective: how tightly it binds (the higher the tighter) and what it makes."""

    strength: int
    make: Callable[[Expression, Expression], Expression]
    right_first: bool = False


class Reader:
    """Reads tokens from left to right. A notation inherits this and says what a part is (:meth:`part`)."""

    def __init__(self, words: list[Word], operators: Mapping[str, Operator]) -> None:
        self.words = words
        self.at = 0
        self.operators = operators
        self._depth = 0

    @property
    def word(self) -> Word:
        """The next token; at the end an empty one."""
        return self.words[self.at]

    def take(self) -> Word:
        """The next token, and on to the one behind it."""
        word = self.words[self.at]
        if word.text:
            self.at += 1
        return word

    def accept(self, text: str) -> bool:
        """Whether the next token is this one; then it is taken."""
        found = self.words[self.at].text == text
        self.at += found
        return found

    def expect(self, text: str, opened: Word | None = None) -> None:
        """Take this token, or refuse; ``opened`` is the bracket that waits for it."""
        if not self.accept(text):
            where = f" for the one in column {opened.column}" if opened else ""
            self.refuse(f"{text!r} is wanted{where}")

    def refuse(self, reason: str, word: Word | None = None) -> NoReturn:
        """Raise :class:`NotationError` at a token, or at the next one."""
        word = word or self.word
        found = f", not {word.text!r}" if word.text else ", not the end"
        raise NotationError(word.column, reason + (found if " is wanted" in reason else ""))

    def whole(self) -> Expression:
        """The expression that the whole text is."""
        result = self.expression()
        if self.word.text == ")":
            self.refuse("a closing bracket that none opens")
        if self.word.text:
            self.refuse("a connective or the end is wanted")
        return result

    def expression(self, strength: int = 0) -> Expression:
        """Parts joined by operators that bind at least this tightly."""
        self._depth += 1
        if self._depth > DEEPEST:
            self.refuse(f"more than {DEEPEST} levels deep")
        result = self.part()
        length = 1
        while (operator := self.operators.get(self.word.text)) and operator.strength >= strength:
            length += 1
            if length > LONGEST:
                self.refuse(f"more than {LONGEST} parts in a row")
            self.take()
            tighter = operator.strength + (not operator.right_first)
            result = operator.make(result, self.expression(tighter))
        self._depth -= 1
        return result

    def part(self) -> Expression:
        """What stands between connectives: an atom, a negation, a quantified formula, something in
        brackets.
        """
        raise NotImplementedError


class FirstOrderReader(Reader):
    """Reads notations in which variables begin with an upper-case letter (or _) and every variable is
    bound.
    """

    def __init__(self, words: list[Word], operators: Mapping[str, Operator]) -> None:
        super().__init__(words, operators)
        self.bound: list[str] = []

    def atom(self, word: Word) -> Expression:
        """An atom or an equation that begins with this word."""
        if self.word.text == "(" and not is_variable(word.text):
            left: Expression = Atom(unquoted(word.text), tuple(self._arguments()))
        elif self.word.text in ("=", "!=", "\\="):
            left = self._individual(word)
        elif is_variable(word.text):
            self.refuse("a formula is wanted", word)
        else:
            left = Atom(unquoted(word.text), ())
        if self.word.text not in ("=", "!=", "\\="):
            return left
        if isinstance(left, Atom):
            self.refuse("functions are not part of these formulas", word)
        sign = self.take()
        equation = Equals(left, self._term())
        return equation if sign.text == "=" else Not(equation)

    def binding(self, word: Word) -> str:
        """Bind this word's variable until :meth:`unbind`."""
        if not is_variable(word.text):
            self.refuse("a variable is wanted", word)
        self.bound.append(word.text)
        return word.text

    def unbind(self, count: int = 1) -> None:
        """Let the last variables go."""
        del self.bound[len(self.bound) - count :]

    def _arguments(self) -> list[Expression]:
        opened = self.take()
        arguments = [self._term()]
        while self.accept(","):
            arguments.append(self._term())
        self.expect(")", opened)
        return arguments

    def _term(self) -> Expression:
        word = self.take()
        if not is_name(word.text):
            self.refuse("a term is wanted", word)
        if self.word.text == "(":
            self.refuse("functions are not part of these formulas", word)
        return self._individual(word)

    def _individual(self, word: Word) -> Expression:
        if not is_variable(word.text):
            return Constant(unquoted(word.text))
        if word.text not in self.bound:
            self.refuse(f"a free variable, {word.text}", word)
        return Variable(word.text)


def is_variable(text: str) -> bool:
    """Whether the word is a variable of Prolog and TPTP."""
    return text[:1].isupper() or text[:1] == "_"


def is_name(text: str) -> bool:
    """Whether the word is a variable, a predicate or a constant, quoted or not."""
    return text[:1].isalnum() or (text[:1] in ("_", "'") and bool(text))


def unquoted(text: str) -> str:
    """A name without its single quotes."""
    if not text.startswith("'"):
        return text
    return text[1:-1].replace("\\'", "'").replace("\\\\", "\\")


def quoted(name: str) -> str:
    """A name as Prolog and TPTP want it: in single quotes unless it is a lower-case word."""
    if re.fullmatch(r"[a-z][A-Za-z0-9_]*", name):
        return name
    inner = name.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{inner}'"
