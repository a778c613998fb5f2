"""Agreement coefficients from counts. An undefined value is a word with its reason, never a number.

``Agreement.value`` is None where the coefficient is undefined: without anything to compare, or where
everybody gave one and the same label, so that chance agreement is certain.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.utils.formats import number_format
from django.utils.translation import gettext as _


@dataclass(frozen=True)
class Agreement:
    """``raw`` is the share of equal answers (None without any to compare), ``n`` what was compared."""

    name: str
    value: float | None
    raw: float | None
    n: int

    @property
    def text(self) -> str:
        """Such as ``κ 0.61 (80.0 % raw)`` or ``undefined (no variation), 100.0 % raw``."""
        if self.raw is None:
            return _("undefined (nothing to compare)")
        raw = number_format(f"{100 * self.raw:.1f}")
        if self.value is None:
            return _("undefined (no variation), %(raw)s %% raw") % {"raw": raw}
        return _("%(name)s %(value)s (%(raw)s %% raw)") % {
            "name": self.name,
            "value": number_format(f"{self.value:.2f}"),
            "raw": raw,
        }


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


def krippendorff(tallies: Iterable[tuple[tuple[int, ...], int]]) -> Agreement:
    """Krippendorff's α for nominal data (2011, section C), any number of raters, values missing.

    ``tallies`` are the counts of each label on an item, and how many items have these counts.
    Items with fewer than two judgements say nothing on agreement and are left out.
    """
    totals: Counter[int] = Counter()
    observed = 0.0  # pairs of unequal values within items, each item weighed by 1 / (judgements - 1)
    pairs = equal = items = 0
    for counts, times in tallies:
        m = sum(counts)
        if m < 2 or not times:
            continue
        same = sum(c * (c - 1) for c in counts)
        observed += times * (m * (m - 1) - same) / (m - 1)
        pairs += times * m * (m - 1)
        equal += times * same
        items += times
        for label, count in enumerate(counts):
            totals[label] += times * count
    if not items:
        return Agreement("α", None, None, 0)
    n = totals.total()
    expected = n * n - sum(count * count for count in totals.values())
    value = None if not expected else 1 - (n - 1) * observed / expected
    return Agreement("α", value, equal / pairs, items)
