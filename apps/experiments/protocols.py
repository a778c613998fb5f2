"""Protocols: what a paper's experiment trains on and tests on, as data. One TOML file each, read and checked.

A file has

- ``title``, ``paper``, ``source`` (section, table, figure), ``about`` (one sentence);
- ``forms``: where meanings are learnt in place of labels, which (natlog.fragments.sygns), and ``measures``,
  what is measured of them (apps/experiments/measures.py);
- ``[shuffled]``: lists that each seed puts into an order of its own. ``$name`` stands for all of one,
  ``$name:2`` for its second, ``$name:2-`` for those from the second on, ``$name:1-3`` for the first three;
- ``[sets]``: where rows come from, each a ``testbed`` (natlog.fragments) with its options, or a ``role`` that
  a dataset or release of the study plays; ``most`` rows of it at most, and of these only those ``where``
  some columns have some values. A testbed ``from`` another set that stands before it is made of that one's
  pairs (transitivity: put under its verbs);
- ``[[trainings]]``: ``name`` and ``on``, a list of selections: each a ``set``, ``where`` (a column's values,
  all that a row has there must be among them), and ``noise`` (the share of labels that are turned round).
  They give equally many rows, or so many ``parts`` of them, together ``share`` of the preset's (all where it
  is left out). ``curve`` names a curve of the figure, and ``at`` is the number at which the training stands
  on it;
- ``[[tests]]``: ``name`` and ``on``; ``most`` rows of it at most, whatever the preset's size; ``after``, the
  trainings that are tested on it (all where it is left out). Instead of ``on``: ``within`` another test only
  one ``direction``, or ``sum``, several tests together;
- ``[presets]``: ``smoke``, ``desk``, ``paper`` (one at least): rows of a ``train`` part and of a ``test``,
  ``seeds``, the ``pool`` that is drawn of each set, ``networks``, some of the ``forms``, and ``options`` by
  network; one that stands there under several names, with other sizes, has its own in their ``network``. Of
  every selection there are LEAST rows at least (plans.py), for a test as for a training;
- ``[published]``: by training, test and network the mean and deviation in %, as printed; of meanings the
  network is followed by the form and by what was measured (``gru fol``, ``gru clf counter``).

What is wrong with a file is said before anything is drawn, in the language of whoever reads it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _

from apps.experiments.measures import MEASURES
from apps.experiments.plans import (
    CONDITION,
    LEAST,
    Preset,
    Protocol,
    RowSet,
    Selection,
    TestPlan,
    TrainingPlan,
    learnt_and_held_out,
    shares_of,
)
from apps.experiments.toml_values import ProtocolError as ProtocolError
from apps.experiments.toml_values import (
    among,
    each_once,
    known,
    numeric,
    several,
    share,
    table,
    whole,
    word,
    words,
)
from natlog.fragments.sygns import FORMS

FOLDER = Path(__file__).parent / "protocols"
PRESETS = ("smoke", "desk", "paper")
#: What a test is tested on, one of them.
WAYS = ("on", "within", "sum")
DIRECTIONS = ("upward", "downward", "non-monotone")
LONGEST_NAME = 100
#: Prose, which may stand in several lines of a file.
TOLD = ("title", "paper", "source", "about")
MOST_PARTS = 1000
#: The sizes of a preset, and how large each may be.
MOST = {"train": 1_000_000, "test": 100_000, "seeds": 20, "pool": 2_000_000}


@cache
def protocols() -> Mapping[str, Protocol]:
    """Every protocol that comes with the program, by its key (its file's name)."""
    return {path.stem: read(path.read_text("utf-8"), path.stem) for path in sorted(FOLDER.glob("*.toml"))}


def read(text: str, key: str, networks: Collection[str] | None = None) -> Protocol:
    """A protocol out of a file's text; where ``networks`` are given it names no others. Raises
    :class:`ProtocolError`."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ProtocolError(key, _("it is no TOML: %(why)s") % {"why": error}) from error
    protocol = of_data(data, key, text, networks)
    # Not in of_data: an experiment that began before sizes were looked at has to stay readable.
    sizes_check(protocol)
    return protocol


def of_data(
    data: Mapping[str, Any], key: str, text: str = "", networks: Collection[str] | None = None
) -> Protocol:
    """A protocol out of what a file holds (and its text), as :func:`read` but for sizes that are too small.
    Raises :class:`ProtocolError`."""
    known(key, data, {"title", "paper", "source", "about", "forms", "measures", "shuffled",
                       "sets", "trainings", "tests", "presets", "published"})  # fmt: skip
    told = {name: " ".join(word(key, data, name).split()) for name in TOLD}
    forms = among(key, data, "forms", FORMS)
    measures = among(key, data, "measures", MEASURES if forms else ("exact",)) or ("exact",)
    shuffled = {
        name: each_once(f"{key}, shuffled.{name}", words(f"{key}, shuffled.{name}", values))
        for name, values in table(key, data, "shuffled").items()
    }
    sets: dict[str, RowSet] = {}
    for name, each in table(key, data, "sets").items():
        sets[name] = _set(f"{key}, sets.{name}", name, each, sets)
    trainings = {}
    for number, each in enumerate(several(key, data, "trainings"), 1):
        place = f"{key}, " + _("training %(number)d") % {"number": number}
        known(place, each, {"name", "on", "share", "curve", "at"})
        name = word(place, each, "name")
        if len(name) > LONGEST_NAME:
            raise ProtocolError(f"{place}: name", _("more than %(n)d characters") % {"n": LONGEST_NAME})
        if name in trainings:
            raise ProtocolError(place, _("“%(word)s” is there twice") % {"word": name})
        on = _selections(place, each.get("on"), sets, shuffled)
        curve = word(place, each, "curve") if "curve" in each or "at" in each else None
        at = numeric(place, each, "at") if curve else 0.0
        trainings[name] = TrainingPlan(name, on, share(place, each, "share"), curve, at)
    if not trainings:
        raise ProtocolError(key, _("it has no trainings"))
    tests = _tests(key, several(key, data, "tests"), list(trainings), sets, shuffled)
    known(f"{key}, presets", data.get("presets"), PRESETS)
    presets = {
        name: _preset(f"{key}, presets.{name}", each, forms, networks)
        for name, each in data["presets"].items()
    }
    if not presets:
        reason = _("one of these at least is wanted: %(known)s") % {"known": ", ".join(PRESETS)}
        raise ProtocolError(f"{key}, presets", reason)
    published = table(key, data, "published")
    _published_check(key, published, trainings, {test.name for test in tests})
    return Protocol(key, **told, shuffled=shuffled, sets=sets, trainings=trainings, tests=tests,
                    presets=presets, published=published, data=data, forms=forms,
                    measures=measures, text=text)  # fmt: skip


def _set(place: str, name: str, found: Any, before: Collection[str]) -> RowSet:
    if not isinstance(found, Mapping):
        raise ProtocolError(place, _("a table is wanted"))
    ours = ("testbed", "role", "from", "most", "where")
    options = {key: value for key, value in found.items() if key not in ours}
    if ("testbed" in found) == ("role" in found):
        raise ProtocolError(place, _("either a testbed or a role is wanted"))
    testbed, role, source = (word(place, found, each) if each in found else None for each in ours[:3])
    if role is not None and not re.fullmatch(r"\w{1,40}", role):
        reason = _("“%(name)s” is no word of letters, digits and _") % {"name": role}
        raise ProtocolError(f"{place}: role", reason)
    if role is not None and (options or source is not None):
        reason = _("a role has no “%(name)s”") % {"name": min(options, default="from")}
        raise ProtocolError(place, reason)
    if source is not None and source not in before:
        raise ProtocolError(place, _("no set “%(name)s” stands before it") % {"name": source})
    most = whole(place, found, "most", MOST["pool"]) if "most" in found else None
    where = table(place, found, "where")
    for column, values in where.items():
        words(f"{place}, where.{column}", values)
    return RowSet(name, testbed, role, options, most, where, source)


def _selections(
    place: str, found: Any, sets: Mapping[str, RowSet], shuffled: Mapping[str, Sequence[str]]
) -> list[Selection]:
    if not isinstance(found, list) or not found:
        raise ProtocolError(f"{place}: on", _("a list of selections is wanted"))
    selections = []
    for each in found:
        known(f"{place}, on", each, {"set", "where", "noise", "parts"})
        name, where = word(place, each, "set"), table(place, each, "where")
        if name not in sets:
            reason = _("there is no set “%(name)s”; there are: %(known)s")
            raise ProtocolError(place, reason % {"name": name, "known": ", ".join(sets)})
        for column, values in where.items():
            for value in words(f"{place}, where.{column}", values):
                _condition_check(f"{place}, where.{column}", value, shuffled)
        noise = each.get("noise", 0.0)
        if isinstance(noise, bool) or not isinstance(noise, int | float) or not 0 <= noise < 1:
            raise ProtocolError(f"{place}: noise", _("a share from 0 to below 1 is wanted"))
        parts = whole(f"{place}, on", each, "parts", MOST_PARTS) if "parts" in each else 1
        selections.append(Selection(name, where, float(noise), parts))
    return selections


def _condition_check(place: str, value: str, shuffled: Mapping[str, Sequence[str]]) -> None:
    if not value.startswith("$"):
        return
    match = CONDITION.fullmatch(value)
    if not match or match["name"] not in shuffled:
        raise ProtocolError(place, _("“%(name)s” names no shuffled list") % {"name": value})
    places = [int(number) for number in (match["first"], match["last"]) if number]
    if any(not 1 <= number <= len(shuffled[match["name"]]) for number in places) or places != sorted(places):
        raise ProtocolError(place, _("“%(name)s” has places that its list has not") % {"name": value})


def _tests(
    key: str,
    found: Sequence[Any],
    trainings: Sequence[str],
    sets: Mapping[str, RowSet],
    shuffled: Mapping[str, Sequence[str]],
) -> list[TestPlan]:
    if not found:
        raise ProtocolError(key, _("it has no tests"))
    tests: list[TestPlan] = []
    for number, each in enumerate(found, 1):
        place = f"{key}, " + _("test %(number)d") % {"number": number}
        known(place, each, {"name", "on", "most", "after", "within", "direction", "sum"})
        name, after = word(place, each, "name"), each.get("after", list(trainings))
        if unknown := [one for one in words(f"{place}, after", after) if one not in trainings]:
            raise ProtocolError(place, _("there is no training “%(name)s”") % {"name": unknown[0]})
        if sum(way in each for way in WAYS) != 1:
            reason = _("one of these is wanted: %(known)s") % {"known": ", ".join(WAYS)}
            raise ProtocolError(place, reason)
        within = word(place, each, "within") if "within" in each else None
        together = words(f"{place}, sum", each["sum"]) if "sum" in each else []
        before = {test.name for test in tests if set(after) <= set(test.after)}
        if name in {test.name for test in tests if set(after) & set(test.after)}:
            reason = _("“%(name)s” is there twice after the same training") % {"name": name}
            raise ProtocolError(place, reason)
        for one in [*([within] if within else []), *together]:
            if one not in before:
                raise ProtocolError(place, _("no test “%(name)s” stands before it") % {"name": one})
        if (within and each.get("direction") not in DIRECTIONS) or (not within and "direction" in each):
            reason = _("within and direction (%(known)s) go together")
            raise ProtocolError(place, reason % {"known": ", ".join(DIRECTIONS)})
        on = _selections(place, each["on"], sets, shuffled) if "on" in each else []
        most = whole(place, each, "most", MOST["test"]) if "most" in each else None
        if most and not on:
            raise ProtocolError(f"{place}: most", _("only a test that has rows of its own (on) has it"))
        tests.append(TestPlan(name, on, after, within, each.get("direction"), together, most))
    return tests


def _preset(place: str, found: Any, forms: Sequence[str], there: Collection[str] | None = None) -> Preset:
    known(place, found, {"train", "test", "seeds", "pool", "networks", "options", "forms"})
    sizes = {name: whole(place, found, name, most) for name, most in MOST.items()}
    if sizes["pool"] < sizes["test"]:
        raise ProtocolError(f"{place}: test", _("more rows than the pool of a set has"))
    networks, options = words(f"{place}, networks", found.get("networks")), table(place, found, "options")
    if len(set(networks)) < len(networks):
        raise ProtocolError(f"{place}: networks", _("one is there twice"))
    if there is not None:
        _networks_check(place, networks, options, there)
    known(f"{place}, options", options, networks)
    for network in networks:
        table(f"{place}, options", options, network)
    own = among(place, found, "forms", forms) or forms
    return Preset(**sizes, networks=networks, options=options, forms=own)


def _networks_check(
    place: str, networks: Sequence[str], options: Mapping[str, Any], there: Collection[str]
) -> None:
    """Each is one that there is, by its own name or by the ``network`` of its options."""
    known_names = sorted(there)
    for name in networks:
        own = options.get(name)
        network = own.get("network", name) if isinstance(own, Mapping) else name
        if network not in known_names:
            where = f"{place}, networks" if network == name else f"{place}, options.{name}, network"
            reason = _("there is no network “%(name)s”; there are: %(known)s")
            raise ProtocolError(where, reason % {"name": network, "known": ", ".join(known_names)})


def sizes_check(protocol: Protocol) -> None:
    """Every preset is large enough for each selection to have :data:`LEAST` rows, if its set has them. Raises
    :class:`ProtocolError`."""
    key = protocol.key
    for preset, sizes in protocol.presets.items():
        place = f"{key}, presets.{preset}"
        for size, rows in (("train", sizes.train), ("test", sizes.test)):
            if rows < LEAST:
                raise ProtocolError(f"{place}: {size}", _too_few(rows))
        for plan in protocol.trainings.values():
            learnt, held_out = learnt_and_held_out(plan, sizes.train)
            if learnt < LEAST:
                where = f"{key}, " + _("training “%(name)s”") % {"name": plan.name}
                reason = _("%(n)d of the %(rows)d rows of %(preset)s's train; %(least)d are wanted at least")
                counts = {"n": learnt, "rows": sizes.train, "preset": preset, "least": LEAST}
                raise ProtocolError(f"{where}: share", reason % counts)
            if (fewest := min(shares_of(plan.on, learnt + held_out))) < LEAST:
                reason = _(
                    "a selection of the training “%(name)s” has %(n)d of the rows; "
                    "%(least)d are wanted at least"
                )
                told = {"name": plan.name, "n": fewest, "least": LEAST}
                raise ProtocolError(f"{place}: train", reason % told)
        for test in protocol.tests:
            if test.most and test.most < LEAST:
                where = f"{key}, " + _("test “%(name)s”") % {"name": test.name}
                raise ProtocolError(f"{where}: most", _too_few(test.most))
            rows = min(sizes.test, test.most or sizes.test)
            if test.on and (fewest := min(shares_of(test.on, rows))) < LEAST:
                size = "most" if test.most and test.most < sizes.test else "test"
                reason = _(
                    "a selection of the test “%(name)s” has %(n)d of %(rows)d rows; "
                    "%(least)d are wanted at least"
                )
                told = {"name": test.name, "n": fewest, "rows": rows, "least": LEAST}
                raise ProtocolError(f"{place}: {size}", reason % told)


def _too_few(rows: int) -> str:
    return _("%(rows)d rows; %(least)d are wanted at least") % {"rows": rows, "least": LEAST}


def _published_check(
    key: str, found: Mapping[str, Any], trainings: Collection[str], tests: Collection[str]
) -> None:
    for training in found:
        if training not in trainings:
            reason = _("there is no training “%(name)s”") % {"name": training}
            raise ProtocolError(f"{key}, published", reason)
        by_test = table(f"{key}, published", found, training)
        for test in by_test:
            if test not in tests:
                reason = _("there is no test “%(name)s”") % {"name": test}
                raise ProtocolError(f"{key}, published.{training}", reason)
            for network, figures in table(f"{key}, published.{training}", by_test, test).items():
                numbers = isinstance(figures, list) and 1 <= len(figures) <= 2
                if not numbers or not all(isinstance(each, int | float) for each in figures):
                    place = f"{key}, published.{training}.{test}: {network}"
                    raise ProtocolError(place, _("mean and deviation are wanted"))
