"""A run of one seed: what every kind of training goes through, epoch by epoch, from checkpoint to checkpoint.

A run is a function of its rows, options and seed alone. The order of an epoch's batches and what dropout
draws come from the seed and the epoch's number, so that weights and what the optimizer keeps, written down at
the end of an epoch (:mod:`workers.networks.checkpoints`), are all that the next epoch needs: a run that was
broken off and taken up again ends with the same weights, bit for bit, as one that was not.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

import torch
from torch import Tensor, nn

from workers.networks.checkpoints import Checkpoint, checkpoint_read, checkpoint_write
from workers.networks.repeatable import (
    Drawn,
    moments_of,
    moments_restore,
    rate_at,
    seed_for,
    shuffled_batches,
    weights_copied,
)

Epoch = TypeVar("Epoch", bound=Any)


class RunOptions(Protocol):
    """What of a training's options every run looks at."""

    @property
    def epochs(self) -> int: ...
    @property
    def patience(self) -> int: ...
    @property
    def batch(self) -> int: ...
    @property
    def learning_rate(self) -> float: ...
    @property
    def warmup(self) -> float: ...
    @property
    def clip(self) -> float: ...


class Run(ABC, Generic[Epoch]):
    """One run's state. ``told`` is the dataclass of an epoch; ``best`` the number of the best one (0: none
    yet), whose weights are ``best_weights``. ``is_validated``: there is a validation part."""

    def __init__(
        self,
        network: nn.Module,
        optimizer: torch.optim.Optimizer,
        options: RunOptions,
        seed: int,
        *,
        told: type[Epoch],
        is_validated: bool,
    ) -> None:
        self.network, self.optimizer, self.options, self.seed = network, optimizer, options, seed
        self.device = next(network.parameters()).device
        self.trained = [parameter for parameter in network.parameters() if parameter.requires_grad]
        self.is_validated = is_validated
        self.history: list[Epoch] = []
        self.best = 0
        self.best_weights: dict[str, Tensor] = {}
        self._told = told
        self._drawn = Drawn(self.device)

    @abstractmethod
    def epoch(self) -> Iterator[Epoch | None]:
        """One pass over the training part, then over the validation part: None after each batch, what the
        epoch came to at last (its seconds are counted by :meth:`epochs`)."""

    @abstractmethod
    def is_better(self, epoch: Epoch, best: Epoch) -> bool:
        """Whether an epoch's validation came out better than the best one's until now."""

    def is_perfect(self, epoch: Epoch) -> bool:
        """Whether no epoch's validation can come out better than this one's (a loss always can)."""
        return False

    @property
    def is_over(self) -> bool:
        done, patience = len(self.history), self.options.patience
        if self.best and self.is_validated and self.is_perfect(self.history[self.best - 1]):
            return True  # it stays the best one, whatever would be learnt after it
        has_converged = patience and self.is_validated and done - self.best >= patience
        return done >= self.options.epochs or bool(done and has_converged)

    def epochs(self, place: Path, epochs_done: int = 0) -> Iterator[Epoch | None]:
        """Train: None after each batch, an epoch at the end of each. ``place`` is the run's own folder, for
        checkpoints. ``epochs_done`` epochs were told of already: they are taken from their checkpoint, or,
        where that is lost, gone through again and told again."""
        checkpoint = checkpoint_read(place, epochs_done) if epochs_done else None
        if checkpoint is not None and self._fits(checkpoint):
            self._resume(checkpoint)
        while not self.is_over:
            begun = time.monotonic()
            for told in self.epoch():
                if told is None:
                    yield None
                    continue
                epoch = replace(told, seconds=round(time.monotonic() - begun, 3))
                self._keep(epoch)
                checkpoint_write(place, self._checkpoint())
                yield epoch

    def batches(self, sizes: Sequence[int]) -> Iterator[list[int]]:
        """An epoch's batches of examples of these sizes, in the order that seed and epoch draw, each as the
        optimizer's next :meth:`step` wants its learning rate. Torch's random numbers are this run's until
        that step, whatever else the process does between two batches."""
        number = len(self.history) + 1
        batches = shuffled_batches(sizes, self.options.batch, seed_for(self.seed, f"order of epoch {number}"))
        torch.manual_seed(seed_for(self.seed, f"dropout of epoch {number}"))
        self._drawn = Drawn(self.device)
        for place, batch in enumerate(batches, start=(number - 1) * len(batches)):
            rate = rate_at(place, self.options.epochs * len(batches), self.options.warmup)
            for group in self.optimizer.param_groups:
                group["lr"] = self.options.learning_rate * rate
            self._drawn.go_on()
            self.network.train()
            yield batch

    def step(self, loss: Tensor) -> None:
        """Learn from a batch's loss."""
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        if self.options.clip:
            torch.nn.utils.clip_grad_norm_(self.trained, self.options.clip)
        self.optimizer.step()
        self._drawn.hold()

    def best_restore(self) -> None:
        """Give the network the best epoch's weights; without an epoch it has those that it began with."""
        if self.best_weights:
            self.network.load_state_dict(self.best_weights)

    def _keep(self, epoch: Epoch) -> None:
        """Without validation the last epoch is the best one, else the first that none is better than."""
        best = self.history[self.best - 1] if self.best else None
        self.history.append(epoch)
        if best is None or not self.is_validated or self.is_better(epoch, best):
            self.best = len(self.history)
            self.best_weights = weights_copied(self.network)

    def _checkpoint(self) -> Checkpoint:
        return Checkpoint(
            weights=weights_copied(self.network),
            best_weights=self.best_weights,
            moments=moments_of(self.optimizer),
            best=self.best,
            history=[asdict(epoch) for epoch in self.history],
        )

    def _fits(self, checkpoint: Checkpoint) -> bool:
        """Whether the moments are of these parameters: an earlier version may have learnt others."""
        shapes = {str(number): parameter.shape for number, parameter in enumerate(self.trained)}
        return all(
            not value.dim() or value.shape == shapes.get(name.partition(".")[0])
            for name, value in checkpoint.moments.items()
        )

    def _resume(self, checkpoint: Checkpoint) -> None:
        self.network.load_state_dict(checkpoint.weights)
        moments_restore(self.optimizer, checkpoint.moments)
        self.best, self.best_weights = checkpoint.best, checkpoint.best_weights
        self.history = [self._told(**epoch) for epoch in checkpoint.history]
