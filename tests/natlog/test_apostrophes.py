"""Every look-alike of the apostrophe is read as the straight one, and the text stays as it came."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from natlog.apostrophes import LOOK_ALIKES, as_read, straightened
from natlog.calculus import Labeller
from natlog.parsing import load_parser
from natlog.polarity import mark
from natlog.tokens import words_of

SENTENCE = "A student didn't pass an exam."
WRITTEN = [SENTENCE.replace("'", mark_) for mark_ in LOOK_ALIKES] + [
    "A student didn 't pass an exam.",
    "A student didn ’t pass an exam.",
    "A student did n't pass an exam.",
    "A student did n´t pass an exam.",
]


@given(st.text())
def test_every_character_keeps_its_place(text: str) -> None:
    assert len(straightened(text)) == len(as_read(text)) == len(text)


@pytest.mark.parametrize("sentence", WRITTEN)
def test_a_negation_is_one_however_its_apostrophe_is_written(sentence: str) -> None:
    straight, other = (mark(load_parser().parse(text)) for text in (SENTENCE, sentence))
    assert other.signs == straight.signs
    assert [token.word for token in other.tree.tokens] == [token.word for token in straight.tree.tokens]
    assert [token.tag for token in other.tree.tokens] == [token.tag for token in straight.tree.tokens]


@pytest.mark.parametrize("sentence", WRITTEN)
def test_tokens_are_what_stands_at_their_offsets(sentence: str) -> None:
    tree = load_parser().parse(sentence)
    assert tree.text == sentence
    assert [sentence[token.start : token.end] for token in tree.tokens] == [t.text for t in tree.tokens]


@pytest.mark.parametrize("apostrophe", ["'", *LOOK_ALIKES, " '"])
def test_what_is_no_entailment_is_none_with_any_apostrophe(apostrophe: str) -> None:
    premise, hypothesis = (f"Tom doesn{apostrophe}t own a {what}" for what in ("red car", "car"))
    assert Labeller().label(premise, hypothesis).label == "non-entailment"
    assert Labeller().label(hypothesis, premise).label == "entailment"


@pytest.mark.parametrize("apostrophe", LOOK_ALIKES)
def test_the_same_sentence_with_another_apostrophe_says_the_same(apostrophe: str) -> None:
    other = f"The dog{apostrophe}s owner isn{apostrophe}t here."
    verdict = Labeller().label("The dog's owner isn't here.", other)
    assert (verdict.label, verdict.edits) == ("entailment", ())
    assert words_of(other) == ["the", "dog", "s", "owner", "is", "n't", "here"]


def test_quotation_marks_of_old_files_stay() -> None:
    assert as_read("``No dogs'' bark") == "``No dogs'' bark"
    assert as_read("`No` dog") == "'No' dog"
