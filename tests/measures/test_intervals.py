"""The bootstrap over groups: wider than over single values where those of a group are alike."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from measures.agreement import cohen, krippendorff
from measures.intervals import (
    cluster_bootstrap,
    cohen_interval,
    nominal_alpha_interval,
    tally_bootstrap,
    wilson,
)
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


TABLES = [
    {("e", "e"): 40, ("e", "n"): 12, ("n", "e"): 9, ("n", "n"): 39},
    {("e", "e"): 300, ("c", "c"): 60, ("n", "n"): 90, ("e", "n"): 30, ("n", "e"): 55, ("n", "c"): 20},
]


@pytest.mark.parametrize("counts", TABLES)
def test_the_interval_of_kappa_is_that_of_scikit_learn_s_kappa_on_items_drawn_one_by_one(counts):
    import numpy as np
    from sklearn.metrics import cohen_kappa_score

    items = np.array([cell for cell, times in counts.items() for _n in range(times)])
    draw = np.random.default_rng(7)
    drawn = (items[draw.integers(0, len(items), len(items))] for _draw in range(1500))
    ends = np.percentile([cohen_kappa_score(one[:, 0], one[:, 1]) for one in drawn], [2.5, 97.5])
    assert cohen_interval(counts, seed=1, draws=4000) == pytest.approx(tuple(ends), abs=0.02)


@pytest.mark.parametrize("counts", TABLES)
def test_the_interval_of_kappa_is_about_that_of_statsmodels_standard_error(counts):
    """Fleiss, Cohen and Everitt (1969): exact for many items, so there are a hundred times as many here."""
    import numpy as np
    from statsmodels.stats.inter_rater import cohens_kappa

    labels = sorted({label for cell in counts for label in cell})
    many = {cell: 100 * times for cell, times in counts.items()}
    table = np.array([[many.get((one, two), 0) for two in labels] for one in labels])
    found = cohens_kappa(table)
    assert found.kappa == pytest.approx(cohen(many).value)
    assert cohen_interval(many, seed=1, draws=4000) == pytest.approx(
        (found.kappa_low, found.kappa_upp), abs=0.15 * (found.kappa_upp - found.kappa_low)
    )


def test_the_interval_of_kappa_hangs_on_the_counts_alone():
    counts = TABLES[1]
    turned = dict(reversed([*counts.items(), (("c", "e"), 0)]))
    assert cohen_interval(turned, seed=1) == cohen_interval(counts, seed=1)
    assert cohen_interval(counts, seed=2) != cohen_interval(counts, seed=1)


def test_the_interval_of_kappa_is_undefined_where_kappa_is_and_has_no_width_where_all_are_equal():
    assert cohen_interval({}, seed=1) is Undefined.NO_OVERLAP
    assert cohen_interval({("e", "e"): 9}, seed=1) is Undefined.NO_VARIATION
    assert cohen_interval({("e", "e"): 50, ("n", "n"): 50}, seed=1) == (1.0, 1.0)
