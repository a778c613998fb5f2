"""Polarity against hand-marked sentences: the format of the files, and the score."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from natlog.tree import Marking, Polarity

_SIGNS = {str(sign): sign for sign in Polarity}
KEY_PARTS_OF_SPEECH = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "DET", "NUM"})
"""Key tokens: nouns, verbs, adjectives, determiners and numerals (Chen and Gao 2021, section 5)."""


class GoldFileError(ValueError):
    """A line of a hand-marked file cannot be read; the message names file, line and token."""


@dataclass(frozen=True, slots=True)
class GoldSentence:
    """One line of a hand-marked file: its words and their signs."""

    line: int
    words: tuple[str, ...]
    signs: tuple[Polarity, ...]

    def __str__(self) -> str:
        return " ".join(f"{word}{sign}" for word, sign in zip(self.words, self.signs, strict=True))


@dataclass(frozen=True, slots=True)
class Count:
    """How many of how many are right."""

    right: int = 0
    of: int = 0

    @property
    def fraction(self) -> float | None:
        """In [0, 1]; None where there is nothing to count."""
        return self.right / self.of if self.of else None

    def plus(self, right: int, of: int) -> Count:
        return Count(self.right + right, self.of + of)


@dataclass(frozen=True, slots=True)
class PolarityScore:
    """Accuracy by token, key token and whole sentence, and the sentences that are not all right."""

    tokens: Count
    key_tokens: Count
    sentences: Count
    wrong: tuple[tuple[GoldSentence, Marking], ...]


def parse_gold(lines: Iterable[str], name: str) -> list[GoldSentence]:
    """Read a file of sentences whose every token ends in ↑, ↓ or =; blank lines and # comments are skipped.

    >>> print(parse_gold(["No↑ dog↓ barks↓"], "gold.txt")[0])
    No↑ dog↓ barks↓

    Raises :class:`GoldFileError`.
    """
    sentences = []
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        words, signs = [], []
        for place, token in enumerate(line.split(), 1):
            if len(token) < 2 or token[-1] not in _SIGNS:
                raise GoldFileError(
                    f"{name}, line {number}: token {place}, {token!r}, does not end in ↑, ↓ or ="
                )
            words.append(token[:-1])
            signs.append(_SIGNS[token[-1]])
        sentences.append(GoldSentence(number, tuple(words), tuple(signs)))
    return sentences


def score_polarity(gold: Sequence[GoldSentence], markings: Iterable[Marking]) -> PolarityScore:
    """Compare ``markings`` of the same words, in the same order, with ``gold``."""
    tokens, key_tokens, sentences = Count(), Count(), Count()
    wrong = []
    for sentence, marking in zip(gold, markings, strict=True):
        right = [given is sign for given, sign in zip(marking.signs, sentence.signs, strict=True)]
        key = [
            hit
            for hit, token in zip(right, marking.tree.tokens, strict=True)
            if token.pos in KEY_PARTS_OF_SPEECH
        ]
        tokens = tokens.plus(sum(right), len(right))
        key_tokens = key_tokens.plus(sum(key), len(key))
        sentences = sentences.plus(all(right), 1)
        if not all(right):
            wrong.append((sentence, marking))
    return PolarityScore(tokens, key_tokens, sentences, tuple(wrong))
