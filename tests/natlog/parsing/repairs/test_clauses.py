"""What stands between a first *if* and its comma stays in that clause."""

import pytest

from natlog.parsing import load_parser
from natlog.polarity import mark


@pytest.mark.parametrize(
    "sentence",
    [
        "If you see a dog, call me.",
        "If you want peace, prepare for war.",
        "If it is sunny tomorrow, we will go on a picnic.",
        "If I'd taken the plane yesterday, I wouldn't be alive now.",
        "Unless you see a dog, stay here.",
    ],
)
def test_every_word_of_the_clause_is_in_its_scope(sentence):
    tree = load_parser().parse(sentence)
    comma = next(token.index for token in tree.tokens if token.text == ",")
    why = mark(tree, "default").token_why[1:comma]
    assert all(any(step.argument == "argument" for step in steps) for steps in why)


def test_a_clause_without_comma_is_left_as_it_was():
    tree = load_parser().parse("If it rains the dog barks.")
    assert not any("kept in the clause" in repair for repair in tree.repairs)
