"""Parsing with a fragment's grammar: top-down, every constituent once."""

from __future__ import annotations

import re

from natlog.fragments.derivation import Derivation
from natlog.fragments.grammar import Grammar, Rule

# The longest sentence that is read, in words: far beyond what any depth of a fragment makes.
LONGEST = 200
_WORDS = re.compile(r"[^\s,.]+|[,.]")


class OutsideFragment(ValueError):
    """A sentence is not in the fragment; ``word`` says at which word, from 1, ``reason`` why."""

    def __init__(self, word: int, reason: str) -> None:
        super().__init__(f"word {word}: {reason}")
        self.word = word
        self.reason = reason


def words_of(sentence: str) -> list[str]:
    """The words of a sentence in lower case, commas among them, without the full stop at its end."""
    words = _WORDS.findall(sentence.lower())
    return words[:-1] if words[-1:] == ["."] else words


def parse(grammar: Grammar, sentence: str) -> Derivation:
    """The derivation of a sentence; where there are several, the first that the grammar's rules give.

    Raises :class:`OutsideFragment`: a word is not in the fragment, or does not fit where it stands.
    """
    return parse_all(grammar, sentence)[0]


def parse_all(grammar: Grammar, sentence: str) -> list[Derivation]:
    """Every derivation of a sentence, at least one. Raises as :func:`parse` does."""
    words = words_of(sentence)
    if not words:
        raise OutsideFragment(1, "a sentence is wanted")
    if len(words) > LONGEST:
        raise OutsideFragment(LONGEST + 1, f"a sentence of more than {LONGEST} words")
    for number, word in enumerate(words, 1):
        if word not in grammar.vocabulary:
            raise OutsideFragment(number, f"{word!r} is not in the fragment")
    chart = _Chart(grammar, words)
    complete = [found for end, found in chart.constituents(grammar.start, 0) if end == len(words)]
    if not complete:
        place = chart.furthest
        if place < len(words):
            raise OutsideFragment(place + 1, f"{words[place]!r} does not fit here")
        raise OutsideFragment(place, f"the sentence is not complete after {words[place - 1]!r}")
    return complete


class _Chart:
    """What was found so far: constituents by category and first word, and the word that was reached."""

    def __init__(self, grammar: Grammar, words: list[str]) -> None:
        self.grammar = grammar
        # An empty word stands at the end, which nothing begins with.
        self.words = [*words, ""]
        self.furthest = 0
        self._found: dict[tuple[str, int], list[tuple[int, Derivation]]] = {}

    def constituents(self, category: str, start: int) -> list[tuple[int, Derivation]]:
        """The constituents of a category that begin at a word, each with the place behind it."""
        known = self._found.get((category, start))
        if known is not None:
            return known
        if start > self.furthest:
            self.furthest = start
        # A rule that begins with its own category would come here again: it finds nothing.
        self._found[category, start] = found = []
        first = category, self.words[start]
        for entry in self.grammar.entries_from.get(first, ()):
            end = start + len(entry.words)
            if len(entry.words) == 1 or tuple(self.words[start:end]) == entry.words:
                found.append((end, Derivation(entry)))
        for rule in self.grammar.rules_from.get(first, ()):
            self._add(rule, start, found)
        return found

    def _add(self, rule: Rule, start: int, found: list[tuple[int, Derivation]]) -> None:
        """Add the constituents that a rule makes from a word on."""
        begun: list[tuple[int, tuple[Derivation, ...]]] = [(start, ())]
        for part, is_category in rule.steps:
            after: list[tuple[int, tuple[Derivation, ...]]] = []
            for at, children in begun:
                if is_category:
                    for end, child in self._found.get((part, at)) or self.constituents(part, at):
                        after.append((end, (*children, child)))
                elif self.words[at] == part:
                    after.append((at + 1, children))
                elif at > self.furthest:
                    self.furthest = at
            if not after:
                return
            begun = after
        for end, children in begun:
            found.append((end, Derivation(rule, children)))
            if end > self.furthest:
                self.furthest = end
