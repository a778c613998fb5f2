"""Agreement coefficients against published worked examples and their definition; undefined is a word."""

from __future__ import annotations

import random
from itertools import permutations

import pytest

from apps.dashboard.agreement import cohen, krippendorff


@pytest.mark.parametrize(
    ("pairs", "value", "text"),
    [
        ({("e", "e"): 20, ("e", "n"): 5, ("n", "e"): 10, ("n", "n"): 15}, 0.4, "κ 0.40 (70.0 % raw)"),
        ({("e", "e"): 5, ("n", "n"): 5}, 1.0, "κ 1.00 (100.0 % raw)"),
        ({("e", "n"): 5, ("n", "e"): 5}, -1.0, "κ -1.00 (0.0 % raw)"),
        ({("e", "e"): 5, ("e", "n"): 5}, 0.0, "κ 0.00 (50.0 % raw)"),
        ({("e", "e"): 9}, None, "undefined (no variation), 100.0 % raw"),
        ({}, None, "undefined (nothing to compare)"),
    ],
)
def test_cohen(pairs, value, text):
    found = cohen(pairs)
    assert found.value == (None if value is None else pytest.approx(value))
    assert found.text == text


@pytest.mark.parametrize(
    ("tallies", "text"),
    [
        ([((3, 0, 0), 10)], "undefined (no variation), 100.0 % raw"),
        ([((1, 0, 0), 10), ((0, 1, 0), 5)], "undefined (nothing to compare)"),
        ([], "undefined (nothing to compare)"),
        ([((3, 0, 0), 1), ((0, 3, 0), 1)], "α 1.00 (100.0 % raw, AC1 1.00)"),
    ],
)
def test_alpha_without_variation_or_overlap_is_undefined_and_says_why(tallies, text):
    assert krippendorff(tallies).text == text


def tallies(*raters: str) -> list[tuple[tuple[int, ...], int]]:
    """From a string a rater, a character an item, to counts an item; a dot is a missing value."""
    return [(tuple(unit.count(label) for label in "012345"), 1) for unit in zip(*raters, strict=True)]


@pytest.mark.parametrize(
    ("raters", "alpha"),
    [
        # Krippendorff 2011, Computing Krippendorff's Alpha-Reliability: sections A (binary) and C (nominal).
        (["0100000010", "1110010000"], 0.095),
        (["123321412...", "1233224125.3", ".3332342251.", "12332441251."], 0.743),
    ],
)
def test_alpha_of_the_published_examples(raters, alpha):
    assert krippendorff(tallies(*raters)).value == pytest.approx(alpha, abs=0.0005)


@pytest.mark.parametrize("number", range(2, 8))
def test_alpha_follows_its_definition_with_values_missing(number):
    chance = random.Random(number)
    raters = ["".join(chance.choice("0012.") for _unit in range(40)) for _rater in range(number)]
    units = [[v for v in unit if v != "."] for unit in zip(*raters, strict=True)]
    units = [unit for unit in units if len(unit) > 1]
    values = [value for unit in units for value in unit]
    within = sum(
        sum(one != two for one, two in permutations(unit, 2)) / (len(unit) - 1) for unit in units
    ) / len(values)
    by_chance = sum(one != two for one, two in permutations(values, 2)) / (len(values) * (len(values) - 1))
    assert krippendorff(tallies(*raters)).value == pytest.approx(1 - within / by_chance)


def test_alpha_counts_equal_tallies_at_once():
    apart = krippendorff([((2, 1, 0), 1), ((0, 3, 0), 1), ((2, 1, 0), 1)])
    assert krippendorff([((2, 1, 0), 2), ((0, 3, 0), 1)]) == apart
