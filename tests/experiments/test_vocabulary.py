"""The values of a testbed's columns: all that is drawn is among them, and what is not is told of."""

from __future__ import annotations

from dataclasses import replace

import pytest

from apps.experiments import dealing
from apps.experiments.dealing import Dealer, Drawn
from apps.experiments.plans import Preset, RowSet
from apps.experiments.protocols import protocols, read
from apps.experiments.toml_values import ProtocolError
from apps.experiments.vocabulary import values_check, values_of
from natlog.fragments.systematicity import VARIANTS
from natlog.fragments.testbeds import TESTBEDS
from tests.experiments.test_protocols import SMALL

SIZES = Preset(train=60, test=20, seeds=1, pool=2000, networks=["lstm"], options={})
# What has as many values as there are rows.
OPEN = {
    "systematicity": {"sentence1", "sentence2"},
    "transitivity": {"base", "sentence1", "sentence2"},
    "sygns": {"sentence", "fol", "clf", "vf", "polarity", "tags"},
}
OPTIONS = [
    ("systematicity", {}),
    *(("systematicity", {"variant": variant}) for variant in VARIANTS[1:]),
    ("transitivity", {}),
    ("transitivity", {"frames": "forty"}),
    ("sygns", {}),
]


@pytest.mark.parametrize(("testbed", "options"), OPTIONS)
def test_whatever_is_drawn_is_among_the_values_and_no_column_is_forgotten(testbed, options):
    rows = dealing.testbed_rows(RowSet("rows", testbed, None, options, None), 2000)
    known = values_of(testbed)
    assert set(rows[0].columns) == {*known, *OPEN[testbed]}
    for column, values in known.items():
        found = {part for row in rows for part in row.columns[column].split(";")}
        assert found <= values, column


@pytest.mark.parametrize("testbed", TESTBEDS)
def test_every_value_can_be_drawn(testbed):
    drawn = [
        row
        for name, options in OPTIONS
        if name == testbed
        for row in dealing.testbed_rows(RowSet("rows", name, None, options, None), 5000)
    ]
    for column, values in values_of(testbed).items():
        assert values == {part for row in drawn for part in row.columns[column].split(";")}, column


@pytest.mark.parametrize("key", protocols())
def test_no_protocol_that_comes_along_names_a_value_that_there_is_not(key):
    values_check(protocols()[key])


@pytest.mark.parametrize(
    ("there", "instead", "said"),
    [
        (
            '"$up:2-", "no"',
            '"$up:2-", "non"',
            "small, test “other”, selection 1: no row of the set “D1” can have “non” in its column "
            "“quantifiers”; there are: a few, at least three,",
        ),
        (
            'up = ["some",',
            'up = ["sum",',
            "small, training “one”, selection 1: no row of the set “D1” can have “sum” (of the list “up”) in "
            "its column “quantifiers”",
        ),
        (
            "depth = 1 }",
            'depth = 1, where = { replacement = ["r1", "r8"] } }',
            "small, sets.D1: no row of the set “D1” can have “r8” in its column “replacement”",
        ),
    ],
)
def test_a_misspelt_value_is_told_of_with_its_set_and_column_before_anything_is_dealt(there, instead, said):
    protocol = read(SMALL.replace(there, instead, 1), "small")
    with pytest.raises(ProtocolError) as told:
        Dealer(protocol, SIZES).deal("one", 1)
    assert said in str(told.value)


def test_a_list_is_looked_at_as_a_whole_whichever_of_it_the_first_seed_takes():
    text = SMALL.replace('up = ["some", "a few"]', 'up = ["some", "a few", "severall"]')
    text = text.replace('["$up:2-", "no"]', '["no"]')
    for seed in range(1, 6):
        with pytest.raises(ProtocolError, match="“severall”"):
            Dealer(read(text, "small"), SIZES).deal("one", seed)


def test_of_a_role_the_rows_alone_tell():
    text = SMALL.replace('{ testbed = "systematicity", depth = 1 }', '{ role = "mine" }')
    text = text.replace("quantifiers = ", "part = ")
    text = text.replace('["$up:1"]', '["a", "none"]').replace('["$up:2-", "no"]', '["b", "none"]')
    rows = [Drawn(f"{n} ran", "it ran", "entailment", "", {"part": "ab"[n % 2]}) for n in range(400)]
    dealt = Dealer(read(text, "small"), replace(SIZES, train=30), lambda role: rows).deal("one", 1)
    assert {row.columns["part"] for row in dealt.train} == {"a"}
