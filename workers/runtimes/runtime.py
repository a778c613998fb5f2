"""What every runtime is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


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


class Runtime(Protocol):
    """A loaded model."""

    @property
    def chunk(self) -> int:
        """The number of pairs that take a few seconds at most."""

    def predict(self, pairs: Sequence[tuple[str, str]]) -> Sequence[Output | Pending]:
        """What the model says of each (premise, hypothesis), in order."""
