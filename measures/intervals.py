"""How far a figure may be off."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from math import sqrt
from typing import TypeVar

from measures.undefined import Undefined

Label = TypeVar("Label", bound=Hashable)

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


def wilson(right: int, total: int) -> tuple[float, float] | Undefined:
    """The 95 % interval of a share (Wilson 1927, *Probable inference, the law of succession, and statistical
    inference*): it stays between 0 and 1, and has a width where all or none are right. Undefined of none.

    >>> [round(end, 4) for end in wilson(9, 10)]
    [0.5958, 0.9821]
    >>> wilson(0, 0)
    <Undefined.NOTHING_OBSERVED: 'nothing-observed'>
    """
    if not total:
        return Undefined.NOTHING_OBSERVED
    share, z2 = right / total, NORMAL_95**2
    middle = (share + z2 / (2 * total)) / (1 + z2 / total)
    reach = NORMAL_95 / (1 + z2 / total) * sqrt(share * (1 - share) / total + z2 / (4 * total * total))
    # Where none or all are right an end is 0 or 1, and not what rounding makes of it.
    return (max(0.0, middle - reach) if right else 0.0), (min(1.0, middle + reach) if right < total else 1.0)


def tally_bootstrap(
    tallies: Sequence[tuple[tuple[int, ...], int]],
    statistic: Callable[[Sequence[tuple[tuple[int, ...], int]]], float | None],
    *,
    seed: int,
    draws: int = 1000,
    percent: float = 95.0,
) -> tuple[float, float] | Undefined:
    """The interval of a ``statistic`` of tallies (:mod:`measures.agreement`): items are drawn anew with all
    their answers, with replacement (Efron and Tibshirani 1993, section 13.3), as many as there are. Items
    of equal tallies are drawn together, so that a million of them cost no more than a hundred.

    Draws of which the statistic is undefined (None) are left out. Undefined where all of them are.

    >>> from measures.agreement import krippendorff
    >>> counts = [((3, 0), 40), ((2, 1), 7), ((0, 3), 12)]
    >>> low, high = tally_bootstrap(counts, lambda drawn: krippendorff(drawn).value, seed=1)
    >>> low < krippendorff(counts).value < high
    True
    """
    import numpy as np

    kinds = [(counts, times) for counts, times in tallies if times]
    items = sum(times for _counts, times in kinds)
    if not items:
        return Undefined.NOTHING_OBSERVED
    draw = np.random.default_rng(seed)
    drawn = draw.multinomial(items, [times / items for _counts, times in kinds], size=draws)
    found = [
        value
        for numbers in drawn.tolist()
        if (value := statistic([(kind[0], n) for kind, n in zip(kinds, numbers, strict=True) if n]))
        is not None
    ]
    if not found:
        return Undefined.NO_VARIATION
    tail = (100 - percent) / 2
    ends: list[float] = np.percentile(found, [tail, 100 - tail]).tolist()
    return ends[0], ends[1]


def nominal_alpha_interval(
    tallies: Sequence[tuple[tuple[int, ...], int]], *, seed: int, draws: int = 1000, percent: float = 95.0
) -> tuple[float, float] | Undefined:
    """:func:`tally_bootstrap` of Krippendorff's nominal α (``measures.agreement.krippendorff``), all draws in
    one go: the same interval, a hundred times as fast.

    >>> low, high = nominal_alpha_interval([((3, 0), 40), ((2, 1), 7), ((0, 3), 12)], seed=1)
    >>> round(low, 2), round(high, 2)
    (0.6, 0.92)
    """
    import numpy as np

    kinds = [(counts, times) for counts, times in tallies if sum(counts) > 1 and times]
    items = sum(times for _counts, times in kinds)
    if not items:
        return Undefined.NO_OVERLAP
    draw = np.random.default_rng(seed)
    drawn = draw.multinomial(items, [times / items for _counts, times in kinds], size=draws)
    counts = np.array([counts for counts, _times in kinds], dtype=float)
    sizes = counts.sum(axis=1)
    # Ordered pairs of unequal answers within an item, weighed by 1 / (answers - 1), as α has them.
    unequal = (sizes**2 - (counts**2).sum(axis=1)) / (sizes - 1)
    totals = drawn @ counts
    n = totals.sum(axis=1)
    expected = n**2 - (totals**2).sum(axis=1)
    varied = expected > 0
    if not varied.any():
        return Undefined.NO_VARIATION
    found = 1 - (n[varied] - 1) * (drawn[varied] @ unequal) / expected[varied]
    tail = (100 - percent) / 2
    ends: list[float] = np.percentile(found, [tail, 100 - tail]).tolist()
    return ends[0], ends[1]


def cohen_interval(
    pairs: Mapping[tuple[Label, Label], int], *, seed: int, draws: int = 1000, percent: float = 95.0
) -> tuple[float, float] | Undefined:
    """The interval of Cohen's κ (``measures.agreement.cohen``): items are drawn anew with both labels, with
    replacement, as many as there are (Efron and Tibshirani 1993, section 13.3). Items of the same two labels
    are drawn together.

    The same counts give the same interval, in whatever order. Draws in which both raters gave one and the
    same label throughout are left out; undefined where all of them are, and without any items.

    >>> counts = {("e", "e"): 20, ("e", "n"): 5, ("n", "e"): 10, ("n", "n"): 15}
    >>> [round(end, 2) for end in cohen_interval(counts, seed=1)]
    [0.14, 0.64]
    >>> cohen_interval({("e", "e"): 9}, seed=1)
    <Undefined.NO_VARIATION: 'no-variation'>
    """
    import numpy as np

    cells = sorted((cell for cell, times in pairs.items() if times), key=repr)
    items = sum(pairs[cell] for cell in cells)
    if not items:
        return Undefined.NO_OVERLAP
    labels = sorted({label for cell in cells for label in cell}, key=repr)
    ones = np.array([[cell[0] == label for label in labels] for cell in cells], dtype=np.int64)
    twos = np.array([[cell[1] == label for label in labels] for cell in cells], dtype=np.int64)
    draw = np.random.default_rng(seed)
    drawn = draw.multinomial(items, [pairs[cell] / items for cell in cells], size=draws)
    equal = drawn @ (ones * twos).sum(axis=1)
    chance = ((drawn @ ones) * (drawn @ twos)).sum(axis=1)
    # In whole numbers, as in κ itself: chance is 1 exactly where one label was given throughout.
    varied = chance < items * items
    if not varied.any():
        return Undefined.NO_VARIATION
    found = (items * equal[varied] - chance[varied]) / (items * items - chance[varied])
    tail = (100 - percent) / 2
    ends: list[float] = np.percentile(found, [tail, 100 - tail]).tolist()
    return ends[0], ends[1]
