"""Variable-free formulas in Polish notation (SyGNS, section 3.3 and appendix A, Table 12):
``ALL AND TIGER SMALL NOT EXIST TOM KISS``.

``ALL``, ``EXIST`` and numerals take a restrictor and a scope, ``AND`` and ``OR`` two parts, ``NOT`` and
``INV`` one; any other word is a predicate. How many arguments a predicate has follows from its place: a
scope has one more than what its quantifier makes. ``INV`` swaps subject and object of a relation.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from natlog.logic.formula import (
    And,
    Atom,
    Exists,
    Expression,
    ForAll,
    Implies,
    Not,
    Or,
    Variable,
    rename,
)
from natlog.logic.notation import DEEPEST, NotationError, Word

# A numeral is a mark on its individuals, as in the SyGNS data: two(x), and no counting.
NUMERALS = ("TWO", "THREE")
QUANTIFIERS = ("ALL", "EXIST", *NUMERALS)
_PARTS = {**dict.fromkeys((*QUANTIFIERS, "AND", "OR"), 2), "NOT": 1, "INV": 1}
_NUMERAL_PREDICATES = {name.lower(): name for name in NUMERALS}


@dataclass(frozen=True, slots=True)
class VariableFree:
    """An operator with its parts, or a predicate without any; ``word`` in capitals."""

    word: str
    parts: tuple[VariableFree, ...] = ()

    def __str__(self) -> str:
        words: list[str] = []
        _write(self, words)
        return " ".join(words)


class NoVariableFreeForm(ValueError):
    """A formula lies outside what variable-free formulas can say."""


def _write(node: VariableFree, words: list[str]) -> None:
    words.append(node.word)
    for part in node.parts:
        _write(part, words)


def parse(text: str) -> VariableFree:
    """The formula of a line in Polish notation.

    Raises :class:`natlog.logic.notation.NotationError` with the column: a part is missing, a word is left
    over, or a predicate is not in capitals.
    """
    words = [Word(match.group(), match.start() + 1) for match in re.finditer(r"\S+", text)]
    end = Word("", len(text) + 1)
    result, at = _read(words, 0, end, 0)
    if at < len(words):
        raise NotationError(words[at].column, f"the formula is complete before {words[at].text!r}")
    return result


def _read(words: list[Word], at: int, end: Word, depth: int) -> tuple[VariableFree, int]:
    """The formula that begins at a word, and where the next one begins."""
    if at >= len(words):
        raise NotationError(end.column, "a part is wanted, not the end")
    if depth > DEEPEST:
        raise NotationError(words[at].column, f"more than {DEEPEST} levels deep")
    word = words[at]
    if word.text != word.text.upper():
        raise NotationError(word.column, f"{word.text!r} is not in capitals")
    parts, at = [], at + 1
    for _ in range(_PARTS.get(word.text, 0)):
        part, at = _read(words, at, end, depth + 1)
        parts.append(part)
    return VariableFree(word.text, tuple(parts)), at


def formula_of(vf: VariableFree) -> Expression:
    """The first-order formula of a sentence's variable-free form; predicates in lower case.

    Raises :class:`NoVariableFreeForm` where ``INV`` stands on something that is no relation, or no
    individual is left to speak of (a bare predicate).
    """
    return rename(_formula(vf, (), 1))


def _formula(vf: VariableFree, about: tuple[str, ...], level: int) -> Expression:
    """What the form says of the individuals ``about``, the last one the object."""
    word = vf.word
    if word in QUANTIFIERS:
        return _quantified(vf, about, level)
    if word in ("AND", "OR"):
        left, right = (_formula(part, about, level) for part in vf.parts)
        return And(left, right) if word == "AND" else Or(left, right)
    if word == "NOT":
        return Not(_formula(vf.parts[0], about, level))
    if word == "INV":
        if len(about) != 2:
            raise NoVariableFreeForm("INV stands where there is no relation")
        return _formula(vf.parts[0], about[::-1], level)
    if not 1 <= len(about) <= 2:
        raise NoVariableFreeForm(f"{word} would have {len(about)} arguments")
    return Atom(word.lower(), tuple(map(Variable, about)))


def _quantified(vf: VariableFree, about: tuple[str, ...], level: int) -> Expression:
    variable = f"x{level}"
    restrictor = _formula(vf.parts[0], (variable,), level + 1)
    scope = _formula(vf.parts[1], (*about, variable), level + 1)
    if vf.word == "ALL":
        return ForAll(variable, Implies(restrictor, scope))
    body: Expression = And(restrictor, scope)
    if vf.word in NUMERALS:
        body = And(Atom(vf.word.lower(), (Variable(variable),)), body)
    return Exists(variable, body)


def variable_free_of(formula: Expression) -> VariableFree:
    """The variable-free form of a sentence's formula.

    ∃x(A ∧ B) has A as its restrictor and B as its scope, ∃x(two(x) ∧ (A ∧ B)) a numeral. Raises
    :class:`NoVariableFreeForm` where the formula has another shape: equations, constants, relations of three.
    """
    return _form(formula, ())


def _form(node: Any, about: tuple[str, ...]) -> VariableFree:
    """The form of what a formula says of the individuals ``about``."""
    match node:
        case Atom(predicate, terms):
            return _predicate(predicate, terms, about)
        case Not(body):
            return VariableFree("NOT", (_form(body, about),))
        case And(left, right):
            return VariableFree("AND", (_form(left, about), _form(right, about)))
        case Or(left, right):
            return VariableFree("OR", (_form(left, about), _form(right, about)))
        case ForAll(variable, Implies(left, right)):
            return _quantifier("ALL", variable, left, right, about)
        case Exists(variable, And(Atom(numeral, (Variable(name),)), And(left, right))) if (
            name == variable and numeral in _NUMERAL_PREDICATES
        ):
            return _quantifier(_NUMERAL_PREDICATES[numeral], variable, left, right, about)
        case Exists(variable, And(left, right)):
            return _quantifier("EXIST", variable, left, right, about)
    raise NoVariableFreeForm(f"{type(node).__name__} has no variable-free form here")


def _quantifier(word: str, variable: str, left: Any, right: Any, about: tuple[str, ...]) -> VariableFree:
    return VariableFree(word, (_form(left, (variable,)), _form(right, (*about, variable))))


def _predicate(predicate: str, terms: tuple[Any, ...], about: tuple[str, ...]) -> VariableFree:
    names = tuple(term.name if isinstance(term, Variable) else None for term in terms)
    word = VariableFree(predicate.upper())
    if names == about:
        return word
    if len(names) == 2 and names[::-1] == about:
        return VariableFree("INV", (word,))
    raise NoVariableFreeForm(f"{predicate} says something of other individuals than its place gives it")
