"""Protocols as data: those that come with the program, and what is said of a file with something wrong."""

from __future__ import annotations

import copy
import tomllib
from datetime import date

import pytest

from apps.experiments.plans import resolved
from apps.experiments.protocols import FOLDER, PRESETS, of_data, protocols, read, sizes_check
from apps.experiments.toml_values import ProtocolError
from apps.inference.networks import networks

SMALL = """
title = "Small"
paper = "systematicity"
source = "nowhere"
about = "A small one."

[shuffled]
up = ["some", "a few"]

[sets]
D1 = { testbed = "systematicity", depth = 1 }

[[trainings]]
name = "one"
on = [{ set = "D1", where = { quantifiers = ["$up:1"] } }]

[[tests]]
name = "other"
on = [{ set = "D1", where = { quantifiers = ["$up:2-", "no"] } }]

[[tests]]
name = "other, upward"
within = "other"
direction = "upward"

[[tests]]
name = "both"
sum = ["other", "other, upward"]

[presets.smoke]
train = 100
test = 40
seeds = 2
pool = 4000
networks = ["lstm"]
options.lstm = { epochs = 2 }

[presets.desk]
train = 100
test = 40
seeds = 2
pool = 4000
networks = ["lstm"]

[presets.paper]
train = 100
test = 40
seeds = 2
pool = 4000
networks = ["lstm"]

[published.one.other]
lstm = [50.0, 1.5]
"""


@pytest.mark.parametrize("key", [path.stem for path in sorted(FOLDER.glob("*.toml"))])
def test_every_protocol_that_comes_along_names_networks_and_fits_its_papers_sizes(key):
    protocol = protocols()[key]
    assert set(protocol.presets) == set(PRESETS)
    smoke, paper = protocol.presets["smoke"], protocol.presets["paper"]
    assert smoke.train >= 2000 and smoke.test >= 500 and smoke.seeds >= 2
    assert paper.seeds == 5
    for preset in protocol.presets.values():
        named = {preset.options.get(each, {}).get("network", each) for each in preset.networks}
        assert named <= set(networks())
        assert all(networks()[each].writes == bool(protocol.forms) for each in named)
    assert all(protocol.tests_after(training) for training in protocol.trainings)


def test_a_protocol_is_what_its_file_says():
    protocol = read(SMALL, "small")
    assert [test.name for test in protocol.tests_after("one")] == ["other", "other, upward", "both"]
    assert protocol.published["one"]["other"]["lstm"] == [50.0, 1.5]
    assert protocol.presets["smoke"].options == {"lstm": {"epochs": 2}}
    assert protocol.roles == []


@pytest.mark.parametrize(
    ("condition", "values"),
    [
        ("$up", {"a", "b", "c"}),
        ("$up:2", {"b"}),
        ("$up:2-", {"b", "c"}),
        ("$up:1-2", {"a", "b"}),
        ("some", {"some"}),
    ],
)
def test_a_condition_names_places_of_a_shuffled_list(condition, values):
    assert resolved([condition], {"up": ["a", "b", "c"]}) == values


def test_each_seed_has_its_own_order_and_keeps_it():
    protocol = protocols()["systematicity_replacements"]
    orders = [tuple(protocol.orders(seed)["replacement"]) for seed in range(1, 8)]
    assert len(set(orders)) > 3
    assert tuple(protocol.orders(1)["replacement"]) == orders[0]
    assert all(sorted(order) == sorted(orders[0]) for order in orders)


def put(data, path, value):
    *way, last = path
    place = data
    for step in way:
        place = place[step]
    if value is None:
        del place[last]
    else:
        place[last] = value


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        (["title"], None, "title: a text is wanted"),
        (["colour"], "red", "there is no “colour” here"),
        (["trainings"], [], "it has no trainings"),
        (["trainings", 0, "on", 0, "set"], "D9", "there is no set “D9”"),
        (["trainings", 0, "share"], 0, "share: a share above 0"),
        (["forms"], ["fol", "latin"], "“latin” is unknown or twice"),
        (["forms"], ["fol", "fol"], "“fol” is unknown or twice"),
        (["measures"], ["proofs"], "“proofs” is unknown"),
        (["presets", "smoke", "forms"], ["fol"], "“fol” is unknown"),
        (["trainings", 0, "on", 0, "noise"], 1, "noise: a share"),
        (["shuffled", "up"], ["some", "some"], "shuffled.up: “some” is there twice"),
        (["trainings", 0, "on", 0, "where"], {"quantifiers": ["$down"]}, "“$down” names no shuffled list"),
        (["trainings", 0, "on", 0, "where"], {"quantifiers": ["$up:3"]}, "places that its list has not"),
        (["trainings", 0, "on", 0, "where"], {"quantifiers": "no"}, "a list of texts is wanted"),
        (["sets", "D1", "role"], "nli", "either a testbed or a role"),
        (["sets", "D1", "from"], "D9", "no set “D9” stands before it"),
        (["sets", "D1", "from"], "D1", "no set “D1” stands before it"),
        (["sets", "D1"], {"role": "nli", "from": "D1"}, "a role has no “from”"),
        (["tests", 0, "most"], 0, "most: a whole number from 1"),
        (["tests", 2, "most"], 20, "most: only a test that has rows of its own"),
        (["tests", 0, "after"], ["two"], "there is no training “two”"),
        (["tests", 0, "name"], "both", "no test “other” stands before it"),
        (["tests", 1, "direction"], "sideways", "within and direction"),
        (["tests", 2, "sum"], ["nothing"], "no test “nothing” stands before it"),
        (["tests", 2, "on"], [{"set": "D1"}], "one of these is wanted"),
        (["presets"], {}, "one of these at least is wanted: smoke, desk, paper"),
        (["presets", "night"], {}, "there is no “night” here"),
        (["presets", "smoke", "pool"], 20, "test: more rows than the pool of a set has"),
        (["presets", "smoke", "seeds"], 21, "seeds: a whole number from 1 to 20"),
        (["presets", "smoke", "networks"], ["lstm", "lstm"], "one is there twice"),
        (["tests", 0, "measure"], "f1", "there is no “measure” here"),
        (["sets", "D1"], {"role": "not one word"}, "role: “not one word” is no word"),
        (["presets", "smoke", "train"], 0, "train: a whole number from 1"),
        (["presets", "smoke", "seeds"], True, "seeds: a whole number"),
        (["presets", "smoke", "networks"], [], "a list of texts is wanted"),
        (["presets", "smoke", "options"], {"gru": {}}, "there is no “gru” here"),
        (["published", "two"], {}, "there is no training “two”"),
        (["published", "one", "nothing"], {}, "there is no test “nothing”"),
        (["published", "one", "other", "lstm"], ["50"], "mean and deviation are wanted"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_file_is_said_with_its_place(path, value, said):
    data = copy.deepcopy(tomllib.loads(SMALL))
    put(data, path, value)
    with pytest.raises(ProtocolError) as told:
        of_data(data, "small")
    assert said in str(told.value) and str(told.value).startswith("small")


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        (["presets", "smoke", "train"], 19, "small, presets.smoke: train: 19 rows; 20 are wanted at least"),
        (["presets", "desk", "test"], 10, "small, presets.desk: test: 10 rows; 20 are wanted at least"),
        (["tests", 0, "most"], 19, "small, test “other”: most: 19 rows; 20 are wanted at least"),
        (
            ["trainings", 0, "share"],
            0.15,
            "small, training “one”: share: 15 of the 100 rows of smoke's train; 20 are wanted at least",
        ),
        (
            ["trainings", 0, "on"],
            [{"set": "D1", "parts": 9}, {"set": "D1"}],
            "small, presets.smoke: train: a selection of the training “one” has 12 of the rows; 20 are",
        ),
        (
            ["tests", 0, "on"],
            [{"set": "D1"}, {"set": "D1"}, {"set": "D1"}],
            "small, presets.smoke: test: a selection of the test “other” has 13 of 40 rows; 20 are wanted",
        ),
    ],
)
def test_sizes_below_what_is_dealt_are_refused_in_a_file_and_readable_in_an_experiment(path, value, said):
    data = copy.deepcopy(tomllib.loads(SMALL))
    put(data, path, value)
    protocol = of_data(data, "small")
    with pytest.raises(ProtocolError) as told:
        sizes_check(protocol)
    assert str(told.value).startswith(said)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (["presets", "smoke", "train"], 20),
        (["presets", "smoke", "test"], 20),
        (["tests", 0, "most"], 20),
        (["trainings", 0, "share"], 0.2),
        (["tests", 0, "on"], [{"set": "D1"}, {"set": "D1"}]),
    ],
)
def test_the_least_sizes_that_can_be_dealt_are_taken(path, value):
    data = copy.deepcopy(tomllib.loads(SMALL))
    put(data, path, value)
    sizes_check(of_data(data, "small"))


def test_a_file_with_a_test_too_small_is_refused_when_it_is_read():
    with pytest.raises(ProtocolError, match="test: 10 rows"):
        read(SMALL.replace("test = 40", "test = 10", 1), "small")


def test_a_misspelt_network_is_told_of_before_its_options():
    text = SMALL.replace('["lstm"]', '["lstmm"]', 1)
    with pytest.raises(ProtocolError) as told:
        read(text, "small", ["lstm", "gru"])
    said = "small, presets.smoke, networks: there is no network “lstmm”; there are: gru, lstm"
    assert str(told.value) == said


def test_a_file_that_is_no_toml_is_said():
    with pytest.raises(ProtocolError, match="small: "):
        read("title =", "small")


ODD = [3, 1.5, True, "", "x", [], {}, [3], [[1]], {"a": 1}, float("nan"), date(2020, 1, 1)]


def places(found, path=()):
    yield from [path] if path else []
    for key, value in found.items() if isinstance(found, dict) else enumerate(found):
        if isinstance(value, dict | list):
            yield from places(value, (*path, key))
        else:
            yield (*path, key)


@pytest.mark.parametrize("path", list(places(tomllib.loads(SMALL))), ids=str)
def test_whatever_stands_anywhere_in_a_file_it_is_read_or_refused_with_its_place(path):
    for value in ODD:
        data = copy.deepcopy(tomllib.loads(SMALL))
        put(data, path, value)
        try:
            of_data(data, "small")
        except ProtocolError as error:
            assert str(error).startswith("small")
