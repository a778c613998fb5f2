"""Where the CCG route and the dependency route disagree about polarity."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from natlog.polarity import mark
from natlog.tree import Marking, Tree


class WordParser(Protocol):
    """A parser that takes a sentence's words, such as :func:`natlog.parsing.load_parser` gives."""

    def parse_tokens(self, words: Sequence[str]) -> Tree: ...


@dataclass(frozen=True, slots=True)
class Comparison:
    """One sentence marked on its derivation and on its dependency parse, token by token."""

    derivation: Marking
    dependencies: Marking

    @property
    def differing(self) -> tuple[int, ...]:
        """The indices of the tokens with different signs."""
        pairs = zip(self.derivation.signs, self.dependencies.signs, strict=True)
        return tuple(index for index, (one, other) in enumerate(pairs) if one is not other)

    def __str__(self) -> str:
        words = [token.text for token in self.derivation.tree.tokens]
        lines = []
        for name, marking in (("ccg", self.derivation), ("dep", self.dependencies)):
            differing = set(self.differing)
            shown = (
                f"{word}{sign}" if index not in differing else f"[{word}{sign}]"
                for index, (word, sign) in enumerate(zip(words, marking.signs, strict=True))
            )
            lines.append(f"{name}  {' '.join(shown)}")
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far the two routes agree on a set of sentences (counts)."""

    tokens: int
    agreeing_tokens: int
    sentences: int
    agreeing_sentences: int

    @property
    def token_share(self) -> float | None:
        """The share of tokens with the same sign, or None without tokens."""
        return self.agreeing_tokens / self.tokens if self.tokens else None


def compare(trees: Iterable[Tree], parser: WordParser, convention: str = "default") -> list[Comparison]:
    """Mark each CCG tree, and the same words parsed by ``parser``, under one convention."""
    compared = []
    for tree in trees:
        other = parser.parse_tokens([token.text for token in tree.tokens])
        compared.append(Comparison(mark(tree, convention), mark(other, convention)))
    return compared


def agreement(comparisons: Sequence[Comparison]) -> Agreement:
    """The counts of a comparison."""
    tokens = sum(len(comparison.derivation.signs) for comparison in comparisons)
    differing = [len(comparison.differing) for comparison in comparisons]
    return Agreement(tokens, tokens - sum(differing), len(comparisons), differing.count(0))
