"""Training a network that writes meanings: one run of one seed as a series of short steps, which another
process can go on with (:mod:`workers.networks.runs`).

A meaning counts as right where it is right to the last token. Under teacher forcing each token is the
likeliest after the gold ones exactly where the network alone writes the gold meaning, so that the accuracies
of an epoch need no writing.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from workers.networks import named
from workers.networks.batches import PADDING
from workers.networks.repeatable import batches_by_length, device_here, seed_for, weights_copied
from workers.networks.runs import Run
from workers.networks.sequences import SEQUENCE_NETWORKS
from workers.networks.sequences.options import SequenceOptions
from workers.networks.sequences.reading import SentenceReader, SequenceNetwork, sides, written
from workers.networks.sequences.tokens import tokens_of


class SequenceRow(NamedTuple):
    """A sentence with its meaning; ``source`` names the test that it is of, "" in training."""

    sentence: str
    meaning: str
    source: str = ""


@dataclass(frozen=True)
class SequenceMaterial:
    """The rows of each part, their meanings in one ``form`` (:data:`natlog.fragments.sygns.FORMS`)."""

    form: str
    train: tuple[SequenceRow, ...]
    validation: tuple[SequenceRow, ...] = ()
    test: tuple[SequenceRow, ...] = ()


@dataclass(frozen=True)
class SequenceEpoch:
    """What an epoch came to: the mean loss a token and the share of meanings that are wholly right, on the
    training part while training (dropout and all), on the validation part after it (None without one), and
    its seconds."""

    number: int
    loss: float
    train_accuracy: float
    validation_loss: float | None
    validation_accuracy: float | None
    seconds: float


@dataclass(frozen=True)
class SequenceTrained:
    """A run's end: the weights of the epoch with the lowest loss on validation (the first of them; without
    validation the last epoch's, without an epoch those it began with), and ``said``, the meaning that they
    write for each row of the test part. ``best`` is 0 without an epoch."""

    epochs: tuple[SequenceEpoch, ...]
    best: int
    validation_accuracy: float | None
    said: tuple[str, ...]
    weights: dict[str, Tensor]
    parameters: int


@dataclass(frozen=True)
class SequencePrepared:
    """A material as numbers, once for all the runs of a training: of each row its words and its meaning."""

    material: SequenceMaterial
    reader: SentenceReader
    examples: dict[str, list[tuple[list[int], list[int]]]]


def prepare(material: SequenceMaterial) -> SequencePrepared:
    """Number every row. A meaning may be as long as the longest of any part (SyGNS, section 4.1)."""
    parts = {"train": material.train, "validation": material.validation, "test": material.test}
    longest = max(len(tokens_of(material.form, meaning)) for rows in parts.values() for _, meaning, _ in rows)
    reader = SentenceReader.fit(
        material.form, [(row.sentence, row.meaning) for row in material.train], longest
    )
    examples = {
        name: [(reader.sentence(row.sentence), reader.meaning(row.meaning)) for row in rows]
        for name, rows in parts.items()
    }
    return SequencePrepared(material, reader, examples)


def sequence_network_build(options: SequenceOptions, reader: SentenceReader, seed: int) -> SequenceNetwork:
    """A network as its training begins, the same for the same seed."""
    torch.manual_seed(seed_for(seed, "weights"))
    network: SequenceNetwork = named(SEQUENCE_NETWORKS[options.network].place)(
        words=len(reader.words), tokens=len(reader.tokens), **options.sizes
    )
    return network


def train(
    prepared: SequencePrepared, options: SequenceOptions, seed: int, place: Path, *, epochs_done: int = 0
) -> Iterator[SequenceEpoch | SequenceTrained | None]:
    """Train: None after each batch, a :class:`SequenceEpoch` at the end of each, :class:`SequenceTrained` at
    last. ``place`` and ``epochs_done`` are as in :meth:`workers.networks.runs.Run.epochs`."""
    run = _Writing(prepared, options, seed)
    yield from run.epochs(place, epochs_done)
    yield from run.end()


def said(
    network: SequenceNetwork, reader: SentenceReader, sentences: Sequence[str], *, batch: int = 256
) -> Iterator[list[str] | None]:
    """The meaning that a network writes for each sentence: None after each batch, then all in order."""
    device = next(network.parameters()).device
    numbers = [reader.sentence(sentence) for sentence in sentences]
    found = [""] * len(numbers)
    for some in batches_by_length([len(row) for row in numbers], batch):
        rows = written(network, sides([numbers[n] for n in some], device), reader.longest)
        for number, row in zip(some, rows, strict=True):
            found[number] = reader.text(row)
        yield None
    yield found


class _Writing(Run[SequenceEpoch]):
    """A run of a network that writes meanings."""

    def __init__(self, prepared: SequencePrepared, options: SequenceOptions, seed: int) -> None:
        self.prepared = prepared
        torch.set_num_threads(options.threads)
        self.writer = sequence_network_build(options, prepared.reader, seed).to(device_here())
        optimizer = torch.optim.Adam(self.writer.parameters(), lr=options.learning_rate, fused=True)
        is_validated = bool(prepared.examples["validation"])
        super().__init__(self.writer, optimizer, options, seed, told=SequenceEpoch, is_validated=is_validated)

    def epoch(self) -> Iterator[SequenceEpoch | None]:
        examples = self.prepared.examples["train"]
        sizes = [len(meaning) for _, meaning in examples]
        loss_sum, tokens, right = 0.0, 0, 0
        for batch in self.batches(sizes):
            loss, count, hits = self._forced([examples[n] for n in batch])
            self.step(loss / count)
            loss_sum, tokens, right = loss_sum + loss.item(), tokens + count, right + hits
            yield None
        validation_loss, validation_accuracy = yield from self._validated()
        yield SequenceEpoch(
            len(self.history) + 1,
            round(loss_sum / tokens, 6),
            round(right / len(examples), 6),
            validation_loss,
            validation_accuracy,
            0.0,
        )

    def is_better(self, epoch: SequenceEpoch, best: SequenceEpoch) -> bool:
        return (epoch.validation_loss or 0.0) < (best.validation_loss or 0.0)

    def _forced(self, examples: Sequence[tuple[list[int], list[int]]]) -> tuple[Tensor, int, int]:
        """Under teacher forcing: the sum of losses, of how many tokens, and how many meanings are right."""
        source = sides([sentence for sentence, _ in examples], self.device)
        target = sides([meaning for _, meaning in examples], self.device)
        wanted, counts = target.tokens[:, 1:], target.mask[:, 1:]
        logits = self.writer(source, target.tokens[:, :-1])
        loss = functional.cross_entropy(
            logits.flatten(0, 1), wanted.flatten(), ignore_index=PADDING, reduction="sum"
        )
        right = int(((logits.argmax(-1) == wanted) | ~counts).all(dim=1).sum())
        return loss, int(counts.sum()), right

    def _validated(self) -> Generator[None, None, tuple[float | None, float | None]]:
        """The loss a token and the share of right meanings on the validation part. (``yield from`` it.)"""
        examples = self.prepared.examples["validation"]
        if not examples:
            return None, None
        self.network.eval()
        loss_sum, tokens, right = 0.0, 0, 0
        sizes = [len(meaning) for _, meaning in examples]
        for batch in batches_by_length(sizes, 2 * self.options.batch):
            with torch.inference_mode():
                loss, count, hits = self._forced([examples[n] for n in batch])
            loss_sum, tokens, right = loss_sum + loss.item(), tokens + count, right + hits
            yield None
        return round(loss_sum / tokens, 6), round(right / len(examples), 6)

    def end(self) -> Iterator[SequenceTrained | None]:
        """What the best epoch's weights write for the test part."""
        self.best_restore()
        sentences = [row.sentence for row in self.prepared.material.test]
        for found in said(self.writer, self.prepared.reader, sentences):
            if found is None:
                yield None
                continue
            yield SequenceTrained(
                epochs=tuple(self.history),
                best=self.best,
                validation_accuracy=self.history[self.best - 1].validation_accuracy if self.best else None,
                said=tuple(found),
                weights=weights_copied(self.network),
                parameters=sum(p.numel() for p in self.network.parameters()),
            )
