"""Agreement coefficients against published worked examples and their definition; undefined is a word."""

from __future__ import annotations

import random
from itertools import permutations

import krippendorff as package
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from apps.dashboard.agreement import cohen, gwet, krippendorff, ordinal


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


# ---- Points of a scale ----------------------------------------------------------------------------

# Krippendorff 2011, section C: four raters, twelve units, values missing. Ordinal α there is 0.815; Gwet's
# AC1 of the same data is 0.775 (Gwet 2014, *Handbook of Inter-Rater Reliability*).
FOUR_RATERS = ("123321412...", "1233224125.3", ".3332342251.", "12332441251.")


def test_ordinal_alpha_and_ac1_of_the_published_example():
    assert ordinal(tallies(*FOUR_RATERS)).value == pytest.approx(0.815, abs=0.0005)
    assert krippendorff(tallies(*FOUR_RATERS)).ac1 == pytest.approx(0.775, abs=0.0005)


def test_ordinal_alpha_by_hand():
    """Units 1 2 | 2 2 | 3 3, so that n = 6 with n₁ = 1, n₂ = 3, n₃ = 2. Squared distances: δ(1,2) =
    (1 + 3 − 2)² = 4, δ(2,3) = (3 + 2 − 2.5)² = 6.25, δ(1,3) = (6 − 1.5)² = 20.25. Observed: 1–2 twice, 8.
    Expected: 2 · (3 · 4 + 6 · 6.25 + 2 · 20.25) = 180. α = 1 − 5 · 8 / 180 = 7/9."""
    found = ordinal([((1, 1, 0), 1), ((0, 2, 0), 1), ((0, 0, 2), 1)])
    assert found.value == pytest.approx(7 / 9)
    assert (found.raw, found.n) == (pytest.approx(2 / 3), 3)


def test_points_that_differ_a_little_agree_more_than_points_that_differ_much():
    near = ordinal([((1, 1, 0, 0, 0), 5), ((0, 0, 0, 1, 1), 5)])
    far = ordinal([((1, 0, 0, 0, 1), 5), ((0, 1, 0, 1, 0), 5)])
    assert near.raw == far.raw == 0.0
    assert near.value > 0.5 > 0 > far.value


def test_a_scale_without_variation_or_overlap_is_undefined():
    assert ordinal([((0, 0, 0, 0, 3), 4)]).text == "undefined (no variation), 100.0 % raw"
    assert ordinal([((0, 0, 0, 0, 1), 4)]).text == "undefined (nothing to compare)"


counts = some.lists(some.tuples(*[some.integers(0, 4)] * 5), min_size=1, max_size=12)


@settings(max_examples=150, deadline=None)
@given(counts)
def test_both_alphas_are_those_of_the_krippendorff_package(units):
    used = [unit for unit in units if sum(unit) > 1]
    given_values = {place for unit in used for place, count in enumerate(unit) if count}
    if len(given_values) < 2:  # undefined here; the package refuses or divides by nothing
        assert krippendorff([(unit, 1) for unit in units]).value is None
        assert ordinal([(unit, 1) for unit in units]).value is None
        return
    for level, ours in (("nominal", krippendorff), ("ordinal", ordinal)):
        theirs = package.alpha(
            value_counts=[list(unit) for unit in used],
            value_domain=[1, 2, 3, 4, 5],
            level_of_measurement=level,
        )
        assert ours([(unit, 1) for unit in units]).value == pytest.approx(theirs, abs=1e-9)


# ---- Where α misleads -----------------------------------------------------------------------------


def test_one_dissenter_among_nineteen_equal_answers_stands_beside_ac1_with_the_reason():
    """Ten pairs of answers, 19 of one label and one of another: α = 1 − 19 · 2 / (2 · 19) = 0. AC1: chance is
    2 · 0.95 · 0.05 = 0.095, so (0.9 − 0.095) / 0.905 = 0.89."""
    found = krippendorff([((2, 0), 9), ((1, 1), 1)])
    assert found.value == pytest.approx(0.0)
    assert found.ac1 == pytest.approx((0.9 - 0.095) / (1 - 0.095))
    assert found.text == "α 0.00 (90.0 % raw, AC1 0.89)"
    assert "nearly all are one label" in found.why


def test_where_people_differ_nothing_is_explained_away():
    assert krippendorff([((1, 1), 4), ((2, 0), 3), ((0, 2), 3)]).why == ""
    assert krippendorff([((2, 0), 9)]).why == ""
    assert krippendorff([((2, 0), 5), ((0, 2), 5)]).why == ""


def test_systematic_disagreement_is_negative():
    found = krippendorff([((1, 1), 10)])
    assert found.value == pytest.approx(1 - 19 * 20 / 200) and found.value < 0 and found.ac1 < 0


def test_ac1_is_undefined_without_two_answers_or_two_labels():
    assert gwet([((1, 0), 5), ((0, 1), 5)]) is None
    assert gwet([((3, 0), 5)]) is None
