"""The bootstrap over groups: wider than over single values where those of a group are alike."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from measures.agreement import krippendorff
from measures.intervals import cluster_bootstrap, nominal_alpha_interval, tally_bootstrap, wilson
from measures.undefined import Undefined


def test_where_each_value_is_its_own_group_it_is_scipy_s():
    import numpy as np
    from scipy.stats import bootstrap

    draw = random.Random(2)
    values = [float(draw.random() < 0.7) for _n in range(400)]
    low, high = cluster_bootstrap(values, range(400), seed=1, draws=4000)
    other = bootstrap((values,), np.mean, n_resamples=4000, method="percentile", rng=3).confidence_interval
    assert (low, high) == pytest.approx((other.low, other.high), abs=0.006)


def test_values_that_are_alike_within_groups_say_less():
    draw = random.Random(2)
    values = [value for _group in range(40) for value in [float(draw.random() < 0.7)] * 10]
    groups = [n // 10 for n in range(400)]
    narrow, wide = cluster_bootstrap(values, range(400), seed=1), cluster_bootstrap(values, groups, seed=1)
    assert wide[1] - wide[0] > 2 * (narrow[1] - narrow[0])


def test_names_of_groups_say_nothing_and_a_seed_draws_the_same():
    values = [1.0, 0.0, 1.0, 1.0, 0.0, 1.0]
    assert cluster_bootstrap(values, [0, 0, 1, 1, 2, 3], seed=5) == cluster_bootstrap(
        values, "xxbbca", seed=5
    )


def test_one_value_only_has_no_width_and_nothing_has_no_interval():
    assert cluster_bootstrap([1.0] * 5, "aabbc", seed=1) == (1.0, 1.0)
    assert cluster_bootstrap([], [], seed=1) is Undefined.NOTHING_OBSERVED


@settings(max_examples=200, deadline=None)
@given(some.integers(0, 500), some.integers(1, 500))
def test_wilson_s_interval_is_that_of_statsmodels(right, total):
    from statsmodels.stats.proportion import proportion_confint

    right = min(right, total)
    assert wilson(right, total) == pytest.approx(proportion_confint(right, total, method="wilson"), abs=1e-6)


def test_the_interval_of_agreement_is_that_of_drawing_items_one_by_one():
    draw = random.Random(4)
    counts = [((3, 0), 40), ((2, 1), 7), ((0, 3), 12)]
    items = [tally for tally, times in counts for _n in range(times)]
    ones = sorted(
        krippendorff([(tally, 1) for tally in draw.choices(items, k=len(items))]).value for _n in range(1500)
    )
    low, high = tally_bootstrap(counts, lambda drawn: krippendorff(drawn).value, seed=1, draws=1500)
    assert (low, high) == pytest.approx((ones[37], ones[-38]), abs=0.03)


def test_where_no_draw_has_a_figure_there_is_no_interval():
    nothing = tally_bootstrap([((3, 0), 4)], lambda drawn: krippendorff(drawn).value, seed=1)
    assert nothing is Undefined.NO_VARIATION
    assert tally_bootstrap([], lambda drawn: 1.0, seed=1) is Undefined.NOTHING_OBSERVED


@pytest.mark.parametrize(
    "counts",
    [
        [((3, 0), 40), ((2, 1), 7), ((0, 3), 12)],
        [((3, 0, 0), 5), ((1, 1, 0), 7), ((0, 0, 2), 2), ((1, 1, 2), 1)],
    ],
)
def test_the_quick_interval_of_alpha_is_the_slow_one(counts):
    slow = tally_bootstrap(counts, lambda drawn: krippendorff(drawn).value, seed=3, draws=400)
    assert nominal_alpha_interval(counts, seed=3, draws=400) == pytest.approx(slow, abs=1e-9)


def test_the_quick_interval_is_undefined_where_alpha_is():
    assert nominal_alpha_interval([((1, 0), 5)], seed=1) is Undefined.NO_OVERLAP
    assert nominal_alpha_interval([((3, 0), 5)], seed=1) is Undefined.NO_VARIATION


def test_none_and_all_have_an_end_of_exactly_0_and_1():
    assert [wilson(0, n)[0] for n in (1, 3, 7)] == [0.0, 0.0, 0.0]
    assert [wilson(n, n)[1] for n in (1, 3, 7)] == [1.0, 1.0, 1.0]
