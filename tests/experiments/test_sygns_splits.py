"""SyGNS's splits: what the files say can be dealt, and no test but *Valid* is of what is learnt."""

from __future__ import annotations

import tomllib
from functools import cache

import pytest

from apps.experiments.protocols import FOLDER
from natlog.fragments.sygns import FORMS, PHENOMENA, phenomena
from natlog.fragments.testbeds import SYGNS
from workers.networks.sequences.options import SequenceOptions

FILES = sorted(path.stem for path in FOLDER.glob("sygns_*.toml"))


@cache
def protocol(name):
    return tomllib.loads((FOLDER / f"{name}.toml").read_text("utf-8"))


@cache
def drawn(depth, count=3000):
    return [phenomena(item.derivation) for item in SYGNS.draw(count, depth, 1)]


def selected(name, selection):
    """The places of the drawn sentences that a selection takes, with their depth."""
    depth = protocol(name)["sets"][selection["set"]]["depth"]
    where = selection.get("where", {})
    return {
        (depth, place)
        for place, row in enumerate(drawn(depth))
        if all(set(row[column].split(";")) <= set(values) for column, values in where.items())
    }


def after(name, training):
    names = [each["name"] for each in protocol(name)["trainings"]]
    return [test for test in protocol(name)["tests"] if training["name"] in test.get("after", names)]


def test_there_is_a_file_for_each_kind_of_split():
    kinds = ("curves", "embedding", "modifiers", "negation", "productivity", "sizes")
    assert [f"sygns_{kind}" for kind in kinds] == FILES


@pytest.mark.parametrize("name", FILES)
def test_no_sentence_of_a_test_could_have_been_learnt_from(name):
    for training in protocol(name)["trainings"]:
        learnt = set().union(*(selected(name, each) for each in training["on"]))
        for test in after(name, training):
            tested = set().union(*(selected(name, each) for each in test["on"]))
            assert tested, (training["name"], test["name"])
            if test["name"] == "Valid":
                assert tested == learnt
            else:
                assert not tested & learnt, (training["name"], test["name"])


@pytest.mark.parametrize("name", FILES)
def test_every_column_and_value_is_one_that_sentences_have(name):
    values = {column: set() for column in PHENOMENA}
    for depth in SYGNS.depths:
        for row in drawn(depth):
            for column, value in row.items():
                values[column].update(value.split(";"))
    file = protocol(name)
    for each in [*file["trainings"], *file["tests"]]:
        for selection in each["on"]:
            for column, wanted in selection.get("where", {}).items():
                assert set(wanted) <= values[column]


@pytest.mark.parametrize("name", FILES)
def test_presets_name_forms_networks_and_options_that_there_are(name):
    file = protocol(name)
    assert set(file["presets"]) == {"smoke", "desk", "paper"}
    for preset in file["presets"].values():
        assert set(preset.get("forms", file["forms"])) <= set(file["forms"]) <= set(FORMS)
        for network in preset["networks"]:
            given = dict(preset.get("options", {}).get(network, {}))
            SequenceOptions.of(given.pop("network", network), given)


@pytest.mark.parametrize("name", FILES)
def test_published_figures_are_of_the_files_trainings_tests_networks_and_forms(name):
    file = protocol(name)
    trainings = {training["name"]: training for training in file["trainings"]}
    for training, by_test in file.get("published", {}).items():
        known = {test["name"] for test in after(name, trainings[training])}
        assert set(by_test) == known
        for figures in by_test.values():
            for column, (figure,) in figures.items():
                assert 0 <= figure <= 100
                assert any(column.startswith(network) for network in file["presets"]["paper"]["networks"])
                assert any(f" {form} " in f"{column} " for form in file["forms"])


def test_figures_stand_where_the_tables_have_them():
    """One of each table, read off the paper again."""
    modifiers = protocol("sygns_modifiers")["published"]
    assert modifiers["one"]["NUM"]["transformer clf"] == [96.9]  # Table 4
    assert modifiers["one"]["CON+NEG"]["gru vf"] == [74.9]  # Table 5
    assert modifiers["one"]["UNI"]["transformer fol entails gold"] == [83.4]  # Table 6
    assert modifiers["one"]["UNI"]["gru fol downward"] == [40.7]  # Table 8
    assert modifiers["every"]["ADV"]["gru clf counter"] == [82.3]  # Table 14
    assert modifiers["one"]["NUM"]["gru vf upward"] == [59.8]  # Table 15
    negation = protocol("sygns_negation")["published"]
    assert negation["every"]["UNI"]["transformer vf"] == [76.6]  # Table 16
    assert negation["two"]["ADV+NEG"]["transformer clf counter"] == [81.8]  # Table 17
    productivity = protocol("sygns_productivity")["published"]["D0 ∪ D1"]
    assert productivity["Dep4"]["transformer clf counter"] == [37.6]  # Table 9
    embedding = protocol("sygns_embedding")["published"]["one, two, every at each depth"]
    assert embedding["Dep3"]["transformer vf"] == [37.0]  # Table 10
    assert protocol("sygns_sizes")["published"]["one"]["UNI"]["transformer 27M fol"] == [7.9]  # Table 11
