"""Meanings as tokens, and back."""

from __future__ import annotations

import pytest

from natlog.fragments.sygns import FORMS
from tests.workers.networks.sequences.conftest import sentences
from workers.networks.sequences.tokens import text_of, tokens_of


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("depth", [0, 2, 4])
def test_every_meaning_comes_back_to_the_letter(form, depth):
    for _, meaning in sentences(form, 200, depth=depth):
        assert text_of(form, tokens_of(form, meaning)) == meaning


def test_each_form_has_its_tokens():
    assert tokens_of("vf", "EXIST AND WHITE DOG NOT RUN") == ["EXIST", "AND", "WHITE", "DOG", "NOT", "RUN"]
    assert tokens_of("clf", "b1 REF x1 [SEP] b1 dog x1") == ["b1", "REF", "x1", "[SEP]", "b1", "dog", "x1"]
    assert tokens_of("fol", "all x1.(dog(x1) -> -run(x1))") == [
        "all", "x1", ".", "(", "dog", "(", "x1", ")", "->", "-", "run", "(", "x1", ")", ")",
    ]  # fmt: skip


def test_what_is_no_formula_keeps_its_tokens_apart():
    tokens = ["exists", "x1", "dog", "run", ".", ")", "->", "&", "all", "?"]
    assert tokens_of("fol", text_of("fol", tokens)) == tokens
