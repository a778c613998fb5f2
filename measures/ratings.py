"""How far people agree on a scale: whether their ratings rise and fall together."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import fsum, sqrt

from measures.undefined import Undefined


@dataclass(frozen=True)
class Correlation:
    """Pearson's r, None where it is ``undefined``, over ``n`` values; ``raters`` are those (or the pairs of
    those) that it is a mean of."""

    value: float | None
    n: int
    raters: int
    undefined: Undefined | None = None


def pearson(ones: Sequence[float], twos: Sequence[float]) -> float | Undefined:
    """Pearson's product-moment correlation of two equally long rows. Undefined of fewer than two values, and
    where one of the rows doesn't vary.

    >>> round(pearson([1, 2, 3], [2, 4, 7]), 4)
    0.9934
    >>> pearson([1, 1, 1], [2, 4, 6])
    <Undefined.NO_VARIATION: 'no-variation'>
    """
    n = len(ones)
    if n != len(twos):
        raise ValueError("two rows of one length are wanted")
    if n < 2:
        return Undefined.NO_OVERLAP
    if len(set(ones)) == 1 or len(set(twos)) == 1:
        return Undefined.NO_VARIATION
    middle, other = fsum(ones) / n, fsum(twos) / n
    together = fsum((x - middle) * (y - other) for x, y in zip(ones, twos, strict=True))
    spread = sqrt(fsum((x - middle) ** 2 for x in ones)) * sqrt(fsum((y - other) ** 2 for y in twos))
    return max(-1.0, min(1.0, together / spread)) if spread else Undefined.NO_VARIATION


def spearman(ones: Sequence[float], twos: Sequence[float]) -> float | Undefined:
    """Pearson's r of the ranks of two equally long rows, equal values sharing the mean of their ranks
    (Spearman 1904, *The proof and measurement of association between two things*). Undefined as
    :func:`pearson` is.

    >>> round(spearman([1, 2, 3, 4], [1, 8, 9, 8]), 4)
    0.6325
    >>> spearman([1], [2])
    <Undefined.NO_OVERLAP: 'no-overlap'>
    """
    return pearson(_ranks(ones), _ranks(twos))


def _ranks(values: Sequence[float]) -> list[float]:
    """1 for the least; of equal values the mean of the ranks that they take up."""
    counts = Counter(values)
    ranks, before = {}, 0
    for value in sorted(counts):
        ranks[value] = before + (counts[value] + 1) / 2
        before += counts[value]
    return [ranks[value] for value in values]


Ratings = Iterable[tuple[Hashable, Hashable, float]]


def against_the_others(ratings: Ratings) -> Correlation:
    """Each rater's ratings against the mean of the others' on the same items, averaged over raters, each
    weighed by how many items they share with others: Yanaka et al. 2021 (*Exploring transitivity in neural
    NLI models through veridicality*, appendix D) give 0.76 as averaged over examples and raters; with three
    raters of all items, this is it. ``ratings`` are (item, rater, value), values missing.

    Raters who don't vary, or against whom the others don't, have no correlation and are left out. Undefined
    where nobody is left.

    >>> ratings = [("a", 1, 5), ("a", 2, 4), ("b", 1, 1), ("b", 2, 2), ("c", 1, 3), ("c", 2, 4)]
    >>> found = against_the_others(ratings)
    >>> round(found.value, 4), found.n, found.raters
    (0.866, 6, 2)
    """
    rows: dict[Hashable, tuple[list[float], list[float]]] = defaultdict(lambda: ([], []))
    for given in _by_item(ratings).values():
        whole = fsum(given.values())
        for rater, value in given.items():
            if len(given) > 1:
                own, others = rows[rater]
                own.append(value)
                others.append((whole - value) / (len(given) - 1))
    return _averaged(rows.values())


def between_pairs(ratings: Ratings) -> Correlation:
    """Each pair of raters' ratings of the items that both rated, averaged over pairs, each weighed by how
    many these are. Undefined as in :func:`against_the_others`.

    >>> found = between_pairs([("a", 1, 5), ("a", 2, 4), ("b", 1, 1), ("b", 2, 2), ("c", 1, 3), ("c", 2, 4)])
    >>> round(found.value, 4), found.n, found.raters
    (0.866, 3, 1)
    """
    rows: dict[Hashable, tuple[list[float], list[float]]] = defaultdict(lambda: ([], []))
    for given in _by_item(ratings).values():
        for one, two in combinations(sorted(given, key=repr), 2):
            first, second = rows[one, two]
            first.append(given[one])
            second.append(given[two])
    return _averaged(rows.values())


def _by_item(ratings: Ratings) -> dict[Hashable, dict[Hashable, float]]:
    found: dict[Hashable, dict[Hashable, float]] = defaultdict(dict)
    for item, rater, value in ratings:
        found[item][rater] = value
    return found


def _averaged(rows: Iterable[tuple[list[float], list[float]]]) -> Correlation:
    found = [(len(own), pearson(own, others)) for own, others in rows]
    if not found:
        return Correlation(None, 0, 0, Undefined.NO_OVERLAP)
    defined = [(n, r) for n, r in found if not isinstance(r, Undefined)]
    n = sum(n for n, _r in defined)
    if not n:
        return Correlation(None, 0, 0, Undefined.NO_VARIATION)
    return Correlation(fsum(n * r for n, r in defined) / n, n, len(defined))
