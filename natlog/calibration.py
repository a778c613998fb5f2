"""Whether confidences come true: bins, expected calibration error, precision and coverage at thresholds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

BINS = 10
"""Bins of equal width between 0 and 1."""

THRESHOLDS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95)


@dataclass(frozen=True, slots=True)
class Bin:
    """The predictions whose confidence lies in one bin: how many, their mean confidence, the share right."""

    n: int
    confidence: float
    accuracy: float


@dataclass(frozen=True, slots=True)
class Reach:
    """What is left from a threshold on: ``right`` of ``n`` predictions, of ``all`` there are."""

    threshold: float
    right: int
    n: int
    all: int

    @property
    def precision(self) -> float | None:
        """The share right of what is left; None of nothing."""
        return self.right / self.n if self.n else None

    @property
    def coverage(self) -> float | None:
        """The share that is left; None of nothing."""
        return self.n / self.all if self.all else None


def bins(confidences: Sequence[float], right: Sequence[bool], count: int = BINS) -> list[Bin]:
    """The bins that hold anything, from the least sure up.

    Raises ValueError where a confidence is not in [0, 1], or the two sequences differ in length.
    """
    held: list[list[tuple[float, bool]]] = [[] for _ in range(count)]
    for value, hit in zip(confidences, right, strict=True):
        if not 0 <= value <= 1:
            raise ValueError(f"a confidence lies between 0 and 1, not {value}")
        held[min(int(value * count), count - 1)].append((value, hit))
    return [
        Bin(len(some), sum(value for value, _ in some) / len(some), sum(hit for _, hit in some) / len(some))
        for some in held
        if some
    ]


def calibration_error(confidences: Sequence[float], right: Sequence[bool], count: int = BINS) -> float | None:
    """Expected calibration error (Naeini et al. 2015): the mean gap between confidence and accuracy of the
    bins, by their size. None of nothing."""
    if not confidences:
        return None
    return sum(b.n * abs(b.confidence - b.accuracy) for b in bins(confidences, right, count)) / len(
        confidences
    )


def reach(confidences: Sequence[float], right: Sequence[bool], threshold: float) -> Reach:
    """What is left of predictions with at least this confidence."""
    kept = [hit for value, hit in zip(confidences, right, strict=True) if value >= threshold]
    return Reach(threshold, sum(kept), len(kept), len(right))


def threshold_for(confidences: Sequence[float], right: Sequence[bool], precision: float) -> float | None:
    """The lowest threshold from which on at least this share is right; None where none is."""
    best, hits = None, 0
    ordered = sorted(zip(confidences, right, strict=True), key=lambda item: -item[0])
    for n, (value, hit) in enumerate(ordered, 1):
        hits += hit
        last = n == len(ordered) or ordered[n][0] != value
        if last and hits / n >= precision:
            best = value
    return best
