"""COUNTER: how far two DRSs have clauses in common (R. van Noord, L. Abzianidze, H. Haagsma, J. Bos, LREC
2018).

Boxes and referents of one DRS are mapped to those of the other, one to one, boxes to boxes, so that as many
clauses as possible are the same. The best map is looked for by hill climbing, from a first map made by names
and from random ones: the published measure's way, and like it not sure to find the best. Clauses matched
over clauses given is precision, over gold clauses recall, both over all DRSs of a file (micro-average).
Without smoothing, hypernyms or WordNet: concepts match where lemma and sense are the same.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from natlog.logic.clause_files import Clause, counted, faults, is_box, is_variable

RESTARTS = 12
# What stands in the place of a DRS that is none: one clause that matches nothing.
_ILL_FORMED: tuple[Clause, ...] = (("b1", "(ill-formed)", "x1"),)


@dataclass(frozen=True, slots=True)
class ClauseMatch:
    """Two DRSs compared: pairs of clauses that are the same under the map, and what is left on either
    side.
    """

    matched: tuple[tuple[Clause, Clause], ...]
    only_given: tuple[Clause, ...]
    only_gold: tuple[Clause, ...]
    mapping: dict[str, str]

    @property
    def score(self) -> ClauseScore:
        """The counts of this one pair."""
        n = len(self.matched)
        return ClauseScore(n, n + len(self.only_given), n + len(self.only_gold))


@dataclass(frozen=True, slots=True)
class ClauseScore:
    """Clauses matched, given, and in the gold DRSs."""

    matched: int
    given: int
    gold: int

    @property
    def precision(self) -> float | None:
        """Matched over given; None without clauses."""
        return self.matched / self.given if self.given else None

    @property
    def recall(self) -> float | None:
        """Matched over gold; None without clauses."""
        return self.matched / self.gold if self.gold else None

    @property
    def f(self) -> float | None:
        """The harmonic mean of precision and recall; None without clauses."""
        return 2 * self.matched / (self.given + self.gold) if self.given + self.gold else None


def total(scores: Sequence[ClauseScore]) -> ClauseScore:
    """The micro-average: all clauses of all DRSs in one count."""
    return ClauseScore(
        sum(score.matched for score in scores),
        sum(score.given for score in scores),
        sum(score.gold for score in scores),
    )


def compare(
    given: Sequence[Clause],
    gold: Sequence[Clause],
    *,
    keep_references: bool = False,
    check: bool = True,
    restarts: int = RESTARTS,
    seed: int = 0,
) -> ClauseMatch:
    """The best map found between two DRSs, and the clauses under it.

    ``check``: a given DRS that is not well-formed counts as one clause that matches nothing; without it, it
    is scored as it is. The same seed finds the same map.
    """
    if check and faults(given):
        given = _ILL_FORMED
    ours = counted(given, keep_references=keep_references)
    theirs = counted(gold, keep_references=keep_references)
    climb = _Climb(ours, theirs)
    best = climb.best(restarts, random.Random(seed))
    pairs = dict(climb.matches(best))
    return ClauseMatch(
        tuple((ours[one], theirs[other]) for one, other in sorted(pairs.items())),
        tuple(clause for place, clause in enumerate(ours) if place not in pairs),
        tuple(clause for place, clause in enumerate(theirs) if place not in set(pairs.values())),
        best,
    )


def _shape(clause: Clause) -> tuple[str, ...]:
    """The clause with its variables left open: what two clauses must share to match under some map."""
    return tuple(
        ("<box>" if is_box(token) else "<referent>") if place != 1 and is_variable(token) else token
        for place, token in enumerate(clause)
    )


def _variables(clause: Clause) -> tuple[str, ...]:
    return tuple(token for place, token in enumerate(clause) if place != 1 and is_variable(token))


class _Climb:
    """Hill climbing between two lists of clauses.

    A *chance* is a pair of clauses that could match; its *needs* are the pairs of variables that the map
    must have.
    """

    def __init__(self, ours: Sequence[Clause], theirs: Sequence[Clause]) -> None:
        by_shape: dict[tuple[str, ...], list[int]] = defaultdict(list)
        for place, clause in enumerate(theirs):
            by_shape[_shape(clause)].append(place)
        self.chances: list[tuple[int, int]] = []
        self.needs: list[list[tuple[str, str]]] = []
        # For each pair of variables, the chances that need it.
        self.wanted: dict[tuple[str, str], list[int]] = defaultdict(list)
        # For each of our variables, what it could be mapped to.
        self.options: dict[str, list[str]] = defaultdict(list)
        shapes = [_shape(clause) for clause in ours]
        for one, shape in enumerate(shapes):
            for other in by_shape.get(shape, ()):
                self._add(one, other, _variables(ours[one]), _variables(theirs[other]))
        counts, other_counts = Counter(shapes), {shape: len(found) for shape, found in by_shape.items()}
        # No map matches more: the clauses of each shape, on the side that has fewer.
        self.bound = sum(min(number, other_counts.get(shape, 0)) for shape, number in counts.items())

    def _add(self, one: int, other: int, ours: tuple[str, ...], theirs: tuple[str, ...]) -> None:
        needs = list(dict.fromkeys(zip(ours, theirs, strict=True)))
        # The same variable can't become two, nor two one.
        if len({need[0] for need in needs}) < len(needs) or len({need[1] for need in needs}) < len(needs):
            return
        for need in needs:
            if need not in self.wanted:
                self.options[need[0]].append(need[1])
            self.wanted[need].append(len(self.chances))
        self.chances.append((one, other))
        self.needs.append(needs)

    def best(self, restarts: int, chance: random.Random) -> dict[str, str]:
        """The best map of all climbs; the first starts from the pairs that most clauses want."""
        best: dict[str, str] = {}
        most = -1
        for turn in range(max(1, restarts)):
            state = _State(self, self._random(chance) if turn else self._by_names())
            state.climb()
            if state.matched > most:
                best, most = dict(state.map), state.matched
            if most == self.bound:
                break
        return best

    def _by_names(self) -> dict[str, str]:
        """A map by the pairs that most chances need, those of few rivals counting more."""
        weight: dict[tuple[str, str], float] = defaultdict(float)
        rivals = Counter(one for one, _ in self.chances)
        for (one, _), needs in zip(self.chances, self.needs, strict=True):
            for need in needs:
                weight[need] += 1 / (rivals[one] * len(needs))
        return _one_to_one(sorted(weight, key=lambda need: -weight[need]))

    def _random(self, chance: random.Random) -> dict[str, str]:
        pairs = list(self.wanted)
        chance.shuffle(pairs)
        return _one_to_one(pairs)

    def matches(self, mapping: dict[str, str]) -> list[tuple[int, int]]:
        """The pairs of clauses that are the same under a map."""
        return [
            pair
            for pair, needs in zip(self.chances, self.needs, strict=True)
            if all(mapping.get(mine) == theirs for mine, theirs in needs)
        ]


def _one_to_one(pairs: Sequence[tuple[str, str]]) -> dict[str, str]:
    mapping: dict[str, str] = {}
    taken: set[str] = set()
    for mine, theirs in pairs:
        if mine not in mapping and theirs not in taken:
            mapping[mine] = theirs
            taken.add(theirs)
    return mapping


class _State:
    """A map, how many needs of each chance it meets, and how many chances it makes matches."""

    def __init__(self, climb: _Climb, mapping: dict[str, str]) -> None:
        self.climb_of = climb
        self.map: dict[str, str] = {}
        self.owner: dict[str, str] = {}
        self.open = [len(needs) for needs in climb.needs]
        self.matched = 0
        for mine, theirs in mapping.items():
            self._set(mine, theirs)

    def _set(self, mine: str, theirs: str) -> None:
        self.map[mine] = theirs
        self.owner[theirs] = mine
        for chance in self.climb_of.wanted.get((mine, theirs), ()):
            self.open[chance] -= 1
            self.matched += self.open[chance] == 0

    def _unset(self, mine: str) -> str | None:
        theirs = self.map.pop(mine, None)
        if theirs is None:
            return None
        del self.owner[theirs]
        for chance in self.climb_of.wanted.get((mine, theirs), ()):
            self.matched -= self.open[chance] == 0
            self.open[chance] += 1
        return theirs

    def climb(self) -> None:
        """Take the best change of one variable's partner until none helps.

        Who had that partner gets the one that becomes free.
        """
        while self.matched < self.climb_of.bound:
            best, move = 0, None
            for mine, options in self.climb_of.options.items():
                now = self.map.get(mine)
                for theirs in options:
                    if theirs != now and (gain := self._gain(mine, theirs)) > best:
                        best, move = gain, (mine, theirs)
            if move is None:
                return
            self._change(*move)

    def _gain(self, mine: str, theirs: str) -> int:
        """How many matches more there would be after :meth:`_change`.

        No chance needs both a pair that comes and one that goes: they share a variable.
        """
        wanted, left = self.climb_of.wanted, self.open
        former, rival = self.map.get(mine), self.owner.get(theirs)
        coming = wanted[mine, theirs]
        gain = sum([left[chance] == 1 for chance in coming])
        going: set[int] = set()
        if former is not None:
            going.update([chance for chance in wanted.get((mine, former), ()) if not left[chance]])
        if rival is not None:
            going.update([chance for chance in wanted.get((rival, theirs), ()) if not left[chance]])
            if former is not None:
                for chance in wanted.get((rival, former), ()):
                    gain += left[chance] == 1 or (left[chance] == 2 and chance in coming)
        return gain - len(going)

    def _change(self, mine: str, theirs: str) -> None:
        """Give a variable another partner, swapping with who has it."""
        former = self._unset(mine)
        rival = self.owner.get(theirs)
        if rival is not None:
            self._unset(rival)
        self._set(mine, theirs)
        if rival is not None and former is not None:
            self._set(rival, former)
