"""One predicate in several words, groups and pieces that say nothing, clauses that tell of a name."""

from __future__ import annotations

import pytest

from natlog.calculus import Labeller


@pytest.fixture(scope="module")
def labeller() -> Labeller:
    return Labeller()


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        ("A boy made a sketch.", "A boy sketched."),
        ("A nurse had lunch.", "A nurse ate."),
        ("A clown in a red hat danced.", "A clown wearing a red hat danced."),
        ("Some nurses danced.", "A group of nurses danced."),
        ("A cook cut some bread.", "A cook cut a piece of bread."),
        ("A cat was stroked by a boy who smiled.", "A boy stroked a cat."),
        ("The mule is being ridden by a nurse.", "A nurse is riding the mule."),
        ("No one but Tom, who was ill, slept.", "No one but Tom slept."),
        ("Nobody but Tom who was ill slept.", "Nobody but Tom slept."),
    ],
)
def test_it_says_the_same_or_less(labeller: Labeller, premise: str, hypothesis: str) -> None:
    assert labeller.label(premise, hypothesis).label == "entailment"


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        ("A boy made a sketch.", "A boy danced."),
        ("No group of nurses danced.", "No nurses danced."),
        ("A nurse danced.", "A group of nurses danced."),
        ("Nobody but Tom slept.", "Nobody but Tom who was ill slept."),
    ],
)
def test_it_says_more_or_something_else(labeller: Labeller, premise: str, hypothesis: str) -> None:
    assert labeller.label(premise, hypothesis).label != "entailment"
