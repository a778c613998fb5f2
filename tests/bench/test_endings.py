"""The benchmark that every sentence ends: its grammar, what it kills, and a few hundred of its sentences."""

from __future__ import annotations

import time
from multiprocessing.connection import Connection

from bench.endings import Worker, try_all
from bench.grammar import sentences
from natlog.parsing import load_parser
from natlog.polarity import mark

FEW_HUNDRED = 300


def test_the_grammar_makes_different_sentences_the_same_for_the_same_seed() -> None:
    made = list(sentences(200, seed=1))
    assert len(set(made)) == 200
    assert made == list(sentences(200, seed=1)) != list(sentences(200, seed=2))


def test_its_sentences_hold_what_they_are_to_cross() -> None:
    text = " ".join(sentences(500)).lower()
    for phrase in (
        "who",
        "whose",
        "with whom",
        "and who",
        "but not",
        "it is unlikely that",
        "in every town,",
    ):
        assert f" {phrase} " in text


def test_a_few_hundred_end_with_a_sign_for_every_token() -> None:
    for tree in load_parser().pipe(sentences(FEW_HUNDRED, seed=3)):
        assert len(mark(tree).signs) == len(tree.tokens)


def _endless(pipe: Connection) -> None:
    """A stand-in for the process that works, for which some sentences never end, fail, or are fatal."""
    pipe.send("")
    for texts in iter(pipe.recv, None):
        if any("forever" in text for text in texts):
            time.sleep(600)
        if any("fatal" in text for text in texts):
            return
        pipe.send("wrong" if any("bad" in text for text in texts) else "")


def test_a_sentence_that_never_ends_is_killed_and_named_and_the_rest_go_on() -> None:
    texts = ["good", "forever", "bad", "fatal", "good too"]
    outcome = try_all(iter(texts), 0.2, Worker(_endless, "fork"))
    assert outcome.tried == len(texts)
    assert dict(outcome.culprits) == {
        "forever": "took longer than 0.2 s",
        "bad": "wrong",
        "fatal": "the process died",
    }
