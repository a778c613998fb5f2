"""An attribute said in another way is no change; what only looks like it is one."""

from __future__ import annotations

import pytest

from natlog.calculus import Labeller

SAME = [
    ("A dog sat on a snowy bench.", "A dog sat on a bench covered by snow."),
    ("She bought a statue made of marble.", "She bought a marble statue."),
    ("A man with no shoes ran.", "A shoeless man ran."),
    ("He sells machines for sewing.", "He sells sewing machines."),
    ("The cook carefully stirred the soup.", "The cook stirred the soup carefully."),
]

OTHER = [
    ("She bought a statue made of marble.", "She bought a bronze statue."),
    ("A man with shoes ran.", "A shoeless man ran."),
    ("He sells machines for sewing.", "He sells mowing machines."),
]


@pytest.fixture(scope="module")
def labeller() -> Labeller:
    return Labeller()


@pytest.mark.parametrize(("premise", "hypothesis"), SAME)
def test_the_same_attribute_either_way(labeller: Labeller, premise: str, hypothesis: str) -> None:
    for pair in ((premise, hypothesis), (hypothesis, premise)):
        assert labeller.label(*pair).label == "entailment", pair


@pytest.mark.parametrize(("premise", "hypothesis"), OTHER)
def test_another_attribute_is_no_paraphrase(labeller: Labeller, premise: str, hypothesis: str) -> None:
    for pair in ((premise, hypothesis), (hypothesis, premise)):
        assert labeller.label(*pair).label != "entailment", pair
