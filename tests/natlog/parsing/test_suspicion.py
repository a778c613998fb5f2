"""Confidence: 1 for a parse as it came, less for one that was mended or that English hardly allows."""

from __future__ import annotations

import pytest

from natlog.heads import Heads
from natlog.parsing import load_parser
from natlog.parsing.draft import Draft
from natlog.parsing.suspicion import REPAIRED, SUSPICIOUS, trust


@pytest.mark.parametrize(
    ("sentence", "confidence"),
    [
        ("The dog chased a cat.", 1.0),
        ("John thinks that Mary sings.", 1.0),
        ("Whoever steals a car goes to prison.", REPAIRED),
        ("Nobody who has a car but no licence may drive a bus.", REPAIRED),
    ],
)
def test_a_mended_parse_is_trusted_less(sentence: str, confidence: float) -> None:
    assert load_parser().parse(sentence).confidence == confidence


def draft(*tokens: tuple[str, str, str, int]) -> Draft:
    words, tags, deps, heads = (list(column) for column in zip(*tokens, strict=True))
    blank = [""] * len(tokens)
    return Draft(" ".join(words), words, [0] * len(tokens), blank, blank, tags, deps, Heads(heads))


@pytest.mark.parametrize(
    "parse",
    [
        pytest.param(
            draft(("Boys", "NNS", "nsubj", 2), ("girls", "NNS", "nsubj", 2), ("sing", "VBP", "ROOT", 2)),
            id="two subjects of one verb",
        ),
        pytest.param(
            draft(("That", "IN", "mark", 2), ("John", "NNP", "nsubj", 2), ("sings", "VBZ", "ROOT", 2)),
            id="a complementizer on the main verb",
        ),
        pytest.param(
            draft(("Whoever", "WP", "nsubj", 1), ("sings", "VBZ", "ROOT", 1), ("smiles", "NNS", "dobj", 1)),
            id="a free relative on the main verb",
        ),
        pytest.param(
            draft(
                ("This", "DT", "det", 2),
                ("candy", "NN", "compound", 2),
                ("costs", "VBZ", "ROOT", 2),
                ("money", "NN", "dobj", 2),
            ),
            id="a determiner of a finite verb",
        ),
        pytest.param(
            draft(
                ("Boys", "NNS", "nsubj", 6),
                ("who", "WP", "nsubj", 2),
                ("met", "VBD", "relcl", 0),
                ("girls", "NNS", "dobj", 2),
                ("and", "CC", "cc", 0),
                ("women", "NNS", "conj", 0),
                ("sang", "VBD", "ROOT", 6),
            ),
            id="a coordination across a relative clause",
        ),
    ],
)
def test_a_reading_that_english_hardly_allows_is_suspicious(parse: Draft) -> None:
    assert trust(parse) == SUSPICIOUS
