"""What networks read: padded batches of pairs.

B pairs a batch; P and H are the lengths of its longest premise and hypothesis. What stands at a masked
position must never change an output.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, Self

import torch
from torch import Tensor, nn

PADDING = 0  # the number of the token that fills a row up


@dataclass(frozen=True)
class Side:
    """The premises or the hypotheses of a batch.

    ``tokens`` (B, T) are numbers of the vocabulary; ``mask`` (B, T) is true where there is a token, and each
    row has at least one.
    """

    tokens: Tensor
    mask: Tensor

    @property
    def lengths(self) -> Tensor:
        """(B,): how many tokens each row has."""
        return self.mask.sum(dim=1)

    def to(self, device: torch.device) -> Side:
        return Side(self.tokens.to(device), self.mask.to(device))


@dataclass(frozen=True)
class Batch:
    """``knowledge`` (B, P, H, R): the relations from each word of the premise to each of the hypothesis, and
    ``knowledge_back`` (B, H, P, R) the other way round, where a network asks for them. ``trees`` are those of
    both sides, for one that reads trees (:class:`workers.networks.trees.Forest`)."""

    premise: Side
    hypothesis: Side
    knowledge: Tensor | None = None
    knowledge_back: Tensor | None = None
    trees: Any = None

    def __len__(self) -> int:
        return self.premise.tokens.shape[0]

    def to(self, device: torch.device) -> Batch:
        moved = {
            name: tensor.to(device)
            for name in ("knowledge", "knowledge_back", "trees")
            if (tensor := getattr(self, name)) is not None
        }
        return replace(self, premise=self.premise.to(device), hypothesis=self.hypothesis.to(device), **moved)


class Network(nn.Module):
    """A network of :data:`workers.networks.NETWORKS`: ``forward`` takes a :class:`Batch` and returns the
    logits (B, C), C the number of labels."""

    def forward(self, batch: Batch) -> Tensor:
        raise NotImplementedError

    def begins(self, examples: Sequence[Any]) -> None:
        """Told, before it learns, of all examples that it will learn from; most need not know."""


class Reader(Protocol):
    """Turns pairs of texts into batches. It is fitted once, on the training part, and saved with the
    network: ``config`` is plain JSON that ``from_config`` reads again."""

    @classmethod
    def fit(cls, pairs: Sequence[tuple[str, str]], *, hypothesis_only: bool = False) -> Self:
        """A reader of these (premise, hypothesis). ``hypothesis_only`` has it show the network an empty
        premise, always the same (MED, Table 7)."""

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Self: ...

    def config(self) -> dict[str, Any]: ...

    def examples(self, pairs: Sequence[tuple[str, str]]) -> list[Any]:
        """The slow part, done once for each pair: words, parses, relations. In order."""

    def unknown(self, premise: str, hypothesis: str) -> list[str]:
        """The words of a pair that the network was never shown, each once: it reads all of them as one and
        the same. None where words are read in pieces."""

    def size(self, example: Any) -> int:
        """How long an example is, for batches by length."""

    def batch(self, examples: Sequence[Any]) -> Batch:
        """The examples padded to the longest of them, in order."""

    def vectors(self, *, source: str, dimensions: int, seed: int) -> Tensor | None:
        """The word vectors (V, D) to begin with: ``source`` is ``random``, ``encoder`` or the path of a
        GloVe file. None for readers whose network brings its own."""


def padded(rows: Sequence[Sequence[int]]) -> Side:
    """Rows of token numbers as one side of a batch, padded to the longest."""
    longest = max(len(row) for row in rows)
    tokens = torch.full((len(rows), longest), PADDING, dtype=torch.long)
    mask = torch.zeros((len(rows), longest), dtype=torch.bool)
    for number, row in enumerate(rows):
        tokens[number, : len(row)] = torch.tensor(row, dtype=torch.long)
        mask[number, : len(row)] = True
    return Side(tokens, mask)
