"""What a protocol says, as values: sets of rows, trainings, tests, sizes. Read from files by
:mod:`apps.experiments.protocols`, whose head explains each. Nothing here knows Django."""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from typing import Any

#: A part of a training is told by what it is selected by, so its rows are few where a grammar has few.
LEAST = 20
CONDITION = re.compile(r"\$(?P<name>\w+)(?::(?P<first>\d+)(?P<range>-(?P<last>\d*))?)?")


@dataclass(frozen=True)
class RowSet:
    """Where rows come from. ``options`` are those of the testbed; ``most`` rows that it has at most, of which
    those are kept whose columns have the values of ``where``. ``source`` is the set whose pairs the testbed
    embeds in place of its own."""

    name: str
    testbed: str | None
    role: str | None
    options: Mapping[str, Any]
    most: int | None
    where: Mapping[str, Sequence[str]] = field(default_factory=dict)
    source: str | None = None


@dataclass(frozen=True)
class Selection:
    """Rows of a set: those whose columns have the values. ``noise`` of their labels are turned round; so many
    ``parts`` of a training are of it."""

    set: str
    where: Mapping[str, Sequence[str]] = field(default_factory=dict)
    noise: float = 0.0
    parts: int = 1


@dataclass(frozen=True)
class TrainingPlan:
    """A line of the table: what is learnt of, ``share`` of the rows that a training has elsewhere. It is the
    point ``at`` that number of a curve, where it has one."""

    name: str
    on: Sequence[Selection]
    share: float = 1.0
    curve: str | None = None
    at: float = 0.0


@dataclass(frozen=True)
class TestPlan:
    """What is tested on, after the trainings ``after``: rows of its own (``most`` at most), or a part or a
    sum of others'."""

    name: str
    on: Sequence[Selection]
    after: Sequence[str]
    within: str | None = None
    direction: str | None = None
    sum: Sequence[str] = ()
    most: int | None = None


@dataclass(frozen=True)
class Preset:
    """A size. ``options`` are those of each network's training; ``forms`` the meanings that are learnt, none
    where labels are."""

    train: int
    test: int
    seeds: int
    pool: int
    networks: Sequence[str]
    options: Mapping[str, Mapping[str, Any]]
    forms: Sequence[str] = ()

    @property
    def contestants(self) -> list[str]:
        """Each network, or, where meanings are written, each with each form: ``gru fol``."""
        if not self.forms:
            return list(self.networks)
        return [f"{network} {form}" for network in self.networks for form in self.forms]


@dataclass(frozen=True)
class Protocol:
    """See the head of this module. ``data`` is the file as it was read, ``text`` as it was written."""

    key: str
    title: str
    paper: str
    source: str
    about: str
    shuffled: Mapping[str, Sequence[str]]
    sets: Mapping[str, RowSet]
    trainings: Mapping[str, TrainingPlan]
    tests: Sequence[TestPlan]
    presets: Mapping[str, Preset]
    published: Mapping[str, Mapping[str, Mapping[str, Sequence[float]]]]
    data: Mapping[str, Any]
    forms: Sequence[str] = ()
    measures: Sequence[str] = ("exact",)
    text: str = ""

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of its text."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    @property
    def roles(self) -> list[str]:
        """What the study's own datasets must stand in for."""
        return sorted({each.role for each in self.sets.values() if each.role})

    def roles_learnt(self, training: str) -> list[str]:
        """The roles whose pairs a training has, or has rows made of."""
        found = set()
        for selection in self.trainings[training].on:
            of = self.sets[selection.set]
            found.add((self.sets[of.source] if of.source else of).role)
        return sorted(role for role in found if role)

    @property
    def columns(self) -> set[str]:
        """What its sets and selections look at."""
        looking: list[RowSet | Selection] = [*self.sets.values(), *self.selections]
        return {column for each in looking for column in each.where}

    @property
    def selections(self) -> list[Selection]:
        """All that its trainings and its tests are made of."""
        plans: list[TrainingPlan | TestPlan] = [*self.trainings.values(), *self.tests]
        return [selection for plan in plans for selection in plan.on]

    def tests_after(self, training: str) -> list[TestPlan]:
        """What a training is tested on, in the file's order."""
        return [test for test in self.tests if training in test.after]

    def orders(self, seed: int) -> dict[str, list[str]]:
        """The shuffled lists as a seed orders them."""
        found = {}
        for name, values in self.shuffled.items():
            order = list(values)
            random.Random(f"{self.key} {name} {seed}").shuffle(order)
            found[name] = order
        return found


def shares_of(on: Sequence[Selection], count: int) -> list[int]:
    """How many of so many rows each selection gives, by its parts."""
    whole = sum(selection.parts for selection in on)
    ends = [count * before // whole for before in accumulate((each.parts for each in on), initial=0)]
    return [end - start for start, end in pairwise(ends)]


def learnt_and_held_out(plan: TrainingPlan, train: int) -> tuple[int, int]:
    """How many rows a training learns of, at a preset's size, and how many are held out beside them."""
    learnt = round(plan.share * train)
    return learnt, max(LEAST, learnt // 10)


def resolved(values: Sequence[str], orders: Mapping[str, Sequence[str]]) -> set[str]:
    """The values of a condition, its ``$`` names put in."""
    found: set[str] = set()
    for value in values:
        match = CONDITION.fullmatch(value)
        if not match:
            found.add(value)
            continue
        order = orders[match["name"]]
        first = int(match["first"] or 1)
        last = int(match["last"]) if match["last"] else len(order)
        if match["first"] and not match["range"]:
            last = first
        found.update(order[first - 1 : last])
    return found
