"""The rows that a protocol deals: what was left out stays out, and the same seed makes the same rows."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from apps.experiments.dealing import Dealer, Drawn
from apps.experiments.plans import Preset, RowSet, Selection, shares_of
from apps.experiments.protocols import protocols, read
from apps.experiments.toml_values import ProtocolError
from tests.experiments.test_protocols import SMALL

SIZES = Preset(train=300, test=60, seeds=2, pool=8000, networks=["lstm"], options={})


@cache
def dealer_of(key):
    """One a protocol, since drawing its sets takes the time."""
    protocol = protocols()[key]
    # Their tests are of as many as five selections.
    return Dealer(protocol, replace(SIZES, test=120) if protocol.forms else SIZES)


PAIRS = [key for key, protocol in protocols().items() if not protocol.roles]


@pytest.mark.parametrize("key", PAIRS)
def test_no_training_has_a_row_of_its_tests_and_labels_are_both_there(key):
    protocol = protocols()[key]
    for training in protocol.trainings:
        dealt = dealer_of(key).deal(training, seed=1)
        tested = {row.key for rows in dealt.test.values() for row in rows}
        learnt = [row.key for row in [*dealt.train, *dealt.validation]]
        assert len(learnt) == len(set(learnt)) and not tested & set(learnt)
        labels = {""} if protocol.forms else {"entailment", "non-entailment"}
        assert {row.label for row in dealt.train} == labels
        assert 10 * len(dealt.validation) >= len(dealt.train)


def test_the_same_seed_deals_the_same_rows_and_another_other_ones():
    protocol = protocols()["systematicity_replacements"]
    first, again, other = (Dealer(protocol, SIZES).deal("S1", seed) for seed in (1, 1, 2))
    assert first == again
    assert first.train != other.train


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("training", ["S1", "S2", "S3"])
def test_the_tested_combinations_of_quantifier_and_replacement_were_never_learnt(training, seed):
    dealt = dealer_of("systematicity_replacements").deal(training, seed)

    def combinations(rows):
        return {(row.columns["quantifier"], row.columns["replacement"]) for row in rows}

    learnt = combinations([*dealt.train, *dealt.validation])
    for name, rows in dealt.test.items():
        assert not learnt & combinations(rows), name
    # Each by itself was learnt (section 2.2): what is new is the combination.
    tested = combinations(dealt.test["(a) subject"])
    assert {quantifier for quantifier, _replacement in tested} <= {q for q, _r in learnt}
    assert {replacement for _quantifier, replacement in tested} <= {r for _q, r in learnt}


@pytest.mark.parametrize("training", ["S1", "S2", "S3"])
def test_embedding_quantifiers_that_are_tested_were_learnt_only_without_embedding(training):
    dealt = dealer_of("systematicity_embedding").deal(training, 1)
    embedded = {
        q for row in dealt.train if row.columns["depth"] == "2" for q in row.columns["quantifiers"].split(";")
    }
    tested = {q for row in dealt.test["D2, quantifiers left"] for q in row.columns["quantifiers"].split(";")}
    assert embedded and tested and not embedded & tested


def test_composites_are_tested_by_cell_and_never_learnt_from():
    dealt = dealer_of("transitivity_basic").deal("-B", 1)
    assert {row.columns["kind"] for row in dealt.train} == {"f(s1)-s1", "s1-s2"}
    labels = {
        cell: {row.label for row in dealt.test[cell]} for cell in ("yes-yes", "yes-unk", "unk-yes", "unk-unk")
    }
    assert labels == {
        "yes-yes": {"entailment"}, "yes-unk": {"non-entailment"},
        "unk-yes": {"non-entailment"}, "unk-unk": {"non-entailment"},
    }  # fmt: skip


def test_noise_turns_a_tenth_of_the_veridical_labels_round_and_no_other():
    dealt = dealer_of("transitivity_basic").deal("-B, 10 % label noise (II)", 1)
    rows = [*dealt.train, *dealt.validation]
    for kind, share in (("f(s1)-s1", 0.1), ("s1-s2", 0.0)):
        own = [row for row in rows if row.columns["kind"] == kind]
        wrong = sum(row.label != row.columns["gold_label"] for row in own)
        assert wrong == round(share * len(own))
    assert all(row.label == row.columns["gold_label"] for each in dealt.test.values() for row in each)


def test_a_role_is_played_by_rows_that_are_given():
    protocol = protocols()["transitivity_conditions"]
    rows = dealer_of("transitivity_random").deal("all kinds", 1).train
    asked = []

    def role_rows(role):
        asked.append(role)
        return rows

    dealt = Dealer(protocol, SIZES, role_rows).deal("-M", 1)
    assert asked == ["nli"]
    assert {row.key for row in dealt.train} <= {row.key for row in rows}


def test_of_a_role_only_those_rows_are_there_whose_columns_have_the_values_of_its_set():
    text = SMALL.replace(
        '{ testbed = "systematicity", depth = 1 }', '{ role = "mine", where = { part = ["a"] } }'
    )
    text = (
        text.replace("quantifiers = ", "part = ")
        .replace('["$up:1"]', '["a"]')
        .replace('["$up:2-", "no"]', '["a"]')
    )
    rows = [Drawn(f"{n} ran", "it ran", "entailment", "", {"part": "ab"[n % 2]}) for n in range(200)]
    dealt = Dealer(read(text, "small"), replace(SIZES, train=30, test=20), lambda role: rows).deal("one", 1)
    found = [*dealt.train, *dealt.validation, *dealt.test["other"]]
    assert {row.columns["part"] for row in found} == {"a"}


def test_a_test_has_at_most_as_many_rows_as_it_says():
    text = SMALL.replace('name = "other"\n', 'name = "other"\nmost = 25\n', 1)
    for size, rows in ((60, 25), (20, 20)):
        dealt = Dealer(read(text, "small"), replace(SIZES, test=size)).deal("one", 1)
        assert len(dealt.test["other"]) == rows


def test_what_a_selection_can_not_give_is_said():
    protocol = read(SMALL.replace('quantifiers = ["$up:1"]', 'embedding = ["center"]'), "small")
    with pytest.raises(
        ProtocolError, match="rows of selection 1, of the set “D1”: 0; 330 are wanted, 20 at least"
    ):
        Dealer(protocol, SIZES).deal("one", 1)
    unknown = read(SMALL.replace('quantifiers = ["$up:1"]', 'colour = ["red"]'), "small")
    with pytest.raises(ProtocolError, match="D1: it has no column “colour”"):
        Dealer(unknown, SIZES).deal("one", 1)
    for options, said in (({"colour": 1}, "no option “colour”"), ({}, "no testbed “arrows”")):
        bed = RowSet("D1", "arrows" if not options else "systematicity", None, options, None)
        other = replace(protocol, sets={"D1": bed})
        with pytest.raises(ProtocolError, match=said):
            Dealer(other, SIZES).deal("one", 1)


def test_of_rows_that_are_learnt_of_too_it_is_said_how_many_there_are_and_may_be_tested_on():
    text = SMALL.replace('{ testbed = "systematicity", depth = 1 }', '{ role = "mine" }')
    for where in ('["$up:1"]', '["$up:2-", "no"]'):
        text = text.replace(f", where = {{ quantifiers = {where} }}", "")
    rows = [Drawn(f"{n} ran", "it ran", "entailment", "", {}) for n in range(70)]
    said = (
        "set “D1”: 70, of which 17 can be tested on, since they are learnt of too; 60 are wanted, 20 at least"
    )
    with pytest.raises(ProtocolError, match=said):
        Dealer(read(text, "small"), SIZES, lambda role: rows).deal("one", 1)


def test_the_parts_of_a_training_are_those_of_all_its_rows():
    on = [Selection("D1", parts=1), Selection("D1", parts=2), Selection("D1", parts=2)]
    assert shares_of(on, 52) == [10, 21, 21]
