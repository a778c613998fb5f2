"""A coefficient in words; undefined is a word with its reason."""

from __future__ import annotations

import pytest
from django.utils.translation import override

from apps.comparison.agreement import alpha, kappa, ordinal_alpha


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
def test_kappa(pairs, value, text):
    found = kappa(pairs)
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
    assert alpha(tallies).text == text


def test_a_scale_without_variation_or_overlap_is_undefined():
    assert ordinal_alpha([((0, 0, 0, 0, 3), 4)]).text == "undefined (no variation), 100.0 % raw"
    assert ordinal_alpha([((0, 0, 0, 0, 1), 4)]).text == "undefined (nothing to compare)"
    assert ordinal_alpha([((1, 1, 0), 1), ((0, 0, 2), 1)]).text == "ordinal α 0.83 (50.0 % raw)"


def test_one_dissenter_among_nineteen_equal_answers_stands_beside_ac1_with_the_reason():
    found = alpha([((2, 0), 9), ((1, 1), 1)])
    assert found.ac1 == pytest.approx((0.9 - 0.095) / (1 - 0.095))
    assert found.text == "α 0.00 (90.0 % raw, AC1 0.89)"
    assert "nearly all are one label" in found.why
    with override("de"):
        assert found.text.startswith("α 0,00 (roh 90,0") and "nearly" not in found.why


def test_where_people_differ_nothing_is_explained_away():
    assert alpha([((1, 1), 4), ((2, 0), 3), ((0, 2), 3)]).why == ""
    assert alpha([((2, 0), 9)]).why == ""
    assert alpha([((2, 0), 5), ((0, 2), 5)]).why == ""


def test_systematic_disagreement_is_negative_in_both():
    found = alpha([((1, 1), 10)])
    assert found.value < 0 and found.ac1 < 0
