"""McNemar's test, calibration and cross-entropy against SciPy, statsmodels and scikit-learn."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from measures.predictions import calibration_curve, calibration_error, cross_entropy, mcnemar
from measures.undefined import Undefined


@settings(max_examples=200, deadline=None)
@given(some.integers(0, 400), some.integers(0, 400))
def test_mcnemar_is_that_of_statsmodels(one, other):
    from statsmodels.stats.contingency_tables import mcnemar as package

    if not one + other:
        assert mcnemar(one, other) is Undefined.NOTHING_OBSERVED
        return
    assert mcnemar(one, other) == pytest.approx(package([[0, one], [other, 0]], exact=True).pvalue, abs=1e-9)


def test_many_differences_are_counted_as_few_are():
    """On both sides of where whole numbers stop."""
    assert mcnemar(240, 260) == pytest.approx(mcnemar(240, 261), abs=0.05)


@settings(max_examples=200, deadline=None)
@given(some.lists(some.tuples(some.floats(0, 1), some.integers(0, 1)), min_size=5, max_size=50))
def test_the_curve_is_that_of_scikit_learn(rows):
    from sklearn.calibration import calibration_curve as package

    said, so = zip(*rows, strict=True)
    if len(set(so)) < 2 or any(probability * 10 == int(probability * 10) for probability in said):
        return  # the package wants both; it puts what lies on an edge into the bin below
    truth, prediction = package(so, said, n_bins=10)
    found = calibration_curve(said, so)
    assert [bin.so for bin in found] == pytest.approx(truth)
    assert [bin.said for bin in found] == pytest.approx(prediction)


def test_who_says_what_is_so_is_calibrated_and_who_is_sure_of_the_opposite_is_not():
    assert calibration_error(calibration_curve([0.75] * 4, [1, 1, 1, 0])) == 0
    assert calibration_error(calibration_curve([1.0] * 4, [0] * 4)) == 1
    assert calibration_error([]) is Undefined.NOTHING_OBSERVED


def test_no_probability_is_refused():
    with pytest.raises(ValueError, match="no probability"):
        calibration_curve([1.2], [1])


def test_cross_entropy_is_least_for_the_people_s_own_shares():
    from scipy.stats import entropy

    people = {"entailment": 0.75, "neutral": 0.25}
    own = cross_entropy(people, people)
    assert own == pytest.approx(entropy([0.75, 0.25], base=2))
    assert own < cross_entropy(people, {"entailment": 0.5, "neutral": 0.5})
    assert cross_entropy(people, {"contradiction": 1.0}) == pytest.approx(19.93, abs=0.01)
