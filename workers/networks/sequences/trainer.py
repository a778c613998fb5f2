"""Training a network that writes meanings: one run of one seed as a series of short steps, which another
process can go on with. What :mod:`workers.networks.trainer` says of being repeatable holds here too.

A meaning counts as right where it is right to the last token. Under teacher forcing each token is the
likeliest after the gold ones exactly where the network alone writes the gold meaning, so that the accuracies
of an epoch need no writing.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from workers.networks import named
from workers.networks.batches import PADDING
from workers.networks.checkpoints import Checkpoint, checkpoint_read, checkpoint_write
from workers.networks.repeatable import (
    Drawn,
    batches_by_length,
    moments_of,
    moments_restore,
    rate_at,
    seed_for,
    shuffled_batches,
    weights_copied,
)
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
    last. ``place`` and ``epochs_done`` are as in :func:`workers.networks.trainer.train`."""
    run = _Run(prepared, options, seed)
    checkpoint = checkpoint_read(place, epochs_done) if epochs_done else None
    if checkpoint is not None:
        run.resume(checkpoint)
    while not run.is_over:
        begun = time.monotonic()
        yield from run.epoch()
        run.told = replace(run.told, seconds=round(time.monotonic() - begun, 3))
        run.history.append(run.told)
        checkpoint_write(place, run.checkpoint())
        yield run.told
    yield from run.end()


def said(
    network: SequenceNetwork, reader: SentenceReader, sentences: Sequence[str], *, batch: int = 128
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


class _Run:
    """One run's state."""

    def __init__(self, prepared: SequencePrepared, options: SequenceOptions, seed: int) -> None:
        self.prepared, self.options, self.seed = prepared, options, seed
        torch.set_num_threads(options.threads)
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.network = sequence_network_build(options, prepared.reader, seed).to(self.device)
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=options.learning_rate)
        self.history: list[SequenceEpoch] = []
        self.best = 0
        self.best_weights: dict[str, Tensor] = {}
        self.told = SequenceEpoch(0, 0.0, 0.0, None, None, 0.0)

    @property
    def is_over(self) -> bool:
        done, patience = len(self.history), self.options.patience
        has_converged = patience and self.prepared.examples["validation"] and done - self.best >= patience
        return done >= self.options.epochs or bool(done and has_converged)

    # ---- An epoch ---------------------------------------------------------------------------

    def epoch(self) -> Iterator[None]:
        """One pass over the training part, then over the validation part."""
        number = len(self.history) + 1
        examples = self.prepared.examples["train"]
        sizes = [len(meaning) for _, meaning in examples]
        batches = shuffled_batches(sizes, self.options.batch, seed_for(self.seed, f"order of epoch {number}"))
        torch.manual_seed(seed_for(self.seed, f"dropout of epoch {number}"))
        drawn = Drawn(self.device)
        loss_sum, right = 0.0, 0
        for place, batch in enumerate(batches):
            drawn.go_on()
            step = (number - 1) * len(batches) + place
            loss, hits = self._step([examples[n] for n in batch], step, self.options.epochs * len(batches))
            loss_sum, right = loss_sum + loss, right + hits
            drawn.hold()
            yield None
        validation_loss, validation_accuracy = yield from self._validated()
        tokens = sum(sizes) - len(sizes)
        self.told = SequenceEpoch(
            number,
            round(loss_sum / tokens, 6),
            round(right / len(examples), 6),
            validation_loss,
            validation_accuracy,
            0.0,
        )
        if validation_loss is None or not self.best or validation_loss < self._best_loss():
            self.best = number
            self.best_weights = weights_copied(self.network)

    def _step(
        self, examples: Sequence[tuple[list[int], list[int]]], step: int, steps: int
    ) -> tuple[float, int]:
        """One step; the sum of the tokens' losses, and how many meanings are wholly right."""
        self.network.train()
        for group in self.optimizer.param_groups:
            group["lr"] = self.options.learning_rate * rate_at(step, steps, self.options.warmup)
        loss, tokens, right = self._forced(examples)
        self.optimizer.zero_grad(set_to_none=True)
        (loss / tokens).backward()
        if self.options.clip:
            torch.nn.utils.clip_grad_norm_(self.network.parameters(), self.options.clip)
        self.optimizer.step()
        return loss.item(), right

    def _forced(self, examples: Sequence[tuple[list[int], list[int]]]) -> tuple[Tensor, int, int]:
        """Under teacher forcing: the sum of losses, of how many tokens, and how many meanings are right."""
        source = sides([sentence for sentence, _ in examples], self.device)
        target = sides([meaning for _, meaning in examples], self.device)
        wanted, counts = target.tokens[:, 1:], target.mask[:, 1:]
        logits = self.network(source, target.tokens[:, :-1])
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

    def _best_loss(self) -> float:
        return self.history[self.best - 1].validation_loss or 0.0

    # ---- The end ----------------------------------------------------------------------------

    def end(self) -> Iterator[SequenceTrained | None]:
        """What the best epoch's weights write for the test part."""
        if self.best_weights:
            self.network.load_state_dict(self.best_weights)
        sentences = [row.sentence for row in self.prepared.material.test]
        for found in said(self.network, self.prepared.reader, sentences, batch=2 * self.options.batch):
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

    # ---- Checkpoints ------------------------------------------------------------------------

    def checkpoint(self) -> Checkpoint:
        return Checkpoint(
            weights=weights_copied(self.network),
            best_weights=self.best_weights,
            moments=moments_of(self.optimizer),
            best=self.best,
            history=[asdict(epoch) for epoch in self.history],
        )

    def resume(self, checkpoint: Checkpoint) -> None:
        self.network.load_state_dict(checkpoint.weights)
        moments_restore(self.optimizer, checkpoint.moments)
        self.best, self.best_weights = checkpoint.best, checkpoint.best_weights
        self.history = [SequenceEpoch(**epoch) for epoch in checkpoint.history]
