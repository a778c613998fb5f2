"""Training a network that labels pairs: one run of one seed (:mod:`workers.networks.runs`) as a series of
short steps, which another process can go on with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from workers.networks import NETWORKS, named
from workers.networks.batches import Network, Reader
from workers.networks.options import Options
from workers.networks.repeatable import batches_by_length, device_here, seed_for, weights_copied
from workers.networks.runs import Run

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

    ``place`` and ``epochs_done`` are as in :meth:`workers.networks.runs.Run.epochs`.
    """
    run = _Labelling(prepared, options, seed)
    yield from run.epochs(place, epochs_done)
    yield from run.end()


class _Labelling(Run[Epoch]):
    """A run of a network that labels pairs."""

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
        self.is_coarse = options.precision == "bfloat16"
        torch.set_num_threads(options.threads)
        network = network_build(options, prepared.reader, len(material.labels), seed)
        self.parameters = sum(each.numel() for each in network.parameters())
        network.begins(self.parts["train"].examples)
        network.to(device_here())
        learns = [parameter for parameter in network.parameters() if parameter.requires_grad]
        optimizer = getattr(torch.optim, options.optimizer)(learns, lr=options.learning_rate, fused=True)
        is_validated = bool(material.validation)
        super().__init__(network, optimizer, options, seed, told=Epoch, is_validated=is_validated)

    def epoch(self) -> Iterator[Epoch | None]:
        part = self.parts["train"]
        loss_sum, right = 0.0, 0
        for batch in self.batches([self.reader.size(example) for example in part.examples]):
            targets = torch.tensor([part.targets[n] for n in batch], device=self.device)
            shown = self.reader.batch([part.examples[n] for n in batch]).to(self.device)
            with torch.autocast(self.device.type, torch.bfloat16, enabled=self.is_coarse):
                logits = self.network(shown)
            loss = functional.cross_entropy(logits.float(), targets)
            self.step(loss)
            loss_sum += loss.item() * len(batch)
            right += int((logits.argmax(dim=-1) == targets).sum())
            yield None
        validation = yield from self._accuracy("validation")
        count = len(part.examples)
        number = len(self.history) + 1
        yield Epoch(number, round(loss_sum / count, 6), round(right / count, 6), validation, 0.0)

    def is_better(self, epoch: Epoch, best: Epoch) -> bool:
        return (epoch.validation_accuracy or 0.0) > (best.validation_accuracy or 0.0)

    def is_perfect(self, epoch: Epoch) -> bool:
        return epoch.validation_accuracy == 1.0

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
        self.best_restore()
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
            parameters=self.parameters,
        )
