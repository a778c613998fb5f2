"""Two sides of a dataset held against each other: on which pairs they say the same, what became of the
others, and what one of them alone has."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from apps.comparison.pairs import labelled
from apps.dashboard.hard_pairs import csv_line
from apps.dashboard.sides import Side
from apps.datasets.labels import ENTAILMENT, NON_ENTAILMENT, NOT_ENTAILED
from apps.datasets.models import Dataset, Pair
from measures.agreement import Agreement, cohen
from measures.intervals import cohen_interval
from measures.undefined import Undefined

_BATCH = 500
DRAWS = 1000
_SEED = 1


#: A direction, and what the first and the second side say.
Line = tuple[str, str, str]


@dataclass(frozen=True)
class Changes:
    """``counts`` of pairs by direction and by what the first and the second side say; ``changed`` are the
    numbers of the pairs on which they differ, likewise, in order; ``intervals`` are κ's 95 % ones by
    direction (None: of all), without those that are undefined. ``is_two_way``: one side knows entailment and
    non-entailment alone, so both are read so."""

    one: Side
    two: Side
    is_two_way: bool
    only_one: int
    only_two: int
    counts: Counter[Line] = field(default_factory=Counter)
    changed: dict[Line, list[int]] = field(default_factory=dict)
    intervals: dict[str | None, tuple[float, float]] = field(default_factory=dict)

    @property
    def labels(self) -> list[str]:
        return sorted({label for _place, *said in self.counts for label in said})

    @property
    def places(self) -> list[str]:
        return sorted({place for place, *_said in self.counts}, reverse=True)

    def agreement(self, place: str | None = None) -> Agreement:
        """Raw and Cohen's κ on the pairs of a direction; None for all."""
        return cohen(_said(self.counts, place))

    def chosen(self, first: str = "", second: str = "", place: str | None = None) -> list[int]:
        """The numbers of the pairs that changed from the one label to the other; "" for whatever it is."""
        return sorted(
            number
            for (where, before, after), numbers in self.changed.items()
            if first in ("", before) and second in ("", after) and place in (None, where)
            for number in numbers
        )

    def of_pair(self, number: int) -> Line:
        """The direction of a pair that changed, and what both sides say."""
        for line, numbers in self.changed.items():
            place = bisect_left(numbers, number)
            if place < len(numbers) and numbers[place] == number:
                return line
        raise KeyError(number)


def changes(dataset: Dataset, one: Side, two: Side) -> Changes:
    """Each side's labels are read once, and the direction of the pairs that both have."""
    import numpy as np

    words: list[str] = []
    first, second = one.said(words), two.said(words)
    both, ones, twos = np.intersect1d(first.numbers, second.numbers, assume_unique=True, return_indices=True)
    is_two_way = NON_ENTAILMENT in words
    read = [_two_way(word) for word in words] if is_two_way else words
    places = dict(_places(dataset)) if len(both) else {}
    found = Changes(one, two, is_two_way, len(first.numbers) - len(both), len(second.numbers) - len(both))
    for number, before, after in zip(
        both.tolist(), first.places[ones].tolist(), second.places[twos].tolist(), strict=True
    ):
        line = (places.get(number, ""), read[before], read[after])
        found.counts[line] += 1
        if line[1] != line[2]:
            found.changed.setdefault(line, []).append(number)
    found.intervals.update(_intervals(found.counts))
    return found


def _said(counts: Counter[Line], place: str | None) -> Counter[tuple[str, str]]:
    """What both sides say of the pairs of a direction; None for all."""
    said: Counter[tuple[str, str]] = Counter()
    for (where, first, second), n in counts.items():
        if place in (None, where):
            said[first, second] += n
    return said


def _intervals(counts: Counter[Line]) -> Iterator[tuple[str | None, tuple[float, float]]]:
    for place in (*dict.fromkeys(line[0] for line in counts), None):
        said = _said(counts, place)
        interval = cohen_interval(said, seed=_SEED, draws=DRAWS)
        if cohen(said).undefined is None and not isinstance(interval, Undefined):
            yield place, interval


def _two_way(label: str) -> str:
    return NON_ENTAILMENT if label in NOT_ENTAILED and label != ENTAILMENT else label


def _places(dataset: Dataset) -> Iterator[tuple[int, str]]:
    """The direction of each pair. One query, row by row."""
    return labelled(dataset.pairs.all()).order_by().values_list("pk", "place").iterator(chunk_size=20_000)


@dataclass(frozen=True)
class ChangedPair:
    pair: Pair
    place: str
    before: str
    after: str


def changed_pairs(found: Changes, numbers: Sequence[int]) -> list[ChangedPair]:
    """These pairs with their premises, in this order. Two queries."""
    pairs = Pair.objects.prefetch_related("premises").in_bulk(numbers)
    return [ChangedPair(pairs[number], *found.of_pair(number)) for number in numbers if number in pairs]


def as_csv(found: Changes, numbers: Sequence[int]) -> Iterator[str]:
    """A header and a line a pair; several premises are joined by a space."""
    yield csv_line(["pair", "premise", "hypothesis", "direction", "first", "second"])
    for begin in range(0, len(numbers), _BATCH):
        for row in changed_pairs(found, numbers[begin : begin + _BATCH]):
            premise = " ".join(premise.text for premise in row.pair.premises.all())
            yield csv_line([row.pair.pk, premise, row.pair.hypothesis, row.place, row.before, row.after])
