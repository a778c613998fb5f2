"""A derivation step by step: what each constituent means, from the words up to the sentence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from natlog.fragments.derivation import Derivation
from natlog.fragments.grammar import Entry, child_names
from natlog.logic.formula import Apply, Expression
from natlog.logic.nltk_notation import parse, to_nltk
from natlog.logic.reduction import reduce


@dataclass(frozen=True, slots=True)
class Step:
    """A constituent: its words and category, the rule that makes it ("" for a word), the λ-term that the
    grammar gives for it, and its meaning with those of its parts put in, in β-normal form and NLTK's
    notation. ``level`` is how far below the sentence it stands."""

    text: str
    category: str
    syntax: str
    rule: str
    meaning: str
    level: int


def steps(derivation: Derivation) -> list[Step]:
    """The constituents of a derivation, parts before what they are parts of; the sentence is last.

    Of several kinds of meaning, the grammar's first (a formula).
    """
    return [step for step, _term in _steps(derivation, 0)]


def _steps(node: Derivation, level: int) -> Iterator[tuple[Step, Expression]]:
    by = node.by
    text = " ".join(node.words)
    given = next(iter(by.meanings.values()))
    if isinstance(by, Entry):
        term = parse(given)
        yield Step(text, node.category, "", given, to_nltk(term), level), term
        return
    parts = []
    for child in node.children:
        below = list(_steps(child, level + 1))
        parts.append(below[-1][1])
        yield from below
    term = parse(f"\\{' '.join(child_names(by.syntax))}.({given})")
    for part in parts:
        term = Apply(term, part)
    term = reduce(term)
    yield Step(text, node.category, by.syntax, given, to_nltk(term), level), term
