"""Relative clauses on both sides of a coordination: whose is the second noun?"""

from __future__ import annotations

import pytest

from natlog.parsing import load_parser


@pytest.mark.parametrize(
    ("sentence", "second", "first"),
    [
        ("Every boy who sang and every girl who danced got a prize.", "girl", "boy"),
        ("No student who passed and no teacher who failed complained.", "teacher", "student"),
        ("The people who left and the people who stayed agreed.", "people", "people"),
        ("Everyone who reads and anyone who writes should come.", "anyone", "Everyone"),
    ],
)
def test_a_noun_after_a_relative_clause_that_ends_in_its_verb_goes_to_the_noun_before_the_clause(
    sentence: str, second: str, first: str
) -> None:
    tokens = load_parser().parse(sentence).tokens
    noun = [token for token in tokens if token.text == second][-1]
    assert (noun.dep, tokens[noun.head].text) == ("conj", first)


@pytest.mark.parametrize(
    "sentence",
    [
        "It is unlikely that a dog barked and a cat meowed.",
        "He who has but four and spends five has no need for a wallet.",
        "Every dog that barked and every cat that the boy saw ran.",
    ],
)
def test_every_coordination_ends(sentence: str) -> None:
    assert load_parser().parse(sentence).text == sentence
