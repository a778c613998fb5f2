"""Training a network: one run of one seed as a series of short steps, which another process can go on with.

A run is a function of its rows, options and seed alone. The order of an epoch's batches and what dropout
draws come from the seed and the epoch's number, so that weights and what the optimizer keeps, written down at
the end of an epoch (:mod:`workers.networks.checkpoints`), are all that the next epoch needs: a run that was
broken off and taken up again ends with the same weights, bit for bit, as one that was not.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from workers.networks import NETWORKS, named
from workers.networks.batches import Network, Reader
from workers.networks.checkpoints import Checkpoint, checkpoint_read, checkpoint_write
from workers.networks.options import Options
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

# Pairs that are read (parsed, looked up) between two steps.
READ_AT_ONCE = 64


class Row(NamedTuple):
    """A pair to learn from or to be tested on; ``source`` names where it is from, ``direction`` may be ""."""

    premise: str
    hypothesis: str
    label: str
    direction: str = ""
    source: str = ""


@dataclass(frozen=True)
class Material:
    """The rows of each part. ``labels`` are the outputs, in order."""

    labels: tuple[str, ...]
    train: tuple[Row, ...]
    validation: tuple[Row, ...] = ()
    test: tuple[Row, ...] = ()


@dataclass(frozen=True)
class Epoch:
    """What an epoch came to: the mean loss of its batches, the accuracy on the training part while training
    (dropout and all), on the validation part after it (None without one), and its seconds."""

    number: int
    loss: float
    train_accuracy: float
    validation_accuracy: float | None
    seconds: float


@dataclass(frozen=True)
class Trained:
    """A run's end: the weights of the best epoch on validation (the first of them; without validation the
    last epoch's), and ``scores``: for each source of the test part ``{direction or "all": [right, pairs]}``.
    """

    epochs: tuple[Epoch, ...]
    best: int
    validation_accuracy: float | None
    scores: dict[str, dict[str, list[int]]]
    weights: dict[str, Tensor]
    parameters: int


@dataclass
class Prepared:
    """A material read by a network's reader, once for all the runs of a training."""

    material: Material
    reader: Reader
    examples: dict[str, list[Any]] = field(default_factory=dict)


@dataclass(frozen=True)
class Part:
    """Examples with the numbers of their labels."""

    examples: Sequence[Any]
    targets: Sequence[int]


def prepare(material: Material, options: Options) -> Iterator[Prepared | None]:
    """Read every pair: None after each few of them, the material at the end."""
    reader_class = named(NETWORKS[options.network].reader)
    texts = [(row.premise, row.hypothesis) for row in material.train]
    reader = reader_class.fit(texts, hypothesis_only=options.hypothesis_only)
    found = Prepared(material, reader)
    for name in ("train", "validation", "test"):
        rows: Sequence[Row] = getattr(material, name)
        found.examples[name] = []
        for start in range(0, len(rows), READ_AT_ONCE):
            few = [(row.premise, row.hypothesis) for row in rows[start : start + READ_AT_ONCE]]
            found.examples[name] += reader.examples(few)
            yield None
    yield found


def network_build(options: Options, reader: Reader, labels: int, seed: int) -> Network:
    """A network as its training begins, the same for the same seed."""
    kind = NETWORKS[options.network]
    torch.manual_seed(seed_for(seed, "weights"))
    vectors = reader.vectors(source=options.vectors_source(), dimensions=options.dimensions, seed=seed)
    network: Network = named(kind.place)(vectors=vectors, labels=labels, **options.sizes)
    return network


def train(
    prepared: Prepared, options: Options, seed: int, place: Path, *, epochs_done: int = 0
) -> Iterator[Epoch | Trained | None]:
    """Train: None after each batch, an :class:`Epoch` at the end of each, and :class:`Trained` at last.

    ``place`` is the run's own folder, for checkpoints. ``epochs_done`` epochs were told of already: they are
    taken from their checkpoint, or, where that is lost, gone through again and told again.
    """
    run = _Run(prepared, options, seed)
    checkpoint = checkpoint_read(place, epochs_done) if epochs_done else None
    if checkpoint is not None:
        run.resume(checkpoint)
    while not run.is_over:
        yield from run.epoch()
        run.told = replace(run.told, seconds=round(time.monotonic() - run.begun, 3))
        run.history.append(run.told)
        checkpoint_write(place, run.checkpoint())
        yield run.told
    yield from run.end()


class _Run:
    """One run's state."""

    def __init__(self, prepared: Prepared, options: Options, seed: int) -> None:
        material = prepared.material
        numbers = {label: number for number, label in enumerate(material.labels)}
        self.parts = {
            name: Part(prepared.examples[name], [numbers[row.label] for row in rows])
            for name, rows in (
                ("train", material.train), ("validation", material.validation), ("test", material.test),
            )
        }  # fmt: skip
        self.material, self.reader = material, prepared.reader
        self.options, self.seed = options, seed
        torch.set_num_threads(options.threads)
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.network = network_build(options, prepared.reader, len(material.labels), seed).to(self.device)
        self.trained = [p for p in self.network.parameters() if p.requires_grad]
        self.optimizer = getattr(torch.optim, options.optimizer)(self.trained, lr=options.learning_rate)
        self.history: list[Epoch] = []
        self.best = 0
        self.best_weights: dict[str, Tensor] = {}
        self.begun = time.monotonic()
        self.told = Epoch(0, 0.0, 0.0, None, 0.0)

    @property
    def is_over(self) -> bool:
        done, patience = len(self.history), self.options.patience
        has_converged = patience and self.parts["validation"].examples and done - self.best >= patience
        return done >= self.options.epochs or bool(done and has_converged)

    # ---- An epoch ---------------------------------------------------------------------------

    def epoch(self) -> Iterator[None]:
        """One pass over the training part, then over the validation part."""
        self.begun = time.monotonic()
        number = len(self.history) + 1
        part = self.parts["train"]
        sizes = [self.reader.size(example) for example in part.examples]
        batches = shuffled_batches(sizes, self.options.batch, seed_for(self.seed, f"order of epoch {number}"))
        torch.manual_seed(seed_for(self.seed, f"dropout of epoch {number}"))
        drawn = Drawn(self.device)
        loss_sum, right = 0.0, 0
        for place, batch in enumerate(batches):
            drawn.go_on()
            step = (number - 1) * len(batches) + place
            loss, hits = self._step(part, batch, step, self.options.epochs * len(batches))
            loss_sum, right = loss_sum + loss * len(batch), right + hits
            drawn.hold()
            yield None
        validation = yield from self._accuracy("validation")
        count = len(part.examples)
        self.told = Epoch(number, round(loss_sum / count, 6), round(right / count, 6), validation, 0.0)
        if validation is None or not self.best or validation > self._best_accuracy():
            self.best = number
            self.best_weights = weights_copied(self.network)

    def _step(self, part: Part, batch: Sequence[int], step: int, steps: int) -> tuple[float, int]:
        """One step; the batch's mean loss, and how many it got right."""
        self.network.train()
        for group in self.optimizer.param_groups:
            group["lr"] = self.options.learning_rate * rate_at(step, steps, self.options.warmup)
        targets = torch.tensor([part.targets[n] for n in batch], device=self.device)
        logits = self.network(self.reader.batch([part.examples[n] for n in batch]).to(self.device))
        loss = functional.cross_entropy(logits, targets)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        if self.options.clip:
            torch.nn.utils.clip_grad_norm_(self.trained, self.options.clip)
        self.optimizer.step()
        return loss.item(), int((logits.argmax(dim=-1) == targets).sum())

    def _best_accuracy(self) -> float:
        return self.history[self.best - 1].validation_accuracy or 0.0

    # ---- Being measured ---------------------------------------------------------------------

    def said(self, name: str) -> Iterator[list[int] | None]:
        """The label's number that the network gives each pair of a part: None after each batch, then all."""
        examples = self.parts[name].examples
        sizes = [self.reader.size(example) for example in examples]
        found = [0] * len(examples)
        for batch in batches_by_length(sizes, 2 * self.options.batch):
            self.network.eval()
            with torch.inference_mode():
                logits = self.network(self.reader.batch([examples[n] for n in batch]).to(self.device))
            for number, label in zip(batch, logits.argmax(dim=-1).tolist(), strict=True):
                found[number] = label
            yield None
        yield found

    def _accuracy(self, name: str) -> Any:
        """The share of a part's pairs that are right; None of none. (``yield from`` it.)"""
        said: list[int] = []
        for found in self.said(name):
            if found is None:
                yield None
            else:
                said = found
        targets = self.parts[name].targets
        right = sum(a == b for a, b in zip(said, targets, strict=True))
        return round(right / len(targets), 6) if targets else None

    def end(self) -> Iterator[Trained | None]:
        """The best epoch's weights, measured on the test part; without an epoch those it began with."""
        if self.best_weights:
            self.network.load_state_dict(self.best_weights)
        scores: dict[str, dict[str, list[int]]] = {}
        for said in self.said("test"):
            if said is None:
                yield None
                continue
            for row, label, target in zip(self.material.test, said, self.parts["test"].targets, strict=True):
                counts = scores.setdefault(row.source, {})
                for key in ("all", row.direction) if row.direction else ("all",):
                    right, pairs = counts.get(key, [0, 0])
                    counts[key] = [right + (label == target), pairs + 1]
        yield Trained(
            epochs=tuple(self.history),
            best=self.best,
            validation_accuracy=self.history[self.best - 1].validation_accuracy if self.history else None,
            scores=scores,
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
        self.history = [Epoch(**epoch) for epoch in checkpoint.history]
