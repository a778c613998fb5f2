"""Agreement coefficients from counts. An undefined value is a word with its reason, never a number.

``Agreement.value`` is None where the coefficient is undefined: without anything to compare, or where
everybody gave one and the same label, so that chance agreement is certain.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from django.utils.formats import number_format
from django.utils.translation import gettext as _

# From here on conclusions may be drawn at all, if tentatively (Krippendorff 2004, section 11.4.2).
TENTATIVE = 0.667
# A share of equal answers that anybody would call agreement.
HIGH = 0.8


@dataclass(frozen=True)
class Agreement:
    """``raw`` is the share of equal answers (None without any to compare), ``n`` what was compared, ``ac1``
    Gwet's coefficient beside it (None where it is undefined, or not for this kind of answers)."""

    name: str
    value: float | None
    raw: float | None
    n: int
    ac1: float | None = None

    @property
    def text(self) -> str:
        """Such as ``κ 0.61 (80.0 % raw)`` or ``undefined (no variation), 100.0 % raw``."""
        if self.raw is None:
            return _("undefined (nothing to compare)")
        raw = number_format(f"{100 * self.raw:.1f}")
        if self.value is None:
            return _("undefined (no variation), %(raw)s %% raw") % {"raw": raw}
        said = {"name": self.name, "value": number_format(f"{self.value:.2f}"), "raw": raw}
        if self.ac1 is None:
            return _("%(name)s %(value)s (%(raw)s %% raw)") % said
        said["ac1"] = number_format(f"{self.ac1:.2f}")
        return _("%(name)s %(value)s (%(raw)s %% raw, AC1 %(ac1)s)") % said

    @property
    def is_skewed(self) -> bool:
        """Whether most answers are equal and the coefficient is low all the same."""
        return self.value is not None and self.value < TENTATIVE and (self.raw or 0) >= HIGH

    @property
    def why(self) -> str:
        """Why the coefficient is low where people agree; "" where there is nothing to explain."""
        if not self.is_skewed:
            return ""
        return _(
            "Most answers are equal and %(name)s is low all the same: nearly all are one label, so that "
            "chance alone would make them equal. AC1 expects less of chance where one label prevails."
        ) % {"name": self.name}


def cohen(pairs: Mapping[tuple[str, str], int]) -> Agreement:
    """Cohen's κ (1960) of two raters: how often each combination of their labels occurred.

    >>> cohen({("e", "e"): 20, ("e", "n"): 5, ("n", "e"): 10, ("n", "n"): 15}).value
    0.4
    """
    n = sum(pairs.values())
    if not n:
        return Agreement("κ", None, None, 0)
    ones: Counter[str] = Counter()
    twos: Counter[str] = Counter()
    equal = 0
    for (one, two), count in pairs.items():
        ones[one] += count
        twos[two] += count
        equal += count if one == two else 0
    chance = sum(ones[label] * twos[label] for label in ones)
    # In whole numbers: chance is n² exactly where both raters gave one and the same label throughout.
    value = None if chance == n * n else (n * equal - chance) / (n * n - chance)
    return Agreement("κ", value, equal / n, n)


# Counts of each label (or point) on an item, and how many items have these counts.
Tallies = Iterable[tuple[tuple[int, ...], int]]


def krippendorff(tallies: Tallies) -> Agreement:
    """Krippendorff's α for nominal data (2011, section C), any number of raters, values missing; Gwet's
    AC1 beside it.

    Items with fewer than two judgements say nothing on agreement and are left out.

    >>> found = krippendorff([((2, 0), 9), ((1, 1), 1)])  # one dissenter among nineteen equal answers
    >>> found.value, found.raw, found.n, f"{found.ac1:.6f}"
    (0.0, 0.9, 10, '0.889503')
    """
    tallies = list(tallies)
    value, raw, n = _alpha(tallies, lambda one, two, totals: one != two)
    return Agreement("α", value, raw, n, None if value is None else gwet(tallies))


def ordinal(tallies: Tallies) -> Agreement:
    """Krippendorff's α for ordinal data (2011, section D): answers are points of a scale, in its order, and
    two of them differ by how many answers lie between. ``raw`` is the share of equal points."""
    value, raw, n = _alpha(list(tallies), _ordinal_distance)
    return Agreement(_("ordinal α"), value, raw, n)


def _ordinal_distance(one: int, two: int, totals: Counter[int]) -> float:
    if one == two:
        return 0.0
    low, high = sorted((one, two))
    between = sum(totals[point] for point in range(low, high + 1)) - (totals[low] + totals[high]) / 2
    return between**2


def _alpha(
    tallies: list[tuple[tuple[int, ...], int]], distance: Callable[[int, int, Counter[int]], float]
) -> tuple[float | None, float | None, int]:
    """α by a (squared) distance of two values, given how often each occurs; the share of equal pairs of
    answers to one item; and how many items have two answers or more."""
    compared = [(counts, times) for counts, times in tallies if sum(counts) > 1 and times]
    totals: Counter[int] = Counter()
    for counts, times in compared:
        for value, count in enumerate(counts):
            totals[value] += times * count
    pairs = equal = items = 0
    # Ordered pairs of unequal values within items, each item weighed by 1 / (judgements - 1).
    coincidences: dict[tuple[int, int], float] = {}
    for counts, times in compared:
        m = sum(counts)
        pairs += times * m * (m - 1)
        items += times
        for one, first in enumerate(counts):
            equal += times * first * (first - 1)
            for two, second in enumerate(counts):
                if one != two and first and second:
                    coincidences[one, two] = coincidences.get((one, two), 0.0) + times * first * second / (
                        m - 1
                    )
    if not items:
        return None, None, 0
    n = totals.total()
    observed = sum(weight * distance(*values, totals) for values, weight in coincidences.items())
    expected = sum(totals[one] * totals[two] * distance(one, two, totals) for one in totals for two in totals)
    return (None if not expected else 1 - (n - 1) * observed / expected), equal / pairs, items


def gwet(tallies: Tallies) -> float | None:
    """Gwet's AC1 (2008, *Computing inter-rater reliability and its variance in the presence of high
    agreement*), any number of raters, values missing: chance is Σ π(1 − π) / (q − 1), over the q labels
    that somebody gave. None without two answers to an item, or with one label alone.
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
    if not compared or len(weights) < 2:
        return None
    chance = sum(w / rated * (1 - w / rated) for w in weights.values()) / (len(weights) - 1)
    return (equal / compared - chance) / (1 - chance)
