"""Protocols: what a paper's experiment trains on and tests on, as data. One TOML file each, read and checked.

A file has

- ``title``, ``paper``, ``source`` (section, table, figure), ``about`` (one sentence);
- ``[shuffled]``: lists that each seed puts into an order of its own. ``$name`` stands for all of one,
  ``$name:2`` for its second, ``$name:2-`` for those from the second on, ``$name:1-3`` for the first three;
- ``[sets]``: where rows come from, each a ``testbed`` (natlog.fragments) with its options, or a ``role`` that
  a dataset or release of the study plays; ``most`` rows of it at most, and of these only those ``where``
  some columns have some values;
- ``[[trainings]]``: ``name`` and ``on``, a list of selections: each a ``set``, ``where`` (a column's values,
  all that a row has there must be among them), and ``noise`` (the share of labels that are turned round).
  They give equally many rows;
- ``[[tests]]``: ``name`` and ``on``; ``after``, the trainings that are tested on it (all where it is left
  out). Instead of ``on``: ``within`` another test only one ``direction``, or ``sum``, several tests together;
- ``[presets]``: ``smoke``, ``desk``, ``paper`` (one at least): rows of a ``train`` part and of a ``test``,
  ``seeds``, the ``pool`` that is drawn of each set, ``networks``, and ``options`` by network;
- ``[published]``: by training, test and network the mean and deviation in %, as printed.

Nothing here knows Django; what is wrong with a file is said before anything is drawn.
"""

from __future__ import annotations

import hashlib
import random
import re
import tomllib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from apps.experiments.toml_values import ProtocolError as ProtocolError
from apps.experiments.toml_values import known, several, table, whole, word, words

FOLDER = Path(__file__).parent / "protocols"
PRESETS = ("smoke", "desk", "paper")
DIRECTIONS = ("upward", "downward", "non-monotone")
LONGEST_NAME = 100
#: The sizes of a preset, and how large each may be.
MOST = {"train": 1_000_000, "test": 100_000, "seeds": 20, "pool": 2_000_000}
CONDITION = re.compile(r"\$(?P<name>\w+)(?::(?P<first>\d+)(?P<range>-(?P<last>\d*))?)?")


@dataclass(frozen=True)
class RowSet:
    """Where rows come from. ``options`` are those of the testbed; ``most`` rows that it has at most, of which
    those are kept whose columns have the values of ``where``."""

    name: str
    testbed: str | None
    role: str | None
    options: Mapping[str, Any]
    most: int | None
    where: Mapping[str, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Selection:
    """Rows of a set: those whose columns have the values. ``noise`` of their labels are turned round."""

    set: str
    where: Mapping[str, Sequence[str]] = field(default_factory=dict)
    noise: float = 0.0


@dataclass(frozen=True)
class TrainingPlan:
    """A line of the table: what is learnt of."""

    name: str
    on: Sequence[Selection]


@dataclass(frozen=True)
class TestPlan:
    """What is tested on, after the trainings ``after``: rows of its own, or a part or a sum of others'."""

    name: str
    on: Sequence[Selection]
    after: Sequence[str]
    within: str | None = None
    direction: str | None = None
    sum: Sequence[str] = ()


@dataclass(frozen=True)
class Preset:
    """A size. ``options`` are those of each network's training."""

    train: int
    test: int
    seeds: int
    pool: int
    networks: Sequence[str]
    options: Mapping[str, Mapping[str, Any]]


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
    text: str = ""

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of its text."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    @property
    def roles(self) -> list[str]:
        """What the study's own datasets must stand in for."""
        return sorted({each.role for each in self.sets.values() if each.role})

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


# ---- Reading --------------------------------------------------------------------------------


@cache
def protocols() -> Mapping[str, Protocol]:
    """Every protocol that comes with the program, by its key (its file's name)."""
    return {path.stem: read(path.read_text("utf-8"), path.stem) for path in sorted(FOLDER.glob("*.toml"))}


def read(text: str, key: str) -> Protocol:
    """A protocol out of a file's text. Raises :class:`ProtocolError`."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ProtocolError(key, str(error)) from error
    return of_data(data, key, text)


def of_data(data: Mapping[str, Any], key: str, text: str = "") -> Protocol:
    """A protocol out of what a file holds (and its text). Raises :class:`ProtocolError`."""
    known(key, data, {"title", "paper", "source", "about", "shuffled", "sets", "trainings",
                       "tests", "presets", "published"})  # fmt: skip
    told = {name: word(key, data, name) for name in ("title", "paper", "source", "about")}
    shuffled = {
        name: words(f"{key}, shuffled.{name}", values)
        for name, values in table(key, data, "shuffled").items()
    }
    sets = {name: _set(f"{key}, sets.{name}", name, each) for name, each in table(key, data, "sets").items()}
    trainings = {}
    for number, each in enumerate(several(key, data, "trainings"), 1):
        place = f"{key}, training {number}"
        known(place, each, {"name", "on"})
        name = word(place, each, "name")
        if len(name) > LONGEST_NAME:
            raise ProtocolError(place, f"name: more than {LONGEST_NAME} characters")
        if name in trainings:
            raise ProtocolError(place, f"“{name}” is there twice")
        trainings[name] = TrainingPlan(name, _selections(place, each.get("on"), sets, shuffled))
    if not trainings:
        raise ProtocolError(key, "it has no trainings")
    tests = _tests(key, several(key, data, "tests"), list(trainings), sets, shuffled)
    known(f"{key}, presets", data.get("presets"), PRESETS)
    presets = {name: _preset(f"{key}, presets.{name}", each) for name, each in data["presets"].items()}
    if not presets:
        raise ProtocolError(f"{key}, presets", f"one of these at least is wanted: {', '.join(PRESETS)}")
    published = table(key, data, "published")
    _published_check(key, published, trainings, {test.name for test in tests})
    return Protocol(key, **told, shuffled=shuffled, sets=sets, trainings=trainings, tests=tests,
                    presets=presets, published=published, data=data, text=text)  # fmt: skip


def _set(place: str, name: str, found: Any) -> RowSet:
    if not isinstance(found, Mapping):
        raise ProtocolError(place, "a table is wanted")
    options = {key: value for key, value in found.items() if key not in ("testbed", "role", "most", "where")}
    if ("testbed" in found) == ("role" in found):
        raise ProtocolError(place, "either a testbed or a role is wanted")
    testbed, role = (word(place, found, each) if each in found else None for each in ("testbed", "role"))
    if role is not None and not re.fullmatch(r"\w{1,40}", role):
        raise ProtocolError(place, f"role: “{role}” is no word of letters, digits and _")
    if role is not None and options:
        raise ProtocolError(place, f"a role has no “{min(options)}”")
    most = whole(place, found, "most", MOST["pool"]) if "most" in found else None
    where = table(place, found, "where")
    for column, values in where.items():
        words(f"{place}, where.{column}", values)
    return RowSet(name, testbed, role, options, most, where)


def _selections(
    place: str, found: Any, sets: Mapping[str, RowSet], shuffled: Mapping[str, Sequence[str]]
) -> list[Selection]:
    if not isinstance(found, list) or not found:
        raise ProtocolError(place, "on: a list of selections is wanted")
    selections = []
    for each in found:
        known(f"{place}, on", each, {"set", "where", "noise"})
        name, where = word(place, each, "set"), table(place, each, "where")
        if name not in sets:
            raise ProtocolError(place, f"there is no set “{name}”; there are: {', '.join(sets)}")
        for column, values in where.items():
            for value in words(f"{place}, where.{column}", values):
                _condition_check(f"{place}, where.{column}", value, shuffled)
        noise = each.get("noise", 0.0)
        if isinstance(noise, bool) or not isinstance(noise, int | float) or not 0 <= noise < 1:
            raise ProtocolError(place, "noise: a share from 0 to below 1 is wanted")
        selections.append(Selection(name, where, float(noise)))
    return selections


def _condition_check(place: str, value: str, shuffled: Mapping[str, Sequence[str]]) -> None:
    if not value.startswith("$"):
        return
    match = CONDITION.fullmatch(value)
    if not match or match["name"] not in shuffled:
        raise ProtocolError(place, f"“{value}” names no shuffled list")
    places = [int(number) for number in (match["first"], match["last"]) if number]
    if any(not 1 <= number <= len(shuffled[match["name"]]) for number in places) or places != sorted(places):
        raise ProtocolError(place, f"“{value}” has places that its list has not")


def _tests(
    key: str,
    found: Sequence[Any],
    trainings: Sequence[str],
    sets: Mapping[str, RowSet],
    shuffled: Mapping[str, Sequence[str]],
) -> list[TestPlan]:
    if not found:
        raise ProtocolError(key, "it has no tests")
    tests: list[TestPlan] = []
    for number, each in enumerate(found, 1):
        place = f"{key}, test {number}"
        known(place, each, {"name", "on", "after", "within", "direction", "sum"})
        name, after = word(place, each, "name"), each.get("after", list(trainings))
        if unknown := [one for one in words(f"{place}, after", after) if one not in trainings]:
            raise ProtocolError(place, f"there is no training “{unknown[0]}”")
        if sum(way in each for way in ("on", "within", "sum")) != 1:
            raise ProtocolError(place, "one of these is wanted: on, within, sum")
        within = word(place, each, "within") if "within" in each else None
        together = words(f"{place}, sum", each["sum"]) if "sum" in each else []
        before = {test.name for test in tests if set(after) <= set(test.after)}
        if name in {test.name for test in tests if set(after) & set(test.after)}:
            raise ProtocolError(place, f"“{name}” is there twice after the same training")
        for one in [*([within] if within else []), *together]:
            if one not in before:
                raise ProtocolError(place, f"no test “{one}” stands before it")
        if (within and each.get("direction") not in DIRECTIONS) or (not within and "direction" in each):
            raise ProtocolError(place, f"within and direction ({', '.join(DIRECTIONS)}) go together")
        on = _selections(place, each["on"], sets, shuffled) if "on" in each else []
        tests.append(TestPlan(name, on, after, within, each.get("direction"), together))
    return tests


def _preset(place: str, found: Any) -> Preset:
    known(place, found, {"train", "test", "seeds", "pool", "networks", "options"})
    sizes = {name: whole(place, found, name, most) for name, most in MOST.items()}
    if sizes["pool"] < sizes["test"]:
        raise ProtocolError(place, "test: more rows than the pool of a set has")
    networks, options = words(f"{place}, networks", found.get("networks")), table(place, found, "options")
    if len(set(networks)) < len(networks):
        raise ProtocolError(place, "networks: one is there twice")
    known(f"{place}, options", options, networks)
    for network in networks:
        table(f"{place}, options", options, network)
    return Preset(**sizes, networks=networks, options=options)


def _published_check(
    key: str, found: Mapping[str, Any], trainings: Collection[str], tests: Collection[str]
) -> None:
    for training in found:
        if training not in trainings:
            raise ProtocolError(f"{key}, published", f"there is no training “{training}”")
        by_test = table(f"{key}, published", found, training)
        for test in by_test:
            if test not in tests:
                raise ProtocolError(f"{key}, published.{training}", f"there is no test “{test}”")
            for network, figures in table(f"{key}, published.{training}", by_test, test).items():
                numbers = isinstance(figures, list) and 1 <= len(figures) <= 2
                if not numbers or not all(isinstance(each, int | float) for each in figures):
                    raise ProtocolError(
                        f"{key}, published.{training}.{test}", f"{network}: mean and deviation are wanted"
                    )
