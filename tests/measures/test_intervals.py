"""The bootstrap over groups: wider than over single values where those of a group are alike."""

from __future__ import annotations

import random

import pytest

from measures.intervals import cluster_bootstrap
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
