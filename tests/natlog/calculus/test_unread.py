"""A verdict that hangs on a word of unknown relation is not read; one that doesn't, is."""

from __future__ import annotations

import pytest

from natlog.calculus import Labeller


@pytest.fixture(scope="module")
def labeller() -> Labeller:
    return Labeller()


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [("A dog chased a zorb.", "A dog chased a ball."), ("No dog chased a ball.", "No dog chased a zorb.")],
)
def test_it_hangs_on_the_word(labeller: Labeller, premise: str, hypothesis: str) -> None:
    verdict = labeller.label(premise, hypothesis)
    assert not verdict.read
    assert verdict.label == "non-entailment"
    assert "zorb" in verdict.unread[0]


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        ("Dogs ran.", "..."),
        ("No dog ran.", "."),
        ("...", "Dogs ran."),
        ("Dogs ran.", "It rained"),
    ],
)
def test_of_sentences_without_a_word_in_common_none_follows(
    labeller: Labeller, premise: str, hypothesis: str
) -> None:
    verdict = labeller.label(premise, hypothesis)
    assert not verdict.read and verdict.label == "non-entailment"


def test_a_word_in_the_place_of_another_is_something_in_common(labeller: Labeller) -> None:
    verdict = labeller.label("Poodles", "Dogs")
    assert verdict.read and verdict.label == "entailment"


def test_whatever_the_word_means_the_rest_decides(labeller: Labeller) -> None:
    verdict = labeller.label("A dog chased a zorb.", "A black dog chased a ball.")
    assert verdict.read
    assert verdict.label == "non-entailment"


def test_where_unknown_words_are_presumed_specific_the_presumption_is_read() -> None:
    verdict = Labeller(convention="med").label("No dog chased a ball.", "No dog chased a zorb.")
    assert verdict.read
    assert verdict.label == "entailment"
