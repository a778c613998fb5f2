"""Pairs that SyGNS's sentences license."""

import pytest

from natlog.fragments import licensed
from natlog.fragments.grammar import load
from natlog.fragments.parsing import parse, parse_all
from natlog.logic.prover import Prover

GRAMMAR = load("sygns")


def kinds(sentence):
    return {(kind, node.text) for kind, node in licensed.shortened(GRAMMAR, parse(GRAMMAR, sentence))}


def test_a_modifier_a_clause_or_a_verb_is_left_out():
    assert kinds("a small dog slept slowly") == {
        ("adjective", "a dog slept slowly"),
        ("adverb", "a small dog slept"),
    }
    assert kinds("two cats that ran or laughed did not sleep") == {
        ("relative", "two cats did not sleep"),
        ("disjunction", "two cats that ran did not sleep"),
    }
    assert kinds("ann did not sleep") == set()


def test_drawn_pairs_are_in_the_fragment_and_one_way_or_the_other_follows():
    prover, pairs = Prover(), list(licensed.draw(60, 3))
    for pair in pairs:
        for text in pair.texts:
            assert len(parse_all(GRAMMAR, text)) == 1
        answers = [
            proof.answer for proof in prover.both_ways(pair.premise.meaning(), pair.hypothesis.meaning())
        ]
        assert "unknown" not in answers
        assert "yes" in answers
    assert {pair.premise.depth for pair in pairs} >= {0, 1, 2, 3}


@pytest.mark.parametrize(
    ("longer", "kind", "labels"),
    [
        ("every small dog did not run", "adjective", ["neutral", "entailment"]),
        ("all foxes ran slowly", "adverb", ["entailment", "neutral"]),
        ("two birds that ann loved slept", "relative", ["entailment", "neutral"]),
        ("one cat slept or smiled", "disjunction", ["neutral", "entailment"]),
        ("one cat slept and smiled", "conjunction", ["entailment", "neutral"]),
    ],
)
def test_a_pair_in_both_orders_has_its_labels_proved(longer, kind, labels):
    pairs = list(licensed.pairs_of(parse(GRAMMAR, longer)))
    assert [pair.kind for pair in pairs] == [kind, kind]
    assert [pair.premise.text == longer for pair in pairs] == [True, False]
    assert [pair.label(Prover()) for pair in pairs] == labels


def test_what_a_prover_can_not_decide_has_no_label():
    class Undecided:
        def prove(self, *_formulas):
            return type("Proof", (), {"answer": "unknown"})

    pair = next(licensed.pairs_of(parse(GRAMMAR, "one small cat slept")))
    assert pair.label(Undecided()) == ""
