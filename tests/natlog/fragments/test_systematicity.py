"""The systematicity testbed: replacements, frames, ratios; every pair parses, and its label is proved."""

from collections import Counter

import pytest

from natlog.fragments import systematicity
from natlog.fragments.claims import Finding, examine
from natlog.fragments.drawing import TooFew
from natlog.fragments.grammar import load
from natlog.fragments.meanings import meaning_of_sentence
from natlog.fragments.parsing import parse_all
from natlog.logic.nltk_notation import to_nltk
from natlog.logic.prover import Prover

GRAMMAR = load("systematicity")
FUNCTION_WORDS = {
    *("no", "at", "most", "three", "less", "than", "few", "some", "least", "more", "a", "several"),
    *("that", "which", "and", "or", "in", "the", "on"),
}


@pytest.fixture(scope="module")
def items():
    return list(systematicity.draw(2000, None, 5))


@pytest.mark.parametrize(
    ("sentence", "formula"),
    [
        ("Few dogs ran.", "-exists x1.(few(x1) & dog(x1) & ran(x1))"),
        ("A few dogs ran.", "exists x1.(few(x1) & dog(x1) & ran(x1))"),
        ("Several small dogs ran.", "exists x1.(small(x1) & dog(x1) & ran(x1))"),
        (
            "At most three lions that hurt some dog which ate dinner left.",
            "-exists x1.(atmostthree(x1) & lion(x1) & exists x2.(dog(x2) & atedinner(x2) & hurt(x1,x2)) "
            "& left(x1))",
        ),
        (
            "No dog some cat kicked ran.",
            "-exists x1.(dog(x1) & exists x2.(cat(x2) & kicked(x2,x1)) & ran(x1))",
        ),
        ("Slowly, some dog ran.", "exists x1.(dog(x1) & ran(x1) & slowly(x1))"),
        ("Some tiger touched no dog.", "exists x1.(tiger(x1) & -exists x2.(dog(x2) & touched(x1,x2)))"),
    ],
)
def test_meanings_with_marks(sentence, formula):
    assert to_nltk(meaning_of_sentence(GRAMMAR, sentence).formula) == formula


def test_counting_asks_for_distinct_witnesses():
    (derivation,) = parse_all(GRAMMAR, "At least three dogs ran.")
    assert to_nltk(derivation.meaning(1)) == (
        "exists x1.(dog(x1) & ran(x1) & exists x2.(-(x2 = x1) & dog(x2) & ran(x2) & "
        "exists x3.(-(x3 = x1) & -(x3 = x2) & dog(x3) & ran(x3))))"
    )


def test_labels_and_directions_are_one_to_one_and_crossed_at_each_depth(items):
    cells = Counter((item.depth, item.upward, item.entails) for item in items)
    assert set(cells.values()) == {100}
    assert len(cells) == 20


@pytest.mark.parametrize(("depth", "combinations"), [(1, 9), (2, 81), (3, 729)])
def test_every_combination_of_quantifiers_is_there(depth, combinations):
    found = {item.quantifiers for item in systematicity.draw(combinations + 200, depth, 1)}
    assert len(found) == combinations


def test_rules_of_table_2_embedded_in_the_first_argument_alone(items):
    rules = {(item.depth > 1, item.rule, item.argument) for item in items}
    first = {("r1", "first"), ("r2", "first"), ("r3", "first"), ("r4", "first")}
    second = {("r3", "second"), ("r5", "second"), ("r6", "second"), ("r7", "second")}
    assert rules == {
        (deep, *rule) for deep in (True, False) for rule in first | second if not deep or rule in first
    }


def test_pairs_differ_and_nothing_is_said_twice_in_a_sentence(items):
    assert len({(item.premise, item.hypothesis) for item in items}) == len(items)
    for item in items:
        for sentence in (item.premise, item.hypothesis):
            words = [word for word in sentence.lower().rstrip(".").split() if word not in FUNCTION_WORDS]
            assert len(words) == len(set(words)), sentence


def test_every_sentence_is_in_the_fragment_in_one_way_with_its_depth(items):
    for item in items[::7]:
        for sentence in (item.premise, item.hypothesis):
            (derivation,) = parse_all(GRAMMAR, sentence)
            assert derivation.depth == item.depth - 1 == len(item.kinds)


@pytest.mark.parametrize("variant", systematicity.VARIANTS)
def test_labels_are_proved_with_marks(variant):
    prover = Prover()
    for item in systematicity.draw(60, None, 9, variant):
        assert item.variant == variant
        assert {examine(claim, prover) for claim in item.claims()} == {Finding.CONFIRMED}, item


def test_labels_are_proved_with_counting():
    prover = Prover()
    for item in systematicity.draw(20, 1, 9):
        assert {examine(claim, prover) for claim in item.claims("counting")} == {Finding.CONFIRMED}, item


def test_the_last_sixteenth_is_for_testing_in_equal_cells():
    found = list(systematicity.draw(640, 2, 1))
    test = Counter((item.upward, item.entails) for item in found if item.split == "test")
    assert set(test.values()) == {10}
    assert len(test) == 4


def test_a_fronted_phrase_is_not_there_twice():
    for item in systematicity.draw(200, None, 2, "fronted preposition"):
        front = item.premise.partition(",")[0].lower()
        assert item.item != front


def test_a_depth_that_a_variant_has_not_is_refused():
    with pytest.raises(TooFew, match="depth 1 alone"):
        list(systematicity.draw(10, 3, 1, "object"))
