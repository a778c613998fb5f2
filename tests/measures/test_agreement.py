"""Agreement coefficients against published worked examples and their definition; undefined is a word."""

from __future__ import annotations

import random
from collections import Counter
from itertools import permutations

import krippendorff as package
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from measures.agreement import Scale, cohen, fleiss, gwet, krippendorff, majority
from measures.undefined import Undefined


@pytest.mark.parametrize(
    ("pairs", "value", "raw", "undefined"),
    [
        ({("e", "e"): 20, ("e", "n"): 5, ("n", "e"): 10, ("n", "n"): 15}, 0.4, 0.7, None),
        ({("e", "e"): 5, ("n", "n"): 5}, 1.0, 1.0, None),
        ({("e", "n"): 5, ("n", "e"): 5}, -1.0, 0.0, None),
        ({("e", "e"): 5, ("e", "n"): 5}, 0.0, 0.5, None),
        ({("e", "e"): 9}, None, 1.0, Undefined.NO_VARIATION),
        ({}, None, None, Undefined.NO_OVERLAP),
    ],
)
def test_cohen(pairs, value, raw, undefined):
    found = cohen(pairs)
    assert found.value == (None if value is None else pytest.approx(value))
    assert (found.raw, found.undefined) == (raw, undefined)


@settings(max_examples=50, deadline=None)
@given(some.lists(some.tuples(some.sampled_from("ecn"), some.sampled_from("ecn")), min_size=2, max_size=40))
def test_kappa_is_that_of_scikit_learn(pairs):
    from sklearn.metrics import cohen_kappa_score

    found = cohen(Counter(pairs))
    if found.value is None:
        assert len({label for pair in pairs for label in pair}) == 1
        return
    ones, twos = zip(*pairs, strict=True)
    assert found.value == pytest.approx(cohen_kappa_score(ones, twos), abs=1e-9)


@pytest.mark.parametrize(
    ("tallies", "value", "raw", "undefined"),
    [
        ([((3, 0, 0), 10)], None, 1.0, Undefined.NO_VARIATION),
        ([((1, 0, 0), 10), ((0, 1, 0), 5)], None, None, Undefined.NO_OVERLAP),
        ([], None, None, Undefined.NO_OVERLAP),
        ([((3, 0, 0), 1), ((0, 3, 0), 1)], 1.0, 1.0, None),
    ],
)
def test_alpha_without_variation_or_overlap_is_undefined_and_says_why(tallies, value, raw, undefined):
    found = krippendorff(tallies)
    assert (found.value, found.raw, found.undefined) == (value, raw, undefined)


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
    assert krippendorff(tallies(*FOUR_RATERS), Scale.ORDINAL).value == pytest.approx(0.815, abs=0.0005)
    assert gwet(tallies(*FOUR_RATERS)).value == pytest.approx(0.775, abs=0.0005)


def test_ordinal_alpha_by_hand():
    """Units 1 2 | 2 2 | 3 3, so that n = 6 with n₁ = 1, n₂ = 3, n₃ = 2. Squared distances: δ(1,2) =
    (1 + 3 − 2)² = 4, δ(2,3) = (3 + 2 − 2.5)² = 6.25, δ(1,3) = (6 − 1.5)² = 20.25. Observed: 1–2 twice, 8.
    Expected: 2 · (3 · 4 + 6 · 6.25 + 2 · 20.25) = 180. α = 1 − 5 · 8 / 180 = 7/9."""
    found = krippendorff([((1, 1, 0), 1), ((0, 2, 0), 1), ((0, 0, 2), 1)], Scale.ORDINAL)
    assert found.value == pytest.approx(7 / 9)
    assert (found.raw, found.n) == (pytest.approx(2 / 3), 3)


def test_points_that_differ_a_little_agree_more_than_points_that_differ_much():
    near = krippendorff([((1, 1, 0, 0, 0), 5), ((0, 0, 0, 1, 1), 5)], Scale.ORDINAL)
    far = krippendorff([((1, 0, 0, 0, 1), 5), ((0, 1, 0, 1, 0), 5)], Scale.ORDINAL)
    assert near.raw == far.raw == 0.0
    assert near.value > 0.5 > 0 > far.value


def test_a_scale_without_variation_or_overlap_is_undefined():
    alike = krippendorff([((0, 0, 0, 0, 3), 4)], Scale.ORDINAL)
    assert (alike.value, alike.raw, alike.undefined) == (None, 1.0, Undefined.NO_VARIATION)
    alone = krippendorff([((0, 0, 0, 0, 1), 4)], Scale.ORDINAL)
    assert (alone.value, alone.raw, alone.undefined) == (None, None, Undefined.NO_OVERLAP)


counts = some.lists(some.tuples(*[some.integers(0, 4)] * 5), min_size=1, max_size=12)


@settings(max_examples=150, deadline=None)
@given(counts)
def test_all_alphas_are_those_of_the_krippendorff_package(units):
    used = [unit for unit in units if sum(unit) > 1]
    given_values = {place for unit in used for place, count in enumerate(unit) if count}
    if len(given_values) < 2:  # undefined here; the package refuses or divides by nothing
        assert krippendorff([(unit, 1) for unit in units]).value is None
        assert krippendorff([(unit, 1) for unit in units], Scale.ORDINAL).value is None
        return
    for scale in Scale:
        theirs = package.alpha(
            value_counts=[list(unit) for unit in used],
            value_domain=[1, 2, 3, 4, 5],
            level_of_measurement=scale.value,
        )
        assert krippendorff([(unit, 1) for unit in units], scale).value == pytest.approx(theirs, abs=1e-9)


# ---- Where α misleads -----------------------------------------------------------------------------


def test_one_dissenter_among_nineteen_equal_answers_is_skewed_beside_ac1():
    """Ten pairs of answers, 19 of one label and one of another: α = 1 − 19 · 2 / (2 · 19) = 0. AC1: chance is
    2 · 0.95 · 0.05 = 0.095, so (0.9 − 0.095) / 0.905 = 0.89."""
    answers = [((2, 0), 9), ((1, 1), 1)]
    assert krippendorff(answers).value == pytest.approx(0.0)
    assert gwet(answers).value == pytest.approx((0.9 - 0.095) / (1 - 0.095))
    assert krippendorff(answers).is_skewed and not gwet(answers).is_skewed


def test_where_people_differ_nothing_is_skewed():
    assert not krippendorff([((1, 1), 4), ((2, 0), 3), ((0, 2), 3)]).is_skewed
    assert not krippendorff([((2, 0), 9)]).is_skewed
    assert not krippendorff([((2, 0), 5), ((0, 2), 5)]).is_skewed


def test_systematic_disagreement_is_negative():
    found = krippendorff([((1, 1), 10)])
    assert found.value == pytest.approx(1 - 19 * 20 / 200) and found.value < 0
    assert gwet([((1, 1), 10)]).value < 0


def test_ac1_is_undefined_without_two_answers_or_two_labels():
    alone, alike = gwet([((1, 0), 5), ((0, 1), 5)]), gwet([((3, 0), 5)])
    assert (alone.value, alone.undefined) == (None, Undefined.NO_OVERLAP)
    assert (alike.value, alike.raw, alike.undefined) == (None, 1.0, Undefined.NO_VARIATION)


def test_a_majority_is_more_than_half_of_enough_answers():
    assert majority(Counter(e=2, n=1)) == "e"
    assert majority(Counter(e=2, n=2)) is None and majority(Counter(e=2, n=1, u=1)) is None
    assert majority(Counter(e=1)) is None and majority(Counter(e=1), least=1) == "e"
    assert majority(Counter()) is None and majority(Counter(), least=0) is None


def test_fleiss_of_a_published_example():
    """Fourteen raters, ten items, five labels: the worked example by which implementations are compared."""
    rows = (
        "0 0 0 0 14|0 2 6 4 2|0 0 3 5 6|0 3 9 2 0|2 2 8 1 1|7 7 0 0 0|3 2 6 3 0|2 5 3 2 2|6 5 2 1 0|0 2 2 3 7"
    )
    counts = [(tuple(map(int, row.split())), 1) for row in rows.split("|")]
    assert fleiss(counts).value == pytest.approx(0.210, abs=0.0005)


@settings(max_examples=200, deadline=None)
@given(some.lists(some.lists(some.sampled_from("ecn"), min_size=3, max_size=3), min_size=2, max_size=30))
def test_fleiss_is_that_of_statsmodels(items):
    from statsmodels.stats.inter_rater import fleiss_kappa

    table = [tuple(item.count(label) for label in "ecn") for item in items]
    found = fleiss([(row, 1) for row in table])
    if len({label for item in items for label in item}) == 1:
        assert found.undefined is Undefined.NO_VARIATION
    else:
        assert found.value == pytest.approx(fleiss_kappa(table), abs=1e-9)


@pytest.mark.parametrize(
    ("counts", "why"),
    [
        ([((2, 1), 3), ((2, 0), 1)], Undefined.UNEQUAL_RATERS),
        ([((1, 0), 3)], Undefined.NO_OVERLAP),
        ([], Undefined.NO_OVERLAP),
        ([((3, 0), 3)], Undefined.NO_VARIATION),
    ],
)
def test_fleiss_is_undefined_with_its_reason(counts, why):
    assert (fleiss(counts).value, fleiss(counts).undefined) == (None, why)
