"""The quantifier algebra: determiners compared by their truth conditions."""

import itertools

import pytest

from natlog.calculus.quantifiers import compare, number_of, quantifier
from natlog.calculus.relations import SetRelation


def relation(one, two, nouns="≡", verbs="≡", existential_import=True):
    first, second = quantifier(one), quantifier(two)
    assert first is not None
    assert second is not None
    return str(compare(first, second, SetRelation(nouns), SetRelation(verbs), existential_import))


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        ("every", "most", "⊏"),
        ("most", "some", "⊏"),
        ("every", "some", "⊏"),
        ("some", "every", "⊐"),
        ("each", "all the", "≡"),
        ("no", "some", "^"),
        ("every", "not every", "^"),
        ("every", "no", "|"),
        ("most", "no", "|"),
        ("at least 6", "at least 5", "⊏"),
        ("at least five", "more than 4", "≡"),
        ("at most 5", "at least 6", "^"),
        ("at most 4", "at least 6", "|"),
        ("at most 5", "at most 6", "⊏"),
        ("exactly 5", "at least 5", "⊏"),
        ("exactly 5", "exactly 6", "|"),
        ("every", "some but not all", "|"),
        ("some but not all", "some", "⊏"),
        ("no fewer than three", "at least 3", "≡"),
        ("all but 2", "every", "|"),
        ("many", "a few", "⊏"),
        ("few", "many", "|"),
    ],
)
def test_the_order_of_determiners(one, two, expected):
    assert relation(one, two) == expected


def test_existential_import_is_a_switch():
    assert relation("every", "some") == "⊏"
    assert relation("every", "some", existential_import=False) == "#"


@pytest.mark.parametrize(
    ("determiner", "nouns", "verbs", "expected"),
    [
        ("every", "⊐", "≡", "⊏"),  # every animal, so every dog
        ("every", "≡", "⊏", "⊏"),
        ("no", "⊐", "≡", "⊏"),
        ("no", "≡", "⊐", "⊏"),
        ("some", "⊏", "⊏", "⊏"),
        ("most", "⊏", "≡", "#"),
        ("most", "≡", "⊏", "⊏"),
        ("at most 3", "⊐", "⊐", "⊏"),
        ("exactly 3", "≡", "⊏", "#"),
        ("every", "≡", "|", "|"),
        ("some", "≡", "|", "#"),
        ("most", "≡", "|", "|"),
    ],
)
def test_monotonicity_falls_out_of_the_truth_conditions(determiner, nouns, verbs, expected):
    assert relation(determiner, determiner, nouns, verbs) == expected


def test_nouns_verbs_and_determiner_may_change_at_once():
    # at least 5 dogs waltz, so not: at most 3 animals move
    assert relation("at least 5", "at most 3", "⊏", "⊏") == "|"
    # every animal sleeps, so not: some dog doesn't sleep
    assert relation("every", "some", "⊐", "^") == "|"


@pytest.mark.parametrize(
    "names", [*itertools.combinations(["at least 7", "at most 9", "exactly 8", "more than 20"], 2)]
)
def test_large_numerals_behave_as_their_order_says(names):
    one, two = (quantifier(name) for name in names)
    found = compare(one, two, SetRelation.EQUAL, SetRelation.EQUAL, True)
    holds = [(bool(one.holds(n, 3)), bool(two.holds(n, 3))) for n in range(40)]
    assert found.entails == all(second for first, second in holds if first)
    assert found.excludes == (not any(first and second for first, second in holds))


@pytest.mark.parametrize(
    ("word", "number"), [("six", 6), ("6", 6), ("1,000", 1000), ("dogs", None), ("٣", None)]
)
def test_numerals(word, number):
    assert number_of(word) == number


def test_what_is_no_determiner_is_none():
    assert quantifier("green") is None
