"""Reliability without known answers: Dawid–Skene against its paper's example, MACE against its own model."""

import random
from pathlib import Path

import pytest

from measures.reliability import dawid_skene, mace
from measures.undefined import Undefined

ANAESTHETISTS = Path(__file__).parent / "anaesthetists.txt"


@pytest.fixture(scope="module")
def patients():
    lines = [line for line in ANAESTHETISTS.read_text().splitlines() if not line.startswith("#")]
    return [
        (patient, observer, label)
        for patient, line in enumerate(lines, start=1)
        for observer, labels in enumerate(line.split(), start=1)
        for label in labels
    ]


def test_the_papers_example_gives_the_papers_shares_of_classes(patients):
    """Section 4.1: .40, .42, .11 and .07 of the patients are in the classes 1 to 4."""
    assert dawid_skene(patients).prior == pytest.approx((0.40, 0.42, 0.11, 0.07), abs=0.006)


def test_the_first_observers_error_rates_are_the_papers(patients):
    """Table 2, observer 1, the classes of which there are many."""
    first = dawid_skene(patients).confusion[1]
    assert first[0] == pytest.approx([0.89, 0.11, 0.0, 0.0], abs=0.006)
    assert first[1] == pytest.approx([0.07, 0.88, 0.05, 0.0], abs=0.006)
    assert first[2] == pytest.approx([0.0, 0.34, 0.66, 0.0], abs=0.006)


def test_reliability_is_the_chance_of_the_right_label(patients):
    found = dawid_skene(patients)
    for observer, rows in found.confusion.items():
        expected = sum(
            share * row[place] for place, (share, row) in enumerate(zip(found.prior, rows, strict=True))
        )
        assert found.raters[observer] == pytest.approx(expected, abs=1e-3)


def test_a_patient_on_whom_all_agree_is_certain(patients):
    assert dawid_skene(patients).items[1]["1"] > 0.99


def test_mace_finds_the_competence_that_made_the_answers():
    """Answers drawn from MACE's own story: somebody knows with this probability, or follows a habit."""
    draw = random.Random(7)
    competence = {"a": 0.95, "b": 0.8, "c": 0.6, "d": 0.3, "e": 0.05}
    habit = {"a": 0.5, "b": 0.5, "c": 0.5, "d": 0.7, "e": 0.9}
    ratings = []
    for item in range(1500):
        truth = draw.choice("yn")
        for rater, knows in competence.items():
            guess = "y" if draw.random() < habit[rater] else "n"
            ratings.append((item, rater, truth if draw.random() < knows else guess))
    found = mace(ratings).raters
    assert found == {rater: pytest.approx(value, abs=0.06) for rater, value in competence.items()}


def test_mace_gives_the_same_twice(patients):
    assert mace(patients).raters == mace(patients).raters


@pytest.mark.parametrize("method", [dawid_skene, mace])
@pytest.mark.parametrize(
    ("ratings", "why"),
    [
        ([], Undefined.NO_OVERLAP),
        ([(1, "a", "y"), (2, "b", "n")], Undefined.NO_OVERLAP),
        ([(1, "a", "y"), (1, "b", "y"), (2, "a", "y")], Undefined.NO_VARIATION),
    ],
)
def test_what_cannot_be_compared_is_undefined_with_the_reason(method, ratings, why):
    found = method(ratings)
    assert found.undefined == why and not found.raters


@pytest.mark.parametrize("method", [dawid_skene, mace])
def test_who_always_says_the_same_is_less_reliable_than_who_agrees(method):
    draw = random.Random(1)
    ratings = []
    for item in range(200):
        truth = draw.choice("yn")
        ratings += [(item, name, truth if draw.random() < 0.9 else "y") for name in "abc"]
        ratings.append((item, "spammer", "y"))
    found = method(ratings).raters
    assert found["spammer"] < min(found[name] for name in "abc") - 0.2
