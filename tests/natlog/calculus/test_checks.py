"""Checks on what annotators write, and on swapping (MED, section 3.1.3)."""

import pytest

from natlog.calculus import Labeller, check_replacement, swappable
from natlog.calculus.checks import check_hypothesis


@pytest.fixture(scope="module")
def labeller():
    return Labeller(convention="med")


def codes(labeller, sentence, blank, replacement):
    marking = labeller.markings([sentence])[sentence]
    start = sentence.index(blank)
    found = check_replacement(marking, start, start + len(blank), replacement, labeller=labeller)
    assert all(finding.message.endswith(".") for finding in found)
    return [finding.code for finding in found]


@pytest.mark.parametrize(
    ("sentence", "blank", "replacement", "expected"),
    [
        ("Tom is no longer a child.", "child", "small child", []),
        ("Tom is no longer a child.", "child", "toddler", []),
        ("Tom is no longer a child.", "child", "kid", ["synonym"]),
        ("Tom is no longer a child.", "child", "child", ["unchanged"]),
        ("Tom is no longer a child.", "child", "  ", ["empty"]),
        ("He saw a poodle.", "poodle", "dog", ["more-general"]),
        (
            "The moon has no atmosphere",
            "atmosphere",
            "atmosphere, and the gravity is low",
            ["not-a-constituent"],
        ),
    ],
)
def test_findings(labeller, sentence, blank, replacement, expected):
    assert codes(labeller, sentence, blank, replacement) == expected


def test_a_change_outside_the_blank_is_found(labeller):
    sentence = "No dog barks."
    marking = labeller.markings([sentence])[sentence]
    found = check_hypothesis(marking, 3, 6, "Every small dog barks.", labeller=labeller)
    assert [finding.code for finding in found] == ["changed-outside-blank"]


def test_offsets_are_code_points(labeller):
    assert codes(labeller, "No 😀 fan saw a dog.", "dog", "small dog") == []


@pytest.mark.parametrize(("start", "end"), [(5, 5), (-1, 2), (3, 99)])
def test_a_span_that_is_none_is_refused(labeller, start, end):
    marking = labeller.markings(["No dog barks."])["No dog barks."]
    with pytest.raises(ValueError, match="no span"):
        check_replacement(marking, start, end, "cat", labeller=labeller)


@pytest.mark.parametrize(
    ("premise", "hypothesis", "expected", "reason"),
    [
        ("Every dog barks.", "Every small dog barks.", True, "one constituent"),
        ("Tom is no longer a child.", "Tom is no longer a kid.", False, "synonym"),
        (
            "The moon has no atmosphere.",
            "The moon has no atmosphere, and the gravity is low.",
            False,
            "constituent",
        ),
        ("It rains.", "It rains.", False, "same"),
    ],
)
def test_what_may_be_swapped(labeller, premise, hypothesis, expected, reason):
    may, why = swappable(premise, hypothesis, labeller.label(premise, hypothesis))
    assert may is expected
    assert reason in why
