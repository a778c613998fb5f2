"""Sentences and meanings as rows of numbers, and what a network that writes meanings must be able to do.

B sentences a batch; S is the length of its longest sentence, T of its longest meaning, V the tokens that a
meaning can have. What stands at a masked position never changes an output.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Self

import torch
from torch import Tensor, nn

from workers.networks.batches import Side, padded
from workers.networks.sequences.tokens import text_of, tokens_of

UNKNOWN, BEGIN, END = 1, 2, 3  # 0 is the padding
_FIRST = 4


class Vocabulary:
    """Tokens by their numbers. What is not in it is ``UNKNOWN``, whose token is ``?``."""

    def __init__(self, tokens: Sequence[str]) -> None:
        self.tokens = tuple(tokens)
        self._numbers = {token: number for number, token in enumerate(self.tokens, start=_FIRST)}

    @classmethod
    def of(cls, rows: Iterable[Sequence[str]]) -> Self:
        """All that are in the rows, by spelling: the same rows in any order give the same numbers."""
        return cls(sorted({token for row in rows for token in row}))

    def __len__(self) -> int:
        return len(self.tokens) + _FIRST

    def numbers(self, row: Iterable[str]) -> list[int]:
        return [self._numbers.get(token, UNKNOWN) for token in row]

    def words(self, numbers: Iterable[int]) -> list[str]:
        return ["?" if number < _FIRST else self.tokens[number - _FIRST] for number in numbers]


class SentenceReader:
    """Sentences to numbers, and numbers to meanings of one ``form`` (:data:`natlog.fragments.sygns.FORMS`).
    ``longest`` is how many tokens a meaning may have: no more than that are written."""

    def __init__(self, form: str, words: Vocabulary, tokens: Vocabulary, longest: int) -> None:
        self.form, self.words, self.tokens, self.longest = form, words, tokens, longest

    @classmethod
    def fit(cls, form: str, rows: Iterable[tuple[str, str]], longest: int) -> Self:
        """A reader of the training part's (sentence, meaning)."""
        known = list(rows)
        words = Vocabulary.of(sentence.split() for sentence, _ in known)
        return cls(form, words, Vocabulary.of(tokens_of(form, meaning) for _, meaning in known), longest)

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Self:
        words, tokens = Vocabulary(config["words"]), Vocabulary(config["tokens"])
        return cls(config["form"], words, tokens, config["longest"])

    def config(self) -> dict[str, Any]:
        return {
            "form": self.form,
            "words": list(self.words.tokens),
            "tokens": list(self.tokens.tokens),
            "longest": self.longest,
        }

    def sentence(self, text: str) -> list[int]:
        """A sentence's words, divided at spaces (section 4.1), and its end."""
        return [*self.words.numbers(text.split()), END]

    def meaning(self, text: str) -> list[int]:
        """A meaning's tokens, between its beginning and its end."""
        return [BEGIN, *self.tokens.numbers(tokens_of(self.form, text)), END]

    def text(self, numbers: Iterable[int]) -> str:
        """The meaning that tokens spell, whether or not it is one."""
        return text_of(self.form, self.tokens.words(numbers))


class SequenceNetwork(nn.Module):
    """A network of :data:`workers.networks.sequences.SEQUENCE_NETWORKS`.

    ``read`` makes of the sentences what is written from: a tuple of tensors whose first dimension is the
    sentence. ``follow`` goes on from there: given the tokens (B, T) that come after those followed before,
    it returns the logits (B, T, V) of what comes after each, and what is to be gone on from. Following a row
    at once or token by token is the same.
    """

    def read(self, source: Side) -> tuple[Tensor, ...]:
        raise NotImplementedError

    def follow(self, memory: tuple[Tensor, ...], tokens: Tensor) -> tuple[Tensor, tuple[Tensor, ...]]:
        raise NotImplementedError

    def forward(self, source: Side, tokens: Tensor) -> Tensor:
        """The logits under teacher forcing."""
        return self.follow(self.read(source), tokens)[0]


def written(network: SequenceNetwork, source: Side, longest: int) -> list[list[int]]:
    """What the network writes for each sentence, the likeliest token each time, until it says the end or has
    written ``longest`` tokens. Rows that have ended are not gone on with."""
    network.eval()
    rows: list[list[int]] = [[] for _ in range(source.tokens.shape[0])]
    going = torch.arange(len(rows), device=source.tokens.device)
    token = torch.full((len(rows), 1), BEGIN, dtype=torch.long, device=source.tokens.device)
    with torch.inference_mode():
        memory = network.read(source)
        for _ in range(longest):
            logits, memory = network.follow(memory, token)
            token = logits[:, -1:].argmax(-1)
            goes_on = token.squeeze(1) != END
            if not goes_on.all():
                going, token = going[goes_on], token[goes_on]
                memory = tuple(part[goes_on] for part in memory)
                if not len(going):
                    break
            for place, number in zip(going.tolist(), token.squeeze(1).tolist(), strict=True):
                rows[place].append(number)
    return rows


def sides(rows: Sequence[Sequence[int]], device: torch.device) -> Side:
    """Rows of numbers as one padded rectangle with its mask."""
    return padded(rows).to(device)
