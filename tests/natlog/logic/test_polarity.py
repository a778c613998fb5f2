"""Polarity read off meanings, and how far two readings agree."""

import ast
import re

import pytest

from natlog.logic.nltk_notation import parse_sentence
from natlog.logic.polarity import polarity_agreement, polarity_of_formula, polarity_of_variable_free
from natlog.logic.variable_free import parse
from tests.natlog.logic.conftest import rows


def test_restrictors_and_negations_turn_the_direction():
    formula = parse_sentence("all x.(dog(x) -> -exists y.(cat(y) & see(x,y)))")
    assert polarity_of_formula(formula) == (("dog", "down"), ("cat", "down"), ("see", "down"))


def test_inside_an_equivalence_there_is_no_direction():
    assert polarity_of_formula(parse_sentence("(p <-> -q)")) == (("p", "none"), ("q", "none"))


def test_numerals_are_in_both_forms_of_meaning(shared_data):
    """The published program has them in one; without them ours is the published polarity in every row."""
    for row in rows(shared_data / "reference" / "sygns.tsv"):
        ours = polarity_of_formula(parse_sentence(row["fol"]))
        assert ours == polarity_of_variable_free(parse(row["vf"]))
        published = ast.literal_eval(row["pol_from_fol"])
        assert list(ours) == [(word, "up" if up else "down") for word, up in published]
        from_vf = re.findall(r"\[(\w+),(pos|neg)\]", row["pol_from_vf"])
        assert [(word, "up" if sign == "pos" else "down") for word, sign in from_vf] == [
            pair for pair in ours if pair[0] not in ("two", "three")
        ]


def test_gold_against_itself_is_one():
    gold = [(("dog", "up"), ("dog", "up"), ("run", "down"))]
    assert polarity_agreement(gold, gold).f == 1
    assert polarity_agreement(gold, gold, "up").f == 1


def test_a_wrong_direction_costs_precision_and_recall():
    gold = [(("dog", "down"), ("run", "up"))]
    given = [(("dog", "up"), ("run", "up"), ("dog", "up"))]
    found = polarity_agreement(given, gold)
    assert (found.precision, found.recall, found.f) == (1 / 3, 1 / 2, 2 / 5)
    assert polarity_agreement(given, gold, "down").precision is None
    with pytest.raises(ValueError, match="zip"):
        polarity_agreement(given, [])
