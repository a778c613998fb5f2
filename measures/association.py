"""How far one thing says something of another, from counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass
from math import exp, log, log2, sqrt
from typing import TypeVar

from measures.intervals import NORMAL_95
from measures.undefined import Undefined

Thing = TypeVar("Thing", bound=Hashable)


@dataclass(frozen=True)
class OddsRatio:
    """``value`` with its 95 % interval from ``low`` to ``high``; None, all three, where it is undefined."""

    value: float | None
    low: float | None
    high: float | None
    undefined: Undefined | None = None


def odds_ratio(a: int, b: int, c: int, d: int) -> OddsRatio:
    """(a/b) / (c/d) of a table of two rows, a b and c d, and its interval on the logarithmic scale (Woolf
    1955, *On estimating the relation between blood group and disease*). Undefined where a count is 0: no
    correction is added.

    >>> found = odds_ratio(10, 20, 20, 10)
    >>> round(found.value, 3), round(found.low, 3), round(found.high, 3)
    (0.25, 0.085, 0.731)
    >>> odds_ratio(0, 20, 20, 10).undefined
    <Undefined.ZERO_COUNT: 'zero-count'>
    """
    if not (a and b and c and d):
        return OddsRatio(None, None, None, Undefined.ZERO_COUNT)
    ratio, width = log(a * d / (b * c)), NORMAL_95 * sqrt(1 / a + 1 / b + 1 / c + 1 / d)
    return OddsRatio(exp(ratio), exp(ratio - width), exp(ratio + width))


def pmi(both: int, one: int, other: int, total: int, *, added: float = 0) -> float | Undefined:
    """Pointwise mutual information in bits, log₂ P(x, y) / P(x) P(y) (Church and Hanks 1990, *Word
    association norms, mutual information, and lexicography*, section 4): ``both`` of ``total`` have x and y,
    ``one`` has x, ``other`` has y.

    ``added`` is added to each of the four counts of having and lacking x and y, which keeps rare words from
    leading (Gururangan et al. 2018, *Annotation artifacts in natural language inference data*, section 3,
    add 100). Without it, undefined where the two never come together.

    >>> pmi(4, 4, 8, 16), pmi(2, 4, 8, 16)
    (1.0, 0.0)
    >>> round(pmi(4, 4, 8, 16, added=100), 3)
    0.028
    """
    both_, one_, other_ = both + added, one + 2 * added, other + 2 * added
    if not both_:
        return Undefined.ZERO_COUNT
    return log2(both_ * (total + 4 * added) / (one_ * other_))


def z_score(both: int, one: int, prior: float) -> float | Undefined:
    """How many standard errors the share of a label among the things that have a word (``both`` of ``one``)
    lies from the label's share in all, ``prior`` (Gardner et al. 2021, *Competency problems: on finding and
    removing artifacts in language data*, section 3.1). Undefined of no thing, and of a prior of 0 or 1.

    >>> z_score(75, 100, 0.5)
    5.0
    """
    if not one or not 0 < prior < 1:
        return Undefined.NOTHING_OBSERVED if not one else Undefined.NO_VARIATION
    return (both / one - prior) / sqrt(prior * (1 - prior) / one)


@dataclass(frozen=True)
class Overlap:
    """``shared`` different things that both have. ``share`` is their part of the first's different things,
    ``back`` of the second's, ``running`` the part of all that the first counts. Undefined of nothing."""

    shared: int
    share: float | Undefined
    back: float | Undefined
    running: float | Undefined


def overlap(one: Counter[Thing], two: Counter[Thing]) -> Overlap:
    """How much of one vocabulary another has, given how often each word occurs in them (Yanaka et al. 2019,
    *Can neural networks understand monotonicity reasoning?*, section 3.2, report ``share``).

    >>> overlap(Counter(a=3, dog=1), Counter(a=1, the=1, cat=1))
    Overlap(shared=1, share=0.5, back=0.3333333333333333, running=0.75)
    """
    both = one.keys() & two.keys()
    return Overlap(
        len(both),
        _share(len(both), len(one)),
        _share(len(both), len(two)),
        _share(sum(one[thing] for thing in both), one.total()),
    )


def _share(part: int, whole: int) -> float | Undefined:
    return part / whole if whole else Undefined.NOTHING_OBSERVED
