"""The quantifier algebra: one determiner against another, by their truth conditions on counts.

A determiner is a condition on how many A are B and how many are not (Barwise and Cooper 1981). The
relation of ``Q₁ A₁ B₁`` to ``Q₂ A₂ B₂`` follows from those of A₁ to A₂ and B₁ to B₂ by looking at every
small model; larger ones show nothing new, since numerals are first brought down to small numbers
with the same order and the same neighbours.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from natlog.apostrophes import straightened
from natlog.calculus.relations import SetRelation
from natlog.lexicon.word_lists import listed_under, word_list

DATA = Path(__file__).parents[1] / "lexicon" / "quantifiers.tsv"

NUMBER_WORDS = {word: int(number) for word, number in listed_under("numbers").items()}

SCALES = frozenset({12, 100, 1000, 1_000_000, 1_000_000_000})
"""Numbers whose words multiply the one before them (two dozen) and take *a* (a hundred)."""

_REGIONS = {
    SetRelation.EQUAL: ((1, 1), (0, 0)),
    SetRelation.FORWARD: ((1, 1), (0, 1), (0, 0)),
    SetRelation.REVERSE: ((1, 1), (1, 0), (0, 0)),
    SetRelation.NEGATION: ((1, 0), (0, 1)),
    SetRelation.ALTERNATION: ((1, 0), (0, 1), (0, 0)),
    SetRelation.COVER: ((1, 1), (1, 0), (0, 1)),
    SetRelation.INDEPENDENT: ((1, 1), (1, 0), (0, 1), (0, 0)),
}
"""Which of the four regions (in the first set?, in the second?) a relation leaves inhabited."""


_COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "=": operator.eq,
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
}


@dataclass(frozen=True, slots=True)
class Quantifier:
    """A determiner's truth condition; ``number`` is the numeral in it, or None."""

    id: str
    condition: str
    number: int | None = None

    def holds(self, inside: Any, outside: Any) -> Any:
        """Whether ``Q A B`` holds of ``inside`` A that are B, ``outside`` that aren't (numbers or arrays)."""
        values = {"in": inside, "out": outside, "all": inside + outside, "n": self.number or 0}
        truth = None
        for part in self.condition.split(" and "):
            left, sign, right = part.split()
            other = values[right] if right in values else int(right)
            found = _COMPARISONS[sign](values[left], other)
            truth = found if truth is None else truth & found
        return truth


@lru_cache(maxsize=1)
def _table() -> dict[str, tuple[str, str]]:
    table = {}
    for line in DATA.read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            name, condition, forms = line.split("\t")
            for form in forms.split(","):
                table[form.strip()] = (name, condition)
    return table


def number_of(word: str) -> int | None:
    """The number that a numeral word or figure means, or None."""
    word = word.lower().replace(",", "")
    if word.isascii() and word.isdigit():
        return int(word)
    return NUMBER_WORDS.get(word)


def _numeral(words: list[str]) -> tuple[int | None, list[str]]:
    """The number among a determiner's words ("two dozen", "a hundred"), and the words with N for it."""
    number: int | None = None
    pattern: list[str] = []
    for word in words:
        found = number_of(word)
        if found is None:
            pattern.append(word)
            continue
        if pattern[-1:] == ["N"]:
            number = (number or 0) * found if found in SCALES else (number or 0) + found
            continue
        if pattern[-1:] == ["a"] and found in SCALES:
            pattern.pop()
        number = found
        pattern.append("N")
    return number, pattern


@lru_cache(maxsize=4096)
def quantifier(surface: str, exact_numerals: bool = False) -> Quantifier | None:
    """The quantifier that a determiner's words spell, or None where the table has none.

    >>> quantifier("At most 6")
    Quantifier(id='at-most', condition='in <= n', number=6)
    """
    words = re.sub(r"[^\w%' ]", " ", straightened(surface.lower())).split()
    if len(words) > 1 and words[-1] in word_list("definite_determiners") and " ".join(words) not in _table():
        words = words[:-1]
    number, pattern = (None, words) if " ".join(words) in _table() else _numeral(words)
    entry = _table().get(" ".join(words)) or _table().get(" ".join(pattern))
    if entry is None and pattern and pattern[-1] == "of":
        entry = _table().get(" ".join(pattern[:-1]))
    if entry is None:
        return None
    name, condition = entry
    if name == "numeral" and exact_numerals:
        condition = "in = n"
    return Quantifier(name, condition, number)


def _small(one: Quantifier, two: Quantifier) -> tuple[Quantifier, Quantifier]:
    """The two with their numerals brought down to small numbers of the same order and neighbourhood."""
    numbers = sorted({q.number for q in (one, two) if q.number is not None and q.number > 1})
    small = {}
    for place, number in enumerate(numbers):
        near = place and number == numbers[place - 1] + 1
        small[number] = 2 if not place else 3 if near else 4
    return tuple(  # type: ignore[return-value]
        Quantifier(q.id, q.condition, small.get(q.number, q.number)) if q.number is not None else q
        for q in (one, two)
    )


def compare(
    one: Quantifier, two: Quantifier, restrictor: SetRelation, scope: SetRelation, existential_import: bool
) -> SetRelation:
    """How ``one A₁ B₁`` stands to ``two A₂ B₂``; ``restrictor`` is A₁ to A₂, ``scope`` B₁ to B₂.

    With ``existential_import`` there is at least one A₁ and at least one A₂.
    """
    one, two = _small(one, two)
    return _compare(one, two, restrictor, scope, existential_import)


@lru_cache(maxsize=20_000)
def _compare(
    one: Quantifier, two: Quantifier, restrictor: SetRelation, scope: SetRelation, existential_import: bool
) -> SetRelation:
    import numpy as np

    regions = [(a, b) for a in _REGIONS[restrictor] if a != (0, 0) for b in _REGIONS[scope]]
    if len(regions) > 8:
        return SetRelation.INDEPENDENT
    counts = np.indices((6 if len(regions) <= 6 else 5,) * len(regions), dtype=np.int8)
    counts = counts.reshape(len(regions), -1)
    sums = [[np.zeros(counts.shape[1], dtype=np.int8) for _ in range(2)] for _ in range(2)]
    for (a, b), count in zip(regions, counts, strict=True):
        for side in (0, 1):
            if a[side]:
                sums[side][b[side]] += count
    first, second = (q.holds(inside, outside) for q, (outside, inside) in zip((one, two), sums, strict=True))
    if existential_import:
        kept = (sums[0][0] + sums[0][1] > 0) & (sums[1][0] + sums[1][1] > 0)
        first, second = first[kept], second[kept]
    return _relation_of(
        {(x, y) for x in (True, False) for y in (True, False) if ((first == x) & (second == y)).any()}
    )


def _relation_of(seen: set[tuple[bool, bool]]) -> SetRelation:
    """The relation of two sentences, from the pairs of truth values that some model gives them."""
    both, first, second, neither = (
        (True, True) in seen, (True, False) in seen, (False, True) in seen, (False, False) in seen
    )  # fmt: skip
    if not first and not second:
        return SetRelation.EQUAL
    if not first:
        return SetRelation.FORWARD
    if not second:
        return SetRelation.REVERSE
    if not both:
        return SetRelation.ALTERNATION if neither else SetRelation.NEGATION
    return SetRelation.INDEPENDENT if neither else SetRelation.COVER
