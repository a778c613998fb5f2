"""An embedding's vote: asked only where no source knows, modest, and named in the reason."""

import pytest

from natlog.calculus import Labeller
from natlog.lexicon.embedding import CONFIDENCE, Embedding

E, N = "entailment", "non-entailment"


class Fixed:
    """An encoder that puts every phrase at the same vector, or (``apart``) the second at a right angle."""

    name = "fixed"

    def __init__(self, apart: bool = False) -> None:
        self.asked: list[str] = []
        self._apart = apart

    def vectors(self, phrases):
        self.asked += phrases
        return [[0.0, 1.0] if self._apart and number else [1.0, 0.0] for number in range(len(phrases))]


def labeller(encoder, unknown="independent"):
    return Labeller(convention="med", unknown=unknown, embedding=Embedding(encoder))


@pytest.mark.parametrize(
    ("apart", "unknown", "premise", "hypothesis", "without", "voted"),
    [
        (False, "independent", "The boy broke a cup.", "The boy broke a mug.", N, E),
        (False, "independent", "No boy broke a cup.", "No boy broke a mug.", N, E),
        (False, "specific", "The boy broke a cup.", "The boy broke a mug.", N, E),
        (True, "specific", "No boy likes bananas.", "No boy likes sociology.", E, N),
        (True, "independent", "No boy likes bananas.", "No boy likes sociology.", N, N),
    ],
)
def test_it_votes_on_words_that_no_source_relates(apart, unknown, premise, hypothesis, without, voted):
    assert Labeller(convention="med", unknown=unknown).label(premise, hypothesis).label == without
    verdict = labeller(Fixed(apart), unknown).label(premise, hypothesis)
    assert verdict.label == voted
    assert "by the embedding fixed" in verdict.reason
    assert (verdict.edits[0].word.source, verdict.edits[0].word.confidence) == ("embedding fixed", CONFIDENCE)


def test_a_vote_is_no_knowledge():
    verdict = labeller(Fixed()).label("The boy broke a cup.", "The boy broke a mug.")
    assert not verdict.edits[0].known
    assert not verdict.monotonicity
    assert verdict.confidence <= 0.25


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        ("A poodle barks.", "A dog barks."),
        ("A dog barks.", "A cat barks."),
        ("Tom sleeps.", "Bill sleeps."),
        ("He met Tom in Coventry.", "He met Tom in Liverpool."),
        ("A dog barks.", "A small dog barks."),
        ("Every dog barks.", "No dog barks."),
    ],
)
def test_it_is_not_asked_where_a_source_knows_nor_about_names(premise, hypothesis):
    encoder = Fixed()
    with_vote = labeller(encoder).label(premise, hypothesis)
    assert encoder.asked == []
    assert with_vote == Labeller(convention="med", unknown="independent").label(premise, hypothesis)
