"""Protocols: what a paper's experiment trains on and tests on, as data. One TOML file each, read and checked.

A file has

- ``title``, ``paper``, ``source`` (section, table, figure), ``about`` (one sentence), ``networks``;
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
- ``[presets]``: ``smoke``, ``desk``, ``paper``: rows of a ``train`` part and of a ``test``, ``seeds``, the
  ``pool`` that is drawn of each set, ``networks``, and ``options`` by network;
- ``[published]``: by training, test and network the mean and deviation in %, as printed.

Nothing here knows Django; what is wrong with a file is said before anything is drawn.
"""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "protocols"
PRESETS = ("smoke", "desk", "paper")
CONDITION = re.compile(r"\$(?P<name>\w+)(?::(?P<first>\d+)(?P<range>-(?P<last>\d*))?)?")


class ProtocolError(ValueError):
    """What is wrong with a protocol file, and where in it."""

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(f"{place}: {reason}")


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
    """See the head of this module. ``data`` is the file as it was read."""

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
    return of_data(data, key)


def of_data(data: Mapping[str, Any], key: str) -> Protocol:
    """A protocol out of what a file holds. Raises :class:`ProtocolError`."""
    _known(key, data, {"title", "paper", "source", "about", "networks", "shuffled", "sets", "trainings",
                       "tests", "presets", "published"})  # fmt: skip
    words = {name: _word(key, data, name) for name in ("title", "paper", "source", "about")}
    shuffled = {
        name: _words(f"{key}, shuffled.{name}", values) for name, values in data.get("shuffled", {}).items()
    }
    sets = {name: _set(f"{key}, sets.{name}", name, each) for name, each in data.get("sets", {}).items()}
    trainings = {}
    for number, each in enumerate(data.get("trainings", []), 1):
        place = f"{key}, training {number}"
        _known(place, each, {"name", "on"})
        name = _word(place, each, "name")
        if name in trainings:
            raise ProtocolError(place, f"“{name}” is there twice")
        trainings[name] = TrainingPlan(name, _selections(place, each.get("on"), sets, shuffled))
    if not trainings:
        raise ProtocolError(key, "it has no trainings")
    tests = _tests(key, data.get("tests", []), list(trainings), sets, shuffled)
    presets = {
        name: _preset(f"{key}, presets.{name}", each) for name, each in data.get("presets", {}).items()
    }
    if set(presets) != set(PRESETS):
        raise ProtocolError(key, f"presets: {', '.join(PRESETS)} are wanted")
    published = data.get("published", {})
    _published_check(key, published, trainings, {test.name for test in tests})
    return Protocol(key, **words, shuffled=shuffled, sets=sets, trainings=trainings, tests=tests,
                    presets=presets, published=published, data=data)  # fmt: skip


def _known(place: str, found: Any, names: Collection[str]) -> None:
    if not isinstance(found, Mapping):
        raise ProtocolError(place, "a table is wanted")
    if unknown := sorted(set(found) - set(names)):
        raise ProtocolError(place, f"there is no “{unknown[0]}” here; there are: {', '.join(sorted(names))}")


def _word(place: str, found: Mapping[str, Any], name: str) -> str:
    value = found.get(name)
    if not isinstance(value, str) or not value.strip():
        raise ProtocolError(place, f"{name}: a text is wanted")
    return value


def _words(place: str, found: Any) -> list[str]:
    if not isinstance(found, list) or not found or not all(isinstance(each, str) for each in found):
        raise ProtocolError(place, "a list of texts is wanted")
    return found


def _whole(place: str, found: Mapping[str, Any], name: str, least: int = 1) -> int:
    value = found.get(name)
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise ProtocolError(place, f"{name}: a whole number from {least} on is wanted")
    return value


def _set(place: str, name: str, found: Any) -> RowSet:
    if not isinstance(found, Mapping):
        raise ProtocolError(place, "a table is wanted")
    options = {key: value for key, value in found.items() if key not in ("testbed", "role", "most", "where")}
    testbed, role = found.get("testbed"), found.get("role")
    if (testbed is None) == (role is None):
        raise ProtocolError(place, "either a testbed or a role is wanted")
    if role is not None and options:
        raise ProtocolError(place, f"a role has no “{min(options)}”")
    most = _whole(place, found, "most") if "most" in found else None
    where = found.get("where", {})
    _known(f"{place}, where", where, where)
    for column, values in where.items():
        _words(f"{place}, where.{column}", values)
    return RowSet(name, testbed, role, options, most, where)


def _selections(
    place: str, found: Any, sets: Mapping[str, RowSet], shuffled: Mapping[str, Sequence[str]]
) -> list[Selection]:
    if not isinstance(found, list) or not found:
        raise ProtocolError(place, "on: a list of selections is wanted")
    selections = []
    for each in found:
        _known(f"{place}, on", each, {"set", "where", "noise"})
        if each.get("set") not in sets:
            raise ProtocolError(place, f"there is no set “{each.get('set')}”; there are: {', '.join(sets)}")
        where = each.get("where", {})
        if not isinstance(where, Mapping):
            raise ProtocolError(place, "where: a table of columns is wanted")
        for column, values in where.items():
            for value in _words(f"{place}, where.{column}", values):
                _condition_check(f"{place}, where.{column}", value, shuffled)
        noise = each.get("noise", 0.0)
        if isinstance(noise, bool) or not isinstance(noise, int | float) or not 0 <= noise < 1:
            raise ProtocolError(place, "noise: a share from 0 to below 1 is wanted")
        selections.append(Selection(each["set"], where, float(noise)))
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
    found: Any,
    trainings: Sequence[str],
    sets: Mapping[str, RowSet],
    shuffled: Mapping[str, Sequence[str]],
) -> list[TestPlan]:
    if not isinstance(found, list) or not found:
        raise ProtocolError(key, "it has no tests")
    tests: list[TestPlan] = []
    for number, each in enumerate(found, 1):
        place = f"{key}, test {number}"
        _known(place, each, {"name", "on", "after", "within", "direction", "sum"})
        name, after = _word(place, each, "name"), each.get("after", list(trainings))
        if unknown := [one for one in _words(f"{place}, after", after) if one not in trainings]:
            raise ProtocolError(place, f"there is no training “{unknown[0]}”")
        if len({bool(each.get(way)) for way in ("on", "within", "sum")} - {False}) != 1 or (
            sum(bool(each.get(way)) for way in ("on", "within", "sum")) != 1
        ):
            raise ProtocolError(place, "one of these is wanted: on, within, sum")
        before = {test.name for test in tests if set(after) <= set(test.after)}
        if name in {test.name for test in tests if set(after) & set(test.after)}:
            raise ProtocolError(place, f"“{name}” is there twice after the same training")
        for one in [*filter(None, [each.get("within")]), *each.get("sum", [])]:
            if one not in before:
                raise ProtocolError(place, f"no test “{one}” stands before it")
        if bool(each.get("within")) != (each.get("direction") in ("upward", "downward", "non-monotone")):
            raise ProtocolError(place, "within and direction (upward, downward, non-monotone) go together")
        on = _selections(place, each["on"], sets, shuffled) if "on" in each else []
        tests.append(
            TestPlan(name, on, after, each.get("within"), each.get("direction"), each.get("sum", ()))
        )
    return tests


def _preset(place: str, found: Any) -> Preset:
    _known(place, found, {"train", "test", "seeds", "pool", "networks", "options"})
    sizes = {name: _whole(place, found, name) for name in ("train", "test", "seeds", "pool")}
    networks, options = _words(f"{place}, networks", found.get("networks")), found.get("options", {})
    _known(f"{place}, options", options, networks)
    return Preset(**sizes, networks=networks, options=options)


def _published_check(key: str, found: Any, trainings: Collection[str], tests: Collection[str]) -> None:
    for training, by_test in found.items():
        if training not in trainings:
            raise ProtocolError(f"{key}, published", f"there is no training “{training}”")
        for test, by_network in by_test.items():
            if test not in tests:
                raise ProtocolError(f"{key}, published.{training}", f"there is no test “{test}”")
            for network, figures in by_network.items():
                numbers = isinstance(figures, list) and 1 <= len(figures) <= 2
                if not numbers or not all(isinstance(each, int | float) for each in figures):
                    raise ProtocolError(
                        f"{key}, published.{training}.{test}", f"{network}: mean and deviation are wanted"
                    )
