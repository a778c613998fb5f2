"""Drawing sentences from a grammar at random: of an exact depth, the same ones for the same seed."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TypeVar

from natlog.fragments.derivation import Derivation
from natlog.fragments.grammar import Grammar, Rule

_Thing = TypeVar("_Thing")

# Draws in a row that bring nothing new before a depth counts as exhausted.
_PATIENCE = 2000


class TooFew(ValueError):
    """A fragment has not as many sentences as were asked for."""


def shares(n: int, places: int) -> list[int]:
    """``n`` spread over places as evenly as can be, the first ones getting one more."""
    return [n // places + (place < n % places) for place in range(places)]


class Drawing:
    """Draws derivations: at each constituent every rule that can lead to the depth is equally likely, then
    every way of sharing the depth out, then every word. Rules for reading alone are left out.
    """

    def __init__(self, grammar: Grammar, seed: int) -> None:
        self.grammar = grammar
        self.random = random.Random(seed)
        self._choices = cache(self._choices_of)
        self._reachable = self._depths_reachable()

    def different(self, depth: int, n: int) -> Iterator[Derivation]:
        """``n`` derivations of different sentences. Raises :class:`TooFew`."""
        seen: set[str] = set()
        in_vain = 0
        while len(seen) < n:
            derivation = self.one(depth)
            if (text := derivation.text) in seen:
                in_vain += 1
                if in_vain > _PATIENCE:
                    raise TooFew(
                        f"{self.grammar.name} has hardly more than {len(seen)} sentences of depth {depth}"
                    )
                continue
            seen.add(text)
            in_vain = 0
            yield derivation

    def one(self, depth: int, category: str | None = None) -> Derivation:
        """A derivation of the category (a sentence) with exactly this many recursive rules.

        Raises :class:`TooFew` where there is none.
        """
        category = category or self.grammar.start
        entries = self.grammar.entries.get(category)
        if entries and depth == 0:
            return Derivation(self.random.choice(entries))
        choices = self._choices(category, depth)
        if not choices:
            raise TooFew(f"{self.grammar.name} has no {category} of depth {depth}")
        rule, splits = self.random.choice(choices)
        split = self.random.choice(splits)
        return Derivation(
            rule, tuple([self.one(part, child) for part, child in zip(split, rule.children, strict=True)])
        )

    def _choices_of(self, category: str, depth: int) -> list[tuple[Rule, list[tuple[int, ...]]]]:
        """The rules that can make a category of a depth, each with the ways to share it out."""
        found = []
        for rule in self.grammar.rules.get(category, ()):
            if not rule.read_only and (splits := self._splits(rule.children, depth - rule.recursive)):
                found.append((rule, splits))
        return found

    def _splits(self, children: tuple[str, ...], depth: int) -> list[tuple[int, ...]]:
        if depth < 0:
            return []
        if not children:
            return [()] if depth == 0 else []
        first, *rest = children
        return [
            (own, *others)
            for own in range(depth + 1)
            if self._can_be(first, own)
            for others in self._splits(tuple(rest), depth - own)
        ]

    def _can_be(self, category: str, depth: int) -> bool:
        """Whether a category has constituents of a depth: 0 always, more where it can hold a recursive
        rule.
        """
        return depth == 0 or category in self._reachable

    def _depths_reachable(self) -> set[str]:
        """The categories that can hold a recursive rule, and so any depth."""
        found: set[str] = set()
        size = -1
        while size != (size := len(found)):
            for category, rules in self.grammar.rules.items():
                if any(rule.recursive or not found.isdisjoint(rule.children) for rule in rules):
                    found.add(category)
        return found


def in_turn(things: Sequence[_Thing], chance: random.Random) -> Iterator[_Thing]:
    """The things one after the other, in a new order each time round."""
    while True:
        yield from chance.sample(things, len(things))
