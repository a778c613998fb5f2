"""How far what a model says differs from what another says, or from people: McNemar's test, calibration,
cross-entropy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import comb, log

from measures.undefined import Undefined


def mcnemar(only_one: int, only_other: int) -> float | Undefined:
    """The exact two-sided p of two models being right equally often, from the pairs on which one alone is
    right (McNemar 1947, *Note on the sampling error of the difference between correlated proportions*; in
    the binomial form of Dietterich 1998). Undefined where they never differ.

    >>> round(mcnemar(5, 15), 4), mcnemar(4, 4)
    (0.0414, 1.0)
    """
    n = only_one + only_other
    if not n:
        return Undefined.NOTHING_OBSERVED
    fewer = min(only_one, only_other)
    if n <= _EXACT:
        tail: float = sum(comb(n, k) for k in range(fewer + 1)) / 2**n
        return min(1.0, 2 * tail)
    from scipy.stats import binom

    return min(1.0, float(2 * binom.cdf(fewer, n, 0.5)))


_EXACT = 500  # whole numbers are quick up to here


@dataclass(frozen=True)
class Bin:
    """Predictions whose probability lies from ``low`` up to ``high``: how many (``n``), the mean of what was
    said and the mean of what was so."""

    low: float
    high: float
    n: int
    said: float
    so: float


def calibration_curve(said: Sequence[float], so: Sequence[float], *, bins: int = 10) -> list[Bin]:
    """Probabilities by equal steps, beside how often it was so (0 or 1, or the share of people who say so):
    the reliability diagram (Guo et al. 2017, *On calibration of modern neural networks*, section 2). Empty
    bins are left out.

    >>> [(bin.n, bin.said, bin.so) for bin in calibration_curve([0.9, 0.8, 0.2], [1, 0, 0], bins=2)]
    [(1, 0.2, 0.0), (2, 0.8500000000000001, 0.5)]
    """
    chosen: dict[int, list[tuple[float, float]]] = {}
    for probability, truth in zip(said, so, strict=True):
        if not 0 <= probability <= 1:
            raise ValueError(f"{probability} is no probability")
        chosen.setdefault(min(int(probability * bins), bins - 1), []).append((probability, truth))
    return [
        Bin(
            number / bins,
            (number + 1) / bins,
            len(rows),
            sum(probability for probability, _truth in rows) / len(rows),
            sum(truth for _probability, truth in rows) / len(rows),
        )
        for number, rows in sorted(chosen.items())
    ]


def calibration_error(curve: Sequence[Bin]) -> float | Undefined:
    """The expected calibration error (Guo et al. 2017, equation 3): the mean distance of what was said and
    what was so, bins weighed by their size.

    >>> round(calibration_error(calibration_curve([0.9, 0.8, 0.2], [1, 0, 0], bins=2)), 6)
    0.3
    """
    n = sum(bin.n for bin in curve)
    return sum(bin.n * abs(bin.said - bin.so) for bin in curve) / n if n else Undefined.NOTHING_OBSERVED


def cross_entropy(people: Mapping[str, float], model: Mapping[str, float], *, least: float = 1e-6) -> float:
    """−Σ p log₂ q in bits: how badly a model's probabilities q foresee what people said, p their shares
    (Peterson et al. 2019, *Human uncertainty makes classification more robust*, section 3). Probabilities
    below ``least`` count as that, so that one certain mistake isn't infinitely bad.

    >>> cross_entropy({"entailment": 0.5, "neutral": 0.5}, {"entailment": 0.5, "neutral": 0.5})
    1.0
    """
    return -sum(p * log(max(model.get(label, 0.0), least), 2) for label, p in people.items() if p)


def brier(said: Sequence[float], so: Sequence[float]) -> float | Undefined:
    """The mean squared distance of what was said and what was so, 0 or 1 or a share of people (Brier 1950,
    *Verification of forecasts expressed in terms of probability*, for one of two outcomes). Undefined: none.

    >>> brier([0.75, 0.5], [1, 0.5])
    0.03125
    """
    if not said:
        return Undefined.NOTHING_OBSERVED
    return sum((p - truth) ** 2 for p, truth in zip(said, so, strict=True)) / len(said)
