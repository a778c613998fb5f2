"""Entailment by a tableau that builds finite models; most sentences of a fragment are decided here in a
fraction of a millisecond.

A branch holds individuals, the facts that are true of them (all others count as false), and what must hold.
While something that must hold is false, the branch is mended: a fact is added, ∃ gets a new individual (and
where that does not end, in a second search, one of those there are, as a branch of its own), ∀ is
demanded of the individuals that break it, a disjunction becomes a branch for each part that could still be
made true, an equation makes two individuals one. Facts are never taken back, so a negation that is false
closes the branch.

Each step is a sound rule of first-order tableaux (R. Smullyan 1968, with positive facts as in hyper-tableaux,
P. Baumgartner and others 1996), so premises and a denied conclusion whose branches all close are a proof of
the conclusion. A branch on which everything holds *is* a model, and so a countermodel. Where neither comes
within the limits, nothing is said: first-order logic is undecidable, and a bigger prover may know more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from natlog.logic.formula import Constant, Expression, Not, children
from natlog.logic.models import FiniteModel
from natlog.logic.normal_form import (
    ALL_OF,
    DIFFERENT,
    EACH,
    FACT,
    NO_FACT,
    ONE_OF,
    SAME,
    SOME,
    Node,
    normal_form,
)


@dataclass(frozen=True, slots=True)
class Limits:
    """Where a search ends undecided: passes over the demands, individuals, and individuals looked at for
    quantifiers (a million take about a second).
    """

    steps: int
    individuals: int
    work: int


# Most is decided with a hundredth of this.
NEW_INDIVIDUALS = Limits(400, 10, 400_000)
KNOWN_INDIVIDUALS = Limits(3000, 16, 1_000_000)

Values = dict[str, int]
# A formula, the values of its variables, and for ∀ the individuals of whom its body is demanded already.
Demand = tuple[Node, Values, frozenset[int]]
_NOBODY: frozenset[int] = frozenset()
# What a demand that leaves a choice could become.
_Way = tuple[Node, Values]


class Undecided(Exception):
    """The limits were reached before a proof or a model."""


def countermodel(premises: Sequence[Expression], conclusion: Expression) -> FiniteModel | None:
    """A model of the premises in which the conclusion is false; None where there is none, which is a proof.

    Raises :class:`Undecided` at the limits.
    """
    formulas = [*premises, Not(conclusion)]
    names = sorted({name for formula in formulas for name in _constants(formula)})
    values = {f"'{name}": number for number, name in enumerate(names)}
    demands = [(normal_form(formula, True), values, _NOBODY) for formula in formulas]

    def search(limits: Limits, reuse: bool) -> _Branch | None:
        domain = list(range(len(names)))
        start = _Branch(set(), domain, demands[:], len(names), {}, limits.individuals, [limits.work])
        return _Search(limits.steps, reuse=reuse).model(start)

    try:
        found = search(NEW_INDIVIDUALS, False)
    except Undecided:
        found = search(KNOWN_INDIVIDUALS, True)
    return _as_model(found, values) if found else None


def _as_model(branch: _Branch, values: Values) -> FiniteModel:
    number = {individual: place for place, individual in enumerate(branch.domain)}
    facts = {(predicate, tuple(number[one] for one in of)) for predicate, of in branch.facts}
    names = {name[1:]: number[branch.same_as(individual)] for name, individual in values.items()}
    return FiniteModel(len(branch.domain), frozenset(facts), names)


def _constants(expression: Expression) -> set[str]:
    if isinstance(expression, Constant):
        return {expression.name}
    found: set[str] = set()
    for part in children(expression):
        found |= _constants(part)
    return found


@dataclass(slots=True)
class _Branch:
    """One branch: true facts, individuals, what must hold of which individuals, and the number of the next
    individual.
    """

    facts: set[tuple[str, tuple[int, ...]]]
    domain: list[int]
    demands: list[Demand]
    next: int
    merged: dict[Any, Any]
    most: int
    # How many individuals may still be looked at, by all branches of a search together.
    work: list[int]

    def copy(self) -> _Branch:
        facts, merged = set(self.facts), dict(self.merged)
        return _Branch(facts, self.domain[:], self.demands[:], self.next, merged, self.most, self.work)

    def same_as(self, individual: int) -> int:
        while individual in self.merged:
            individual = self.merged[individual]
        return individual

    def new(self) -> int:
        if len(self.domain) >= self.most:
            raise Undecided
        self.next += 1
        self.domain.append(self.next - 1)
        return self.next - 1

    def merge(self, kept: int, gone: int) -> None:
        """Make two individuals one."""
        self.merged[gone] = kept
        self.domain.remove(gone)
        self.facts = {
            (predicate, tuple(kept if one == gone else one for one in of)) for predicate, of in self.facts
        }
        self.demands[:] = [
            (node, {name: kept if one == gone else one for name, one in values.items()}, done)
            for node, values, done in self.demands
        ]

    def holds(self, node: Node, values: Values) -> bool:
        """Whether a formula is true here, all that is no fact being false."""
        kind = node[0]
        if kind == NO_FACT:
            return (node[1], tuple([values[key] for key in node[2]])) not in self.facts
        if kind == FACT:
            return (node[1], tuple([values[key] for key in node[2]])) in self.facts
        if kind in (ONE_OF, ALL_OF):
            wanted = kind == ONE_OF
            for part in node[1]:
                if self.holds(part, values) is wanted:
                    return wanted
            return not wanted
        if kind in (SOME, EACH):
            self.work[0] -= len(self.domain)
            if self.work[0] < 0:
                raise Undecided
            wanted = kind == SOME
            inside = dict(values)
            for one in self.domain:
                inside[node[1]] = one
                if self.holds(node[2], inside) is wanted:
                    return wanted
            return not wanted
        is_one = values[node[1]] == values[node[2]]
        return is_one is (kind == SAME)


class _Search:
    """The search for an open branch, depth first."""

    def __init__(self, steps: int, *, reuse: bool) -> None:
        self.reuse = reuse
        self.steps = steps
        self.choice: tuple[int, list[_Way]] | None = None

    def model(self, branch: _Branch) -> _Branch | None:
        """A branch on which everything holds, or None where all close."""
        while True:
            self.steps -= 1
            if self.steps < 0:
                raise Undecided
            changed, closed = self._mend_all(branch)
            if closed:
                return None
            if changed:
                continue
            if self.choice is not None:
                return self._split(branch, *self.choice)
            if branch.domain:
                return branch
            # A model has at least one individual.
            branch.new()

    def _mend_all(self, branch: _Branch) -> tuple[bool, bool]:
        """Go through the demands once, mend what needs no choice and keep the narrowest choice: (changed,
        closed).
        """
        self.choice = None
        changed = False
        place = 0
        demands = branch.demands
        while place < len(demands):
            node, values, done = demands[place]
            place += 1
            if branch.holds(node, values):
                continue
            kind = node[0]
            if kind == EACH:
                changed = _demand_of_each(branch, place - 1, node, values, done) or changed
            elif kind == ONE_OF:
                # A part that denies a fact stays false.
                parts = [part for part in node[1] if part[0] not in (NO_FACT, DIFFERENT)]
                if not parts:
                    return True, True
                if len(parts) == 1:
                    place -= 1
                    demands[place] = (parts[0], values, _NOBODY)
                else:
                    self._choose(place - 1, [(part, values) for part in parts])
            elif kind == SOME and self.reuse and branch.domain:
                self._choose(place - 1, _witnesses(branch, node, values))
            elif _mend(branch, place - 1, node, values):
                changed = True
                place -= 1
            else:
                return True, True
        return changed, False

    def _choose(self, place: int, ways: list[_Way]) -> None:
        if self.choice is None or len(ways) < len(self.choice[1]):
            self.choice = (place, ways)

    def _split(self, branch: _Branch, place: int, ways: list[_Way]) -> _Branch | None:
        for node, values in ways:
            way = branch.copy()
            if node[0] == SOME:
                values = {**values, node[1]: way.new()}
                node = node[2]
            way.demands[place] = (node, values, _NOBODY)
            if (found := self.model(way)) is not None:
                return found
        return None


def _witnesses(branch: _Branch, node: Node, values: Values) -> list[_Way]:
    """Who could satisfy ∃: those of whom least is missing first, and a new one last (``node`` itself)."""
    body = node[2]
    parts = body[1] if body[0] == ALL_OF else (body,)
    found = []
    for one in branch.domain:
        inside = {**values, node[1]: one}
        missing = [part for part in parts if not branch.holds(part, inside)]
        if not any(part[0] in (NO_FACT, DIFFERENT) for part in missing):
            found.append((len(missing), one, inside))
    found.sort(key=lambda entry: entry[:2])
    return [*((body, inside) for _, _, inside in found), (node, values)]


def _mend(branch: _Branch, place: int, node: Node, values: Values) -> bool:
    """Do what a false demand asks for; False where nothing can."""
    kind = node[0]
    if kind == FACT:
        branch.facts.add((node[1], tuple([values[key] for key in node[2]])))
        del branch.demands[place]
    elif kind == ALL_OF:
        branch.demands[place : place + 1] = [(part, values, _NOBODY) for part in node[1]]
    elif kind == SOME:
        branch.demands[place] = (node[2], {**values, node[1]: branch.new()}, _NOBODY)
    elif kind == SAME:
        branch.merge(values[node[1]], values[node[2]])
        del branch.demands[place]
    else:
        return False
    return True


def _demand_of_each(branch: _Branch, place: int, node: Node, values: Values, done: frozenset[int]) -> bool:
    """Demand the body of ∀ of the individuals that break it and of whom it was not demanded before; False:
    there are none, and what is demanded already comes later in the list.
    """
    new = []
    for one in branch.domain:
        if one not in done and not branch.holds(node[2], instance := {**values, node[1]: one}):
            branch.demands.append((node[2], instance, _NOBODY))
            new.append(one)
    branch.demands[place] = (node, values, done.union(new))
    return bool(new)
