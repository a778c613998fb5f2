"""Words as numbers, and the vectors that stand for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Self

import torch
from torch import Tensor

from workers.networks import named
from workers.networks.batches import PADDING, Batch, padded

UNKNOWN = 1  # a word that the training part didn't have
NOTHING = 2  # the one token of an empty premise
_FIRST_WORD = 3


class VectorFileError(ValueError):
    """A file that holds no word vectors, with the line."""


@dataclass(frozen=True)
class Example:
    """A pair as numbers of the vocabulary, with its words (what relations are looked up by). ``related`` is
    what a reader that knows relations found: place in the premise, place in the hypothesis, features."""

    premise: tuple[int, ...]
    hypothesis: tuple[int, ...]
    premise_words: tuple[str, ...] = ()
    hypothesis_words: tuple[str, ...] = ()
    related: tuple[tuple[int, int, tuple[float, ...]], ...] = ()


def words_of(text: str) -> tuple[str, ...]:
    """A text's words in lower case, split as spaCy's English tokeniser does; at least one.

    >>> words_of("No dogs didn't bark.")
    ('no', 'dogs', 'did', "n't", 'bark', '.')
    """
    found = tuple(token.lower_ for token in _tokeniser()(text) if not token.is_space)
    return found or ("",)


@lru_cache(maxsize=1)
def _tokeniser() -> Any:
    import spacy

    return spacy.blank("en")


class WordReader:
    """Pairs as rows of words of a vocabulary: the reader of every network that reads word by word."""

    def __init__(self, vocabulary: Sequence[str], *, hypothesis_only: bool = False) -> None:
        self.vocabulary = tuple(vocabulary)
        self.hypothesis_only = hypothesis_only
        self._numbers = {word: number for number, word in enumerate(self.vocabulary, start=_FIRST_WORD)}

    @classmethod
    def fit(cls, pairs: Sequence[tuple[str, str]], *, hypothesis_only: bool = False) -> Self:
        texts = (text for pair in pairs for text in (pair[1:] if hypothesis_only else pair))
        counts = Counter(word for text in texts for word in words_of(text))
        # By count, then by spelling: the same texts in any order give the same numbers.
        return cls(sorted(counts, key=lambda word: (-counts[word], word)), hypothesis_only=hypothesis_only)

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Self:
        return cls(config["vocabulary"], hypothesis_only=config["hypothesis_only"])

    def config(self) -> dict[str, Any]:
        return {"vocabulary": list(self.vocabulary), "hypothesis_only": self.hypothesis_only}

    def __len__(self) -> int:
        """The number of rows that the word vectors have."""
        return len(self.vocabulary) + _FIRST_WORD

    def examples(self, pairs: Sequence[tuple[str, str]]) -> list[Example]:
        return [self._example(premise, hypothesis) for premise, hypothesis in pairs]

    def _example(self, premise: str, hypothesis: str) -> Example:
        first = () if self.hypothesis_only else words_of(premise)
        second = words_of(hypothesis)
        return Example(self.numbers(first) or (NOTHING,), self.numbers(second), first, second)

    def numbers(self, words: Iterable[str]) -> tuple[int, ...]:
        return tuple(self._numbers.get(word, UNKNOWN) for word in words)

    def unknown(self, premise: str, hypothesis: str) -> list[str]:
        example = self._example(premise, hypothesis)
        return self.unknown_of((*example.premise_words, *example.hypothesis_words))

    def unknown_of(self, words: Iterable[str]) -> list[str]:
        """Those that are not in the vocabulary, each once."""
        return [word for word in dict.fromkeys(words) if word and word not in self._numbers]

    def size(self, example: Example) -> int:
        return len(example.premise) + len(example.hypothesis)

    def batch(self, examples: Sequence[Example]) -> Batch:
        return Batch(padded([e.premise for e in examples]), padded([e.hypothesis for e in examples]))

    def vectors(self, *, source: str, dimensions: int, seed: int) -> Tensor:
        """(V, dimensions): random ones, N(0, 0.1²) from the seed, with the rows of known words replaced by
        those of the source. Padding is zero."""
        generator = torch.Generator().manual_seed(seed)
        vectors = torch.randn(len(self), dimensions, generator=generator) * 0.1
        if source == "encoder":
            word_vectors = named("workers.networks.encoder:word_vectors")
            for word, vector in word_vectors(self.vocabulary, dimensions).items():
                vectors[self._numbers[word]] = vector
        elif source != "random":
            for word, row in glove_rows(Path(source), dimensions):
                if word in self._numbers:
                    vectors[self._numbers[word]] = torch.tensor(row)
        vectors[PADDING] = 0
        return vectors


def glove_rows(path: Path, dimensions: int) -> Iterable[tuple[str, list[float]]]:
    """A GloVe file's words and vectors, line by line: ``word number number …``, in UTF-8. A word may itself
    hold spaces, as some of the published files' do. Raises :class:`VectorFileError` with the line."""
    with path.open(encoding="utf-8", newline="\n") as lines:
        for count, line in enumerate(lines, start=1):
            fields = line.rstrip("\n").rsplit(" ", dimensions)
            if len(fields) != dimensions + 1:
                raise VectorFileError(
                    f"{path.name}, line {count}: a word and {dimensions} numbers are wanted"
                )
            try:
                yield fields[0], [float(number) for number in fields[1:]]
            except ValueError as error:
                raise VectorFileError(f"{path.name}, line {count}: {error}") from error
