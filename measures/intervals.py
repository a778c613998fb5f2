"""How far a figure may be off."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from measures.undefined import Undefined

# The normal distribution's quantile: 95 % lie within so many standard errors of its middle.
NORMAL_95 = 1.959964


def cluster_bootstrap(
    values: Sequence[float],
    groups: Sequence[Hashable],
    *,
    seed: int,
    draws: int = 1000,
    percent: float = 95.0,
) -> tuple[float, float] | Undefined:
    """The interval of the mean of ``values``, of which those of one group are not independent of each other:
    ``groups`` are drawn anew with all their values, with replacement (Cameron, Gelbach and Miller 2008,
    *Bootstrap-based improvements for inference with clustered errors*), and the middle ``percent`` of the
    means is the interval (Efron and Tibshirani 1993, *An introduction to the bootstrap*, section 13.3).

    The same seed gives the same interval. Undefined without any values.

    >>> low, high = cluster_bootstrap([1, 1, 1, 0, 0, 1], "aabbcc", seed=1)
    >>> low, high
    (0.5, 1.0)
    >>> cluster_bootstrap([], [], seed=1)
    <Undefined.NOTHING_OBSERVED: 'nothing-observed'>
    """
    import numpy as np

    if not values:
        return Undefined.NOTHING_OBSERVED
    numbers: dict[Hashable, int] = {}
    places = np.array([numbers.setdefault(group, len(numbers)) for group in groups])
    sizes = np.bincount(places)
    sums = np.bincount(places, weights=np.array(values, dtype=float))
    draw = np.random.default_rng(seed)
    found = []
    for _draw in range(draws):
        chosen = draw.integers(0, len(sizes), len(sizes))
        found.append(sums[chosen].sum() / sizes[chosen].sum())
    tail = (100 - percent) / 2
    low, high = np.percentile(found, [tail, 100 - tail])
    return float(low), float(high)
