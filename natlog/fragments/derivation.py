"""Derivations: how a grammar makes a sentence, and what the sentence says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from natlog.fragments.composition import begin
from natlog.fragments.grammar import Entry, Rule


@dataclass(frozen=True, slots=True, eq=False)
class Derivation:
    """A constituent: a rule with a derivation for each category on its right, or a word without any."""

    by: Rule | Entry
    children: tuple[Derivation, ...] = ()

    @property
    def category(self) -> str:
        return self.by.category

    @property
    def tag(self) -> str:
        """What the rule shows; a word shows nothing."""
        return self.by.tag if isinstance(self.by, Rule) else ""

    @property
    def depth(self) -> int:
        """How many recursive rules are in it."""
        own = isinstance(self.by, Rule) and self.by.recursive
        return own + sum(child.depth for child in self.children)

    @property
    def words(self) -> list[str]:
        """Its words, in order."""
        words: list[str] = []
        _write(self, words)
        return words

    @property
    def text(self) -> str:
        """Its words, apart by spaces; a comma stands right behind its word."""
        return " ".join(self.words).replace(" ,", ",")

    def walk(self) -> Iterator[Derivation]:
        """It and every constituent in it, from the top and from the left."""
        yield self
        for child in self.children:
            yield from child.walk()

    def meaning(self, column: int = 0) -> Any:
        """Its meaning: a formula in β-normal form with binders x1, x2, … from left to right, or a
        variable-free form; for less than a sentence a function. ``column`` counts the grammar's columns.
        """
        begin()
        return _composed(self, column)


def _write(node: Derivation, words: list[str]) -> None:
    if isinstance(node.by, Entry):
        words.extend(node.by.words)
        return
    children = iter(node.children)
    for part in node.by.parts:
        if part[0].isupper():
            _write(next(children), words)
        else:
            words.append(part)


def _composed(node: Derivation, column: int) -> Any:
    by = node.by
    if type(by) is Entry:
        return by.values[column]
    value = by.functions[column]  # type: ignore[union-attr]
    for child in node.children:
        value = value(_composed(child, column))
    return value
