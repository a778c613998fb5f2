"""DRSs as clauses, the notation of the Parallel Meaning Bank and of SyGNS (section 3.3): ``b1 REF x1 [SEP]
b1 dog x1``.

A clause is a box, then ``REF``, ``NOT``, ``IMP``, ``DIS`` with a referent or boxes, or a predicate with its
terms. One clause a line, or ``[SEP]`` between them; what follows ``%`` is a comment. A referent is a letter
and a number, a name of an individual stands in double quotes, and a sense behind a predicate (``dog "n.01"
x1``) becomes part of it: ``dog.n.01``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from natlog.logic.drs import Alternative, Box, Condition, Implication, Negation
from natlog.logic.formula import Atom, Constant, Equals, Expression, Variable

SEPARATOR = " [SEP] "
_BREAK = re.compile(r"\[SEP\]|\n")
_BOX = re.compile(r"b\d+")
_REFERENT = re.compile(r"[a-z]\d+")
_SENSE = re.compile(r'"[a-z]\.\d+"')
_OPERATORS = {"REF": 1, "NOT": 1, "IMP": 2, "DIS": 2}
# Conditions of the Parallel Meaning Bank that say something else than first-order logic can.
_BEYOND = ("POS", "NEC", "DUP", "PRP", "DRS")


class ClauseError(ValueError):
    """A list of clauses is no DRS; ``number`` is the clause, from 1, ``reason`` what is wrong with it."""

    def __init__(self, number: int, reason: str) -> None:
        super().__init__(f"clause {number}: {reason}")
        self.number = number
        self.reason = reason


def to_clauses(box: Box) -> str:
    """The clauses of a DRS, a box's referents first, joined by ``[SEP]``; boxes are numbered as they are
    met.
    """
    writer = _Writer()
    writer.add(box, writer.number())
    return SEPARATOR.join(writer.clauses)


class _Writer:
    """The clauses so far, and how many boxes they name."""

    def __init__(self) -> None:
        self.clauses: list[str] = []
        self._boxes = 0

    def number(self) -> str:
        self._boxes += 1
        return f"b{self._boxes}"

    def add(self, box: Box, name: str) -> None:
        self.clauses += [f"{name} REF {referent}" for referent in box.referents]
        for condition in box.conditions:
            self._condition(condition, name)

    def _condition(self, condition: Condition, name: str) -> None:
        match condition:
            case Atom(predicate, terms):
                self.clauses.append(" ".join([name, predicate, *map(_term, terms)]))
            case Equals(left, right):
                self.clauses.append(f"{name} EQU {_term(left)} {_term(right)}")
            case Negation(box):
                inner = self.number()
                self.clauses.append(f"{name} NOT {inner}")
                self.add(box, inner)
            case Implication(left, right):
                self._two(name, "IMP", left, right)
            case Alternative(left, right):
                self._two(name, "DIS", left, right)

    def _two(self, name: str, operator: str, left: Box, right: Box) -> None:
        # The clause stands before its boxes, and the second box gets its number after all that is in the
        # first.
        place = len(self.clauses)
        self.clauses.append("")
        first = self.number()
        self.add(left, first)
        second = self.number()
        self.clauses[place] = f"{name} {operator} {first} {second}"
        self.add(right, second)


def _term(term: Any) -> str:
    return f'"{term.name}"' if isinstance(term, Constant) else str(term.name)


@dataclass
class _Open:
    """A box while its clauses are read; ``used_by`` is the clause that names it."""

    first: int
    referents: list[str] = field(default_factory=list)
    conditions: list[tuple[int, Atom | Equals | tuple[str, ...]]] = field(default_factory=list)
    used_by: int = 0


def parse(text: str) -> Box:
    """The DRS of a list of clauses.

    Raises :class:`ClauseError` with the number of the clause: no box first, wrong number of parts, an
    unknown or unbound referent, a box that is named twice or by none but should be, a circle of boxes, a
    condition beyond first-order logic.
    """
    boxes: dict[str, _Open] = {}
    for number, parts in enumerate(_clauses(text), 1):
        _read(number, parts, boxes)
    if not boxes:
        raise ClauseError(1, "a clause is wanted")
    tops = [name for name, box in boxes.items() if not box.used_by]
    if not tops:
        raise ClauseError(1, "the boxes are in a circle")
    if len(tops) > 1:
        raise ClauseError(boxes[tops[1]].first, f"no clause says where box {tops[1]} belongs")
    seen: set[str] = set()
    result = _closed(tops[0], boxes, frozenset(), seen)
    if missing := [name for name in boxes if name not in seen]:
        raise ClauseError(boxes[missing[0]].first, f"box {missing[0]} is in a circle of boxes")
    return result


def _clauses(text: str) -> Iterable[list[str]]:
    for piece in _BREAK.split(text):
        parts = piece.split("%", 1)[0].split()
        if parts:
            yield parts


def _read(number: int, parts: list[str], boxes: dict[str, _Open]) -> None:
    """Take one clause into its box."""
    if not _BOX.fullmatch(parts[0]):
        raise ClauseError(number, f"a box (b1, b2, …) is wanted first, not {parts[0]!r}")
    if len(parts) < 3:
        raise ClauseError(number, "a box, a word and at least one referent are wanted")
    box = boxes.setdefault(parts[0], _Open(number))
    word, arguments = parts[1], parts[2:]
    if word in _BEYOND:
        raise ClauseError(number, f"{word} says something beyond first-order logic")
    if word not in _OPERATORS:
        box.conditions.append((number, _predication(number, word, arguments)))
        return
    if len(arguments) != _OPERATORS[word]:
        raise ClauseError(number, f"{word} takes {_OPERATORS[word]}, not {len(arguments)}")
    if word == "REF":
        if not _REFERENT.fullmatch(arguments[0]) or _BOX.fullmatch(arguments[0]):
            raise ClauseError(number, f"{arguments[0]!r} is no referent")
        box.referents.append(arguments[0])
        return
    for name in arguments:
        if not _BOX.fullmatch(name):
            raise ClauseError(number, f"{word} takes boxes, not {name!r}")
        inner = boxes.setdefault(name, _Open(number))
        if inner.used_by:
            raise ClauseError(number, f"box {name} is used by clause {inner.used_by} already")
        inner.used_by = number
    box.conditions.append((number, (word, *arguments)))


def _predication(number: int, word: str, arguments: list[str]) -> Atom | Equals:
    if _SENSE.fullmatch(arguments[0]) and len(arguments) > 1:
        word, arguments = f"{word}.{arguments[0][1:-1]}", arguments[1:]
    terms: list[Expression] = []
    for argument in arguments:
        if len(argument) > 2 and argument.startswith('"') and argument.endswith('"'):
            terms.append(Constant(argument[1:-1]))
        elif _REFERENT.fullmatch(argument) and not _BOX.fullmatch(argument):
            terms.append(Variable(argument))
        else:
            raise ClauseError(number, f"{argument!r} is neither a referent nor a name in quotes")
    if word == "EQU" and len(terms) == 2:
        return Equals(terms[0], terms[1])
    return Atom(word, tuple(terms))


def _closed(name: str, boxes: dict[str, _Open], known: frozenset[str], seen: set[str]) -> Box:
    """The box, with what is in it; ``known`` are the referents of the boxes around it."""
    seen.add(name)
    box = boxes[name]
    known = known | set(box.referents)
    conditions: list[Condition] = []
    for number, condition in box.conditions:
        match condition:
            case ("NOT", inner):
                conditions.append(Negation(_closed(inner, boxes, known, seen)))
            case ("IMP", left, right):
                antecedent = _closed(left, boxes, known, seen)
                after = known | set(antecedent.referents)
                conditions.append(Implication(antecedent, _closed(right, boxes, after, seen)))
            case ("DIS", left, right):
                conditions.append(
                    Alternative(_closed(left, boxes, known, seen), _closed(right, boxes, known, seen))
                )
            case Atom() | Equals():
                _check_terms(number, condition, known)
                conditions.append(condition)
    return Box(tuple(box.referents), tuple(conditions))


def _check_terms(number: int, condition: Atom | Equals, known: frozenset[str]) -> None:
    terms: tuple[Expression, ...] = (
        condition.terms if isinstance(condition, Atom) else (condition.left, condition.right)
    )
    for term in terms:
        if isinstance(term, Variable) and term.name not in known:
            raise ClauseError(number, f"a free variable, {term.name}: no box around it has this referent")
