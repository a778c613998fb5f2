"""Association against hand counts and SciPy; what never happened is undefined."""

from __future__ import annotations

from collections import Counter
from math import log2

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from measures.association import odds_ratio, overlap, pmi, z_score
from measures.undefined import Undefined

counts = some.integers(1, 500)


@settings(max_examples=50, deadline=None)
@given(counts, counts, counts, counts)
def test_the_odds_ratio_and_its_interval_are_scipy_s(a, b, c, d):
    from scipy.stats.contingency import odds_ratio as theirs

    found, other = odds_ratio(a, b, c, d), theirs([[a, b], [c, d]], kind="sample")
    interval = other.confidence_interval(confidence_level=0.95)
    assert found.value == pytest.approx(other.statistic)
    assert (found.low, found.high) == pytest.approx((interval.low, interval.high), rel=1e-6)
    assert found.low < found.value < found.high


@pytest.mark.parametrize("table", [(0, 1, 1, 1), (1, 0, 1, 1), (1, 1, 0, 1), (1, 1, 1, 0)])
def test_odds_with_an_empty_cell_are_undefined(table):
    found = odds_ratio(*table)
    assert (found.value, found.low, found.high) == (None, None, None)
    assert found.undefined is Undefined.ZERO_COUNT


def test_mutual_information_by_hand():
    """Of 8, 4 have x, 4 have y, 3 both: log₂ (3/8 · 8/4 · 8/4)."""
    assert pmi(3, 4, 4, 8) == pytest.approx(log2(1.5))
    assert pmi(2, 4, 4, 8) == 0.0
    assert pmi(0, 4, 4, 8) is Undefined.ZERO_COUNT


def test_overlap_in_both_directions():
    found = overlap(Counter("aabc"), Counter("axyz"))
    assert (found.shared, found.share, found.back, found.running) == (1, 1 / 3, 0.25, 0.5)


def test_overlap_of_nothing_is_undefined():
    found = overlap(Counter(), Counter("a"))
    assert (found.share, found.back, found.running) == (
        Undefined.NOTHING_OBSERVED,
        0.0,
        Undefined.NOTHING_OBSERVED,
    )


def test_a_reason_is_no_number():
    with pytest.raises(TypeError):
        _ = pmi(0, 4, 4, 8) < 1


def test_what_is_added_keeps_rare_words_from_leading():
    """Gururangan et al. 2018 add 100: a word seen twice, always with a label, no longer leads."""
    rare, common = (2, 2, 500, 1000), (150, 200, 500, 1000)
    assert pmi(*rare) > pmi(*common)
    assert pmi(*rare, added=100) < pmi(*common, added=100)
    assert pmi(0, 4, 4, 8, added=1) == pytest.approx(log2(1 * 12 / (6 * 6)))


@pytest.mark.parametrize(
    ("counts", "prior", "z"), [((75, 100), 0.5, 5.0), ((50, 100), 0.5, 0.0), ((0, 9), 0.5, -3.0)]
)
def test_z_scores_follow_their_definition(counts, prior, z):
    assert z_score(*counts, prior) == pytest.approx(z)


def test_a_z_score_of_nothing_or_without_variation_is_undefined():
    assert z_score(0, 0, 0.5) is Undefined.NOTHING_OBSERVED
    assert z_score(3, 3, 1.0) is Undefined.NO_VARIATION
