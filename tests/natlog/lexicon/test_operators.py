"""Operators as data: every entry is well formed, and every example in it comes out as it says."""

from __future__ import annotations

import pytest

from natlog.lexicon.conventions import UnknownConvention, conventions, load_convention
from natlog.lexicon.operators import ARGUMENTS, KINDS, Operator, is_numeral, load_operators
from natlog.parsing import load_parser
from natlog.polarity import mark

OPERATORS = load_operators().operators
EXAMPLES = [(operator, example) for operator in OPERATORS for example in operator.examples]


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda operator: operator.id)
def test_every_entry_is_documented(operator: Operator) -> None:
    assert operator.kind in KINDS
    assert operator.source
    assert operator.examples
    assert operator.signs, "an operator has a sign for at least one argument"
    assert set(operator.signs) <= set(ARGUMENTS)
    assert operator.forms or operator.kind == "generic"


@pytest.mark.parametrize("operator", OPERATORS, ids=lambda operator: operator.id)
def test_signs_of_an_operators_own_words_fit_its_forms(operator: Operator) -> None:
    for form, signs in operator.words.items():
        assert form in operator.forms
        assert len(signs) == len([word for word in form if word[0] not in "+!"])


@pytest.mark.parametrize(("operator", "example"), EXAMPLES, ids=[example for _, example in EXAMPLES])
def test_every_example_is_marked_as_it_says(operator: Operator, example: str) -> None:
    words = [token[:-1] for token in example.split()]
    marking = mark(load_parser().parse_tokens(words), "default")
    assert str(marking) == example


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("at most six dogs bark", [("at-most", "at most six")]),
        ("at most two hundred and six dogs bark", [("at-most", "at most two hundred"), ("numeral", "six")]),
        ("no more than six dogs bark", [("no-more-than", "no more than six")]),
        ("a third of the dogs bark", [("proportion", "a third"), ("the", "the")]),
        ("a third dog barks", [("some", "a"), ("superlative", "third")]),
        ("three out of five dogs bark", [("proportion", "three out of five")]),
        ("some but not all dogs bark", [("some-but-not-all", "some but not all")]),
        ("dogs bark", []),
    ],
)
def test_the_longest_form_is_found(words: str, found: list[tuple[str, str]]) -> None:
    tokens = words.split()
    matches = load_operators().find(tokens)
    assert [(match.operator.id, " ".join(tokens[match.start : match.end])) for match in matches] == found


@pytest.mark.parametrize(
    ("word", "numeral"),
    [
        ("six", True),
        ("1,200", True),
        ("3.5", True),
        ("twenty-one", True),
        ("60s", False),
        ("well-one", False),
    ],
)
def test_numerals(word: str, numeral: bool) -> None:
    assert is_numeral(word) is numeral


@pytest.mark.parametrize(
    ("switch", "sentence", "expected"),
    [
        ("definite", "The dog sees a cat", {"default": "=", "med": "↑", "udep2mono": "="}),
        ("possessive", "My dog sees a cat", {"default": "=", "med": "↑", "udep2mono": "↑"}),
        ("many", "Many dogs see a cat", {"default": "↑", "med": "↑", "udep2mono": "="}),
        ("numeral", "Three dogs see a cat", {"default": "↑", "med": "↑", "udep2mono": "="}),
        ("bare-plural", "Big dogs chase a cat", {"default": "↓", "med": "↑", "udep2mono": "↓"}),
    ],
)
def test_a_switch_decides_the_sign_of_the_first_noun(
    switch: str, sentence: str, expected: dict[str, str]
) -> None:
    tree = load_parser().parse(sentence)
    assert {name: str(mark(tree, name).signs[1]) for name in conventions()} == expected, switch


def test_an_unknown_convention_is_named_with_those_there_are() -> None:
    with pytest.raises(UnknownConvention, match="default, med, udep2mono"):
        load_convention("nonesuch")


def test_every_convention_sets_every_switch() -> None:
    switches = {name: set(load_convention(name).values) for name in conventions()}
    assert len({frozenset(values) for values in switches.values()}) == 1
