"""Polarity of every token, for each operator alone and nested, and on the development halves."""

from __future__ import annotations

from pathlib import Path

import pytest

from natlog.parsing import load_parser
from natlog.polarity import mark
from natlog.polarity.scores import GoldSentence, parse_gold, score_polarity
from natlog.tree import Polarity

TABLES = [
    (
        convention,
        parse_gold(Path(__file__).with_name(name).read_text(encoding="utf-8").splitlines(), name),
    )
    for name, convention in (
        ("udep2mono.txt", "udep2mono"),
        ("default.txt", "default"),
        ("kinds.txt", "default"),
    )
]
TABLE = TABLES[0][1]


@pytest.mark.parametrize(
    ("convention", "gold"),
    [pytest.param(name, gold, id=str(gold)) for name, table in TABLES for gold in table],
)
def test_sign_of_every_token(convention: str, gold: GoldSentence) -> None:
    assert str(mark(load_parser().parse_tokens(gold.words), convention)) == str(gold)


def test_the_table_is_wide_enough() -> None:
    lines = Path(__file__).with_name("udep2mono.txt").read_text(encoding="utf-8").splitlines()
    nestings = lines[lines.index("## nestings") + 1 :]
    assert len(TABLE) >= 120
    assert sum(not line.startswith("#") for line in nestings) >= 30


@pytest.mark.parametrize(
    ("file", "tokens", "sentences"),
    [("polarity_dev_clean.txt", 0.985, 0.92), ("polarity_dev.txt", 0.88, 0.0)],
)
def test_hand_marked_development_sentences(
    shared_data: Path, file: str, tokens: float, sentences: float
) -> None:
    gold = parse_gold((shared_data / file).read_text(encoding="utf-8").splitlines(), file)
    trees = load_parser().pipe_tokens(sentence.words for sentence in gold)
    score = score_polarity(gold, [mark(tree, "udep2mono") for tree in trees])
    assert (score.tokens.fraction or 0) >= tokens
    assert (score.sentences.fraction or 0) >= sentences


@pytest.mark.parametrize(
    ("sentence", "phrase", "polarity", "operators"),
    [
        ("No dog chased every small cat.", "every small cat", "↓", ["no"]),
        ("No dog chased every small cat.", "small cat", "↑", ["no", "every"]),
        ("No dog chased every small cat.", "No dog", "↑", []),
        ("Every dog in the park barks.", "dog in the park", "↓", ["every"]),
        ("John does not like the cat.", "like the cat", "↓", ["not"]),
        ("John refused to eat a fish.", "to eat a fish", "↓", ["refuse"]),
        ("If a dog barks, John sleeps.", "a dog barks", "↓", ["if"]),
        ("Dogs chase cats.", "Dogs", "↓", ["bare-plural"]),
    ],
)
def test_sign_and_reason_of_a_constituent(
    sentence: str, phrase: str, polarity: str, operators: list[str]
) -> None:
    tree = load_parser().parse(sentence)
    marking = mark(tree)
    found = [item for item in marking.constituents if tree.span_text(item.start, item.end) == phrase]
    assert found, [tree.span_text(item.start, item.end) for item in marking.constituents]
    assert str(found[0].polarity) == polarity
    assert [step.operator for step in found[0].why] == operators


@pytest.mark.parametrize("gold", TABLE[::5], ids=str)
def test_a_sign_is_the_product_of_its_reasons(gold: GoldSentence) -> None:
    marking = mark(load_parser().parse_tokens(gold.words), "udep2mono")
    reasons = [(item.polarity, item.why) for item in marking.constituents]
    reasons += list(zip(marking.signs, marking.token_why, strict=True))
    for polarity, why in reasons:
        product = Polarity.UP
        for step in why:
            product = product * step.effect
        assert product is polarity
