"""What every runtime is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from apps.inference.models import Run


class Unavailable(Exception):
    """The model cannot run here now (weights gone, library missing), with the reason in words."""


@dataclass(frozen=True)
class Output:
    """One pair's outcome: the canonical label, and a score in [0, 1] for each of the model's own labels."""

    label: str
    scores: dict[str, float]


@dataclass(frozen=True)
class Pending:
    """A pair that the model says nothing of, and why: it is left without a prediction."""

    reason: str


class Stopped(Exception):
    """The model must not go on as things are, with what to do about it in words. ``outputs`` are those of
    the first pairs, which it had come to before."""

    def __init__(self, reason: str, outputs: Sequence[Output | Pending] = ()) -> None:
        super().__init__(reason)
        self.outputs = list(outputs)


class Runtime(Protocol):
    """A loaded model."""

    @property
    def chunk(self) -> int:
        """The number of pairs that take a few seconds at most."""

    def predict(self, pairs: Sequence[tuple[str, str]]) -> Sequence[Output | Pending]:
        """What the model says of each (premise, hypothesis), in order. May raise :class:`Unavailable` (try
        again later) or :class:`Stopped`."""


@runtime_checkable
class Paid(Protocol):
    """A runtime whose answers cost something."""

    def in_run(self, run: Run) -> Runtime:
        """The same, at the run's expense and within its budget."""
