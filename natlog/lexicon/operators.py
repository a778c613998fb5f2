"""Operators as data: ``operators.toml`` read once, indexed by first word, and found in a sentence."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from natlog.lexicon.conventions import load_convention
from natlog.lexicon.word_lists import listed_under

_FILE = Path(__file__).with_name("operators.toml")
_SIGNS = {"↑": 1, "↓": -1, "=": 0}
KINDS = (
    "determiner",
    "modifier",
    "negation",
    "focus",
    "preposition",
    "subordinator",
    "predicate",
    "degree",
    "question",
    "generic",
    "inversion",
    "correlative",
    "idiom",
)
ARGUMENTS = (
    "first",
    "second",
    "number",
    "than",
    "licensed",
    "scope",
    "argument",
    "main",
    "to",
    "ing",
    "that",
    "object",
    "prep",
)
# `scope` is the sign of a negation's or focus word's argument; other kinds say with it how they take scope.
_SCOPE_RULES = ("outer", "wide", "episodic")
_NUMBER_WORDS = frozenset(listed_under("numbers")) - {"zero"}
_ROUND = re.compile(r"((?:half )?a )(?:dozen|hundred|thousand|million|billion)\b")
_DIGITS = re.compile(r"\d[\d,]*(\.\d+)?")


def is_numeral(word: str) -> bool:
    """Whether a lower-case word is a cardinal number.

    >>> [is_numeral(word) for word in ("six", "1,200", "twenty-one", "60s")]
    [True, True, True, False]
    """
    if word in _NUMBER_WORDS:
        return True
    if word[:1].isdigit():
        return _DIGITS.fullmatch(word) is not None
    return "-" in word and all(part in _NUMBER_WORDS for part in word.split("-"))


@dataclass(frozen=True, slots=True)
class Operator:
    """One entry of ``operators.toml`` under a convention.

    ``signs`` maps an argument's name (see the file's head) to 1 (↑), -1 (↓) or 0 (=); an argument that
    is not in it is no argument. ``words`` maps a form to the signs of its own words, where not all ↑;
    ``parse_as`` maps it to the word that the parser is given in its place.
    """

    id: str
    kind: str
    forms: tuple[tuple[str, ...], ...]
    signs: Mapping[str, int]
    words: Mapping[tuple[str, ...], tuple[int, ...]]
    parse_as: Mapping[tuple[str, ...], str]
    scope: str
    alone: str
    prepositions: tuple[str, ...]
    verbs: tuple[str, ...]
    source: str
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Match:
    """An operator's words in a sentence: tokens ``start`` to ``end`` (exclusive).

    ``slots`` has for every token of the match the position in ``form`` that it fills.
    """

    operator: Operator
    start: int
    end: int
    form: tuple[str, ...]
    slots: tuple[int, ...]

    @property
    def numerals(self) -> list[int]:
        """The tokens that fill a {n} or {d}."""
        return [self.start + at for at, slot in enumerate(self.slots) if self.form[slot] in ("{n}", "{d}")]


class OperatorIndex:
    """All operators of one convention, looked up by the first word of their forms."""

    def __init__(self, operators: Sequence[Operator]) -> None:
        self.operators = tuple(operators)
        self.by_id: dict[str, Operator] = {}
        self.predicates: dict[str, list[Operator]] = {}
        index: dict[str, list[tuple[tuple[str, ...], Operator]]] = {}
        for operator in operators:
            self.by_id.setdefault(operator.id, operator)
            for form in operator.forms:
                if operator.kind == "predicate":
                    self.predicates.setdefault(" ".join(form), []).append(operator)
                else:
                    index.setdefault(form[0], []).append((form, operator))
        self._index = {
            first: tuple(sorted(entries, key=lambda entry: -len(entry[0])))
            for first, entries in index.items()
        }
        self.first_words = frozenset(self._index)

    def find(self, words: Sequence[str]) -> list[Match]:
        """The operators in lower-case ``words``, left to right, longest first, none overlapping."""
        found: list[Match] = []
        position, size, index = 0, len(words), self._index
        numbers = index["{n}"]
        while position < size:
            word = words[position]
            entries = index.get(word, ())
            if word[:1].isdigit() or word in _NUMBER_WORDS or "-" in word:
                entries = (*entries, *numbers) if is_numeral(word) else entries
            for form, operator in entries:
                slots = _fit(form, words, position)
                if slots:
                    end = position + len(slots)
                    found.append(Match(operator, position, end, form, slots))
                    position = end
                    break
            else:
                position += 1
        return found


def _fit(form: tuple[str, ...], words: Sequence[str], start: int) -> tuple[int, ...]:
    """For every token that ``form`` covers from ``start`` on, its place in the form; () for no fit."""
    slots: list[int] = []
    position, size = start, len(words)
    for slot, part in enumerate(form):
        if position >= size:
            return tuple(slots) if part[0] == "!" else ()
        word = words[position]
        if part == "{n}":
            round_number = _ROUND.match(" ".join(words[position : position + 3])) if len(form) > 1 else None
            if round_number is not None:
                before = round_number[1].count(" ")
                slots += [slot] * before
                position += before
            elif not is_numeral(word):
                return ()
            while position < size and is_numeral(words[position]):
                slots.append(slot)
                position += 1
        elif part[0] in "+!":
            follows = any(_follows(wanted, word) for wanted in part[1:].split("|"))
            return tuple(slots) if follows is (part[0] == "+") else ()
        elif part == "{d}":
            if not word[:1].isdigit():
                return ()
            slots.append(slot)
            position += 1
        elif word != part:
            return ()
        else:
            slots.append(slot)
            position += 1
    return tuple(slots)


def _follows(wanted: str, word: str) -> bool:
    if wanted == "{ing}":
        return word.endswith("ing") and not word.endswith("thing")
    if wanted == "{er}":
        return word.endswith("er") and len(word) > 4
    return word == wanted


@lru_cache(maxsize=1)
def _entries() -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = tomllib.loads(_FILE.read_text(encoding="utf-8"))["operator"]
    return entries


@lru_cache(maxsize=16)
def load_operators(convention: str = "default") -> OperatorIndex:
    """The operators with their signs under ``convention``."""
    switches = load_convention(convention).signs
    return OperatorIndex([_operator(entry, switches) for entry in _entries()])


def _operator(entry: Mapping[str, Any], switches: Mapping[str, Mapping[str, str]]) -> Operator:
    signs = {name: entry[name] for name in ARGUMENTS if entry.get(name, "") in _SIGNS}
    if "switch" in entry:
        signs |= switches[entry["switch"]]
    forms = tuple(tuple(form.split()) for form in entry["forms"])
    words = entry.get("words", {})
    stand_ins = entry.get("parse_as", {})
    if isinstance(stand_ins, str):
        stand_ins = dict.fromkeys(entry["forms"], stand_ins)
    if isinstance(words, str):
        words = dict.fromkeys(entry["forms"], words)
    return Operator(
        id=entry["id"],
        kind=entry["kind"],
        forms=forms,
        signs={name: _SIGNS[sign] for name, sign in signs.items()},
        words={
            tuple(form.split()): tuple(_SIGNS[sign] for sign in marks.split())
            for form, marks in words.items()
        },
        parse_as={tuple(form.split()): word for form, word in stand_ins.items()},
        scope=entry.get("scope", "") if entry.get("scope", "") in _SCOPE_RULES else "",
        alone=entry.get("alone", ""),
        prepositions=tuple(entry.get("prepositions", ())),
        verbs=tuple(entry.get("verbs", ())),
        source=entry["source"],
        examples=tuple(entry["examples"]),
    )
