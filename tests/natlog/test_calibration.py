"""Calibration: the error of confidences, what thresholds leave; a table that lies is told."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from natlog.calibration import Bin, Reach, bins, calibration_error, reach, threshold_for

TABLE = st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=40)


def test_the_error_is_the_mean_gap_of_the_bins_by_their_size():
    confidences, right = [0.95, 0.95, 0.95, 0.95, 0.55], [True, True, True, False, True]
    assert bins(confidences, right) == [Bin(1, 0.55, 1.0), Bin(4, pytest.approx(0.95), 0.75)]
    assert calibration_error(confidences, right) == pytest.approx((4 * 0.2 + 0.45) / 5)


def test_what_comes_true_as_often_as_said_has_no_error():
    assert calibration_error([0.75] * 4, [True, True, True, False]) == 0


def test_confidences_that_lie_are_far_off():
    assert calibration_error([0.9] * 10, [True] * 5 + [False] * 5) == pytest.approx(0.4)
    assert calibration_error([0.1] * 10, [True] * 9 + [False]) == pytest.approx(0.8)


@given(TABLE)
def test_the_error_lies_between_0_and_1_and_the_bins_hold_everything(table):
    confidences, right = [value for value, _ in table], [hit for _, hit in table]
    assert 0 <= calibration_error(confidences, right) <= 1
    assert sum(found.n for found in bins(confidences, right)) == len(table)


@given(TABLE, st.floats(0, 1))
def test_a_higher_threshold_leaves_no_more(table, threshold):
    confidences, right = [value for value, _ in table], [hit for _, hit in table]
    left = reach(confidences, right, threshold)
    assert left.n <= reach(confidences, right, threshold / 2).n
    assert left.n == sum(value >= threshold for value in confidences)


def test_a_threshold_is_found_for_a_precision():
    confidences, right = [0.9, 0.8, 0.8, 0.5], [True, True, False, True]
    assert threshold_for(confidences, right, 1.0) == 0.9
    assert threshold_for(confidences, right, 0.75) == 0.5
    assert threshold_for([0.9], [False], 0.5) is None


def test_of_nothing_nothing_is_said():
    assert calibration_error([], []) is None
    assert (Reach(0.5, 0, 0, 0).precision, Reach(0.5, 0, 0, 0).coverage) == (None, None)


def test_a_confidence_beyond_1_is_refused():
    with pytest.raises(ValueError, match=r"not 1\.01"):
        bins([1.01], [True])
