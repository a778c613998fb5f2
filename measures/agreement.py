"""How far people agree, from counts.

Two shapes go in. Of two raters: how often each combination of their labels occurred. Of any number, values
missing: *tallies*, how often each label (or point of a scale, in its order) was given to an item, with the
number of items that have these counts, so that a million items are a few rows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from measures.undefined import Undefined

Label = TypeVar("Label", bound=Hashable)
Tallies = Iterable[tuple[tuple[int, ...], int]]

# From here on conclusions may be drawn at all, if tentatively (Krippendorff 2004, section 11.4.2).
TENTATIVE = 0.667
# A share of equal answers that anybody would call agreement.
HIGH = 0.8


@dataclass(frozen=True)
class Agreement:
    """A coefficient: ``value``, 1 for perfect agreement and 0 for chance's, None where it is ``undefined``;
    ``raw``, the share of equal answers (None without any to compare); ``n``, the items compared."""

    value: float | None
    raw: float | None
    n: int
    undefined: Undefined | None = None

    @property
    def is_skewed(self) -> bool:
        """Whether most answers are equal and the coefficient is low all the same, as it is where one label
        prevails (Feinstein and Cicchetti 1990, *High agreement but low kappa*, the first paradox).

        >>> krippendorff([((2, 0), 9), ((1, 1), 1)]).is_skewed
        True
        """
        return self.value is not None and self.value < TENTATIVE and (self.raw or 0) >= HIGH


NOTHING = Agreement(None, None, 0, Undefined.NO_OVERLAP)


def cohen(pairs: Mapping[tuple[Label, Label], int]) -> Agreement:
    """Cohen's κ of two raters (1960, *A coefficient of agreement for nominal scales*, equation 1): how often
    each combination of their labels occurred. Undefined without any, and where both gave one and the same
    label throughout.

    >>> cohen({("e", "e"): 20, ("e", "n"): 5, ("n", "e"): 10, ("n", "n"): 15})
    Agreement(value=0.4, raw=0.7, n=50, undefined=None)
    >>> cohen({("e", "e"): 9}).undefined
    <Undefined.NO_VARIATION: 'no-variation'>
    """
    n = sum(pairs.values())
    if not n:
        return NOTHING
    ones: Counter[Label] = Counter()
    twos: Counter[Label] = Counter()
    equal = 0
    for (one, two), count in pairs.items():
        ones[one] += count
        twos[two] += count
        equal += count if one == two else 0
    chance = sum(ones[label] * twos[label] for label in ones)
    # In whole numbers: chance is n² exactly where both raters gave one and the same label throughout.
    if chance == n * n:
        return Agreement(None, equal / n, n, Undefined.NO_VARIATION)
    return Agreement((n * equal - chance) / (n * n - chance), equal / n, n)


class Scale(StrEnum):
    """What two labels' distance is: equal or not, by the answers that lie between, or by their places."""

    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    INTERVAL = "interval"


def krippendorff(tallies: Tallies, scale: Scale = Scale.NOMINAL) -> Agreement:
    """Krippendorff's α (2011, *Computing Krippendorff's alpha-reliability*, section C; section D for other
    scales than the nominal). On a scale the labels are its points in their order, one apart.

    ``raw`` is the share of equal ones among all pairs of answers to one item. Items with fewer than two
    answers say nothing on agreement and are left out. Undefined where none is left, and where all answers
    are the same.

    >>> krippendorff([((2, 0), 9), ((1, 1), 1)])  # one dissenter among nineteen equal answers
    Agreement(value=0.0, raw=0.9, n=10, undefined=None)
    >>> near, far = [((1, 1, 0), 3), ((0, 0, 2), 3)], [((1, 0, 1), 3), ((0, 0, 2), 3)]
    >>> [round(krippendorff(those, Scale.ORDINAL).value, 3) for those in (near, far)]
    [0.796, -0.222]
    >>> krippendorff([((1, 0), 5)]).undefined
    <Undefined.NO_OVERLAP: 'no-overlap'>
    """
    compared = [(counts, times) for counts, times in tallies if sum(counts) > 1 and times]
    if not compared:
        return NOTHING
    totals: Counter[int] = Counter()
    for counts, times in compared:
        for value, count in enumerate(counts):
            totals[value] += times * count
    pairs = sum(times * sum(counts) * (sum(counts) - 1) for counts, times in compared)
    equal = sum(times * count * (count - 1) for counts, times in compared for count in counts)
    raw, items, n = equal / pairs, sum(times for _counts, times in compared), totals.total()
    distance = _DISTANCES[scale]
    observed = sum(weight * distance(*values, totals) for values, weight in _coincidences(compared).items())
    expected = sum(totals[one] * totals[two] * distance(one, two, totals) for one in totals for two in totals)
    if not expected:
        return Agreement(None, raw, items, Undefined.NO_VARIATION)
    return Agreement(1 - (n - 1) * observed / expected, raw, items)


def _coincidences(compared: Iterable[tuple[tuple[int, ...], int]]) -> dict[tuple[int, int], float]:
    """Ordered pairs of unequal values within items, each item weighed by 1 / (answers - 1)."""
    found: dict[tuple[int, int], float] = {}
    for counts, times in compared:
        m = sum(counts)
        for one, first in enumerate(counts):
            for two, second in enumerate(counts):
                if one != two and first and second:
                    found[one, two] = found.get((one, two), 0.0) + times * first * second / (m - 1)
    return found


def _nominal(one: int, two: int, totals: Counter[int]) -> float:
    return int(one != two)


def _ordinal(one: int, two: int, totals: Counter[int]) -> float:
    if one == two:
        return 0.0
    low, high = sorted((one, two))
    between = sum(totals[point] for point in range(low, high + 1)) - (totals[low] + totals[high]) / 2
    return between**2


def _interval(one: int, two: int, totals: Counter[int]) -> float:
    return (one - two) ** 2


# The squared distance of two values, given how often each occurs.
_DISTANCES: dict[Scale, Callable[[int, int, Counter[int]], float]] = {
    Scale.NOMINAL: _nominal,
    Scale.ORDINAL: _ordinal,
    Scale.INTERVAL: _interval,
}


def gwet(tallies: Tallies) -> Agreement:
    """Gwet's AC1 (2008, *Computing inter-rater reliability and its variance in the presence of high
    agreement*): chance is Σ π(1 − π) / (q − 1), over the q labels that somebody gave.

    ``raw`` is the mean of the items' shares of equal pairs of answers, over those with two answers or more;
    the labels' shares π count items with a single answer too. Undefined without two answers to an item, and
    with one label alone.

    >>> found = gwet([((2, 0), 9), ((1, 1), 1)])
    >>> round(found.value, 6), found.raw, found.n
    (0.889503, 0.9, 10)
    """
    compared = rated = 0
    equal = 0.0
    weights: dict[int, float] = {}
    for counts, times in tallies:
        m = sum(counts)
        if not m or not times:
            continue
        rated += times
        for label, count in enumerate(counts):
            if count:
                weights[label] = weights.get(label, 0.0) + times * count / m
        if m > 1:
            compared += times
            equal += times * sum(count * (count - 1) for count in counts) / (m * (m - 1))
    if not compared:
        return NOTHING
    raw = equal / compared
    if len(weights) < 2:
        return Agreement(None, raw, compared, Undefined.NO_VARIATION)
    chance = sum(w / rated * (1 - w / rated) for w in weights.values()) / (len(weights) - 1)
    return Agreement((raw - chance) / (1 - chance), raw, compared)


def fleiss(tallies: Tallies) -> Agreement:
    """Fleiss' κ (1971, *Measuring nominal scale agreement among many raters*, equations 2 to 7), which is
    defined where every item has the same number of answers, two or more. Items without any are left out.

    Undefined where items have different numbers of answers, where none has two, and with one label alone.

    >>> found = fleiss([((2, 0), 9), ((1, 1), 1)])
    >>> round(found.value, 6), found.raw, found.n
    (-0.052632, 0.9, 10)
    >>> fleiss([((2, 0), 9), ((2, 1), 1)]).undefined
    <Undefined.UNEQUAL_RATERS: 'unequal-raters'>
    """
    rated = [(counts, times) for counts, times in tallies if sum(counts) and times]
    sizes = {sum(counts) for counts, _times in rated}
    items = sum(times for _counts, times in rated)
    if len(sizes) > 1:
        return Agreement(None, None, items, Undefined.UNEQUAL_RATERS)
    if sizes <= {1}:
        return NOTHING
    m = sizes.pop()
    totals: Counter[int] = Counter()
    for counts, times in rated:
        for label, count in enumerate(counts):
            totals[label] += times * count
    answers = totals.total()
    equal = sum(times * count * (count - 1) for counts, times in rated for count in counts)
    raw = equal / (items * m * (m - 1))
    chance = sum(count * count for count in totals.values())
    # In whole numbers: chance is 1 exactly where one label was given throughout.
    if chance == answers * answers:
        return Agreement(None, raw, items, Undefined.NO_VARIATION)
    expected = chance / (answers * answers)
    return Agreement((raw - expected) / (1 - expected), raw, items)


def majority(answers: Counter[Label], *, least: int = 2) -> Label | None:
    """What more than half say, of ``least`` answers or more; None where no answer has that.

    >>> majority(Counter(yes=2, no=1)), majority(Counter(yes=1)), majority(Counter(yes=1, no=1))
    ('yes', None, None)
    >>> majority(Counter(yes=1), least=1)
    'yes'
    """
    total = answers.total()
    if total < max(least, 1):
        return None
    answer, count = answers.most_common(1)[0]
    return answer if 2 * count > total else None
