"""Operators as data: ``operators.toml`` read once, indexed by first word, and found in a sentence."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from natlog.lexicon.conventions import load_convention

_FILE = Path(__file__).with_name("operators.toml")
_SIGNS = {"↑": 1, "↓": -1, "=": 0}
ARGUMENTS = ("first", "second", "number", "scope", "argument", "main", "to", "that", "object", "of")


@dataclass(frozen=True, slots=True)
class Operator:
    """One entry of ``operators.toml`` under a convention.

    ``signs`` maps an argument's name (see the file's head) to 1 (↑), -1 (↓) or 0 (=).
    """

    id: str
    kind: str
    forms: tuple[tuple[str, ...], ...]
    signs: Mapping[str, int]
    source: str
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Match:
    """An operator's words in a sentence: tokens ``start`` to ``end`` (exclusive)."""

    operator: Operator
    start: int
    end: int


class OperatorIndex:
    """All operators of one convention, looked up by the first word of their forms."""

    def __init__(self, operators: Sequence[Operator]) -> None:
        self.by_id = {operator.id: operator for operator in operators}
        index: dict[str, list[tuple[tuple[str, ...], Operator]]] = {}
        self.predicates: dict[str, Operator] = {}
        for operator in operators:
            for form in operator.forms:
                if operator.kind == "predicate":
                    self.predicates[" ".join(form)] = operator
                else:
                    index.setdefault(form[0], []).append((form, operator))
        self._index = {
            first: tuple(sorted(entries, key=lambda entry: -len(entry[0])))
            for first, entries in index.items()
        }

    def find(self, words: Sequence[str], numerals: Sequence[bool]) -> list[Match]:
        """The operators in lower-case ``words``, left to right, longest first, none overlapping."""
        found: list[Match] = []
        position, size = 0, len(words)
        while position < size:
            for form, operator in self._index.get(words[position], ()):
                if _fits(form, words, numerals, position):
                    found.append(Match(operator, position, position + len(form)))
                    position += len(form)
                    break
            else:
                if numerals[position]:
                    numeral = self.by_id.get("numeral")
                    if numeral is not None:
                        found.append(Match(numeral, position, position + 1))
                position += 1
        return found


def _fits(form: tuple[str, ...], words: Sequence[str], numerals: Sequence[bool], start: int) -> bool:
    if start + len(form) > len(words):
        return False
    for offset, word in enumerate(form):
        if word == "{n}":
            if not numerals[start + offset]:
                return False
        elif word != words[start + offset]:
            return False
    return True


@lru_cache(maxsize=1)
def _entries() -> list[dict[str, object]]:
    entries: list[dict[str, object]] = tomllib.loads(_FILE.read_text(encoding="utf-8"))["operator"]
    return entries


@lru_cache(maxsize=16)
def load_operators(convention: str = "default") -> OperatorIndex:
    """The operators with their signs under ``convention``."""
    switches = load_convention(convention).signs
    return OperatorIndex([_operator(entry, switches) for entry in _entries()])


def _operator(entry: Mapping[str, object], switches: Mapping[str, Mapping[str, str]]) -> Operator:
    signs = {name: str(entry[name]) for name in ARGUMENTS if name in entry}
    if "switch" in entry:
        signs |= switches[str(entry["switch"])]
    forms = entry["forms"]
    examples = entry["examples"]
    assert isinstance(forms, list)
    assert isinstance(examples, list)
    return Operator(
        id=str(entry["id"]),
        kind=str(entry["kind"]),
        forms=tuple(tuple(form.split()) for form in forms),
        signs={name: _SIGNS[sign] for name, sign in signs.items()},
        source=str(entry["source"]),
        examples=tuple(examples),
    )
