"""Formulas, their free variables, renaming, and equality up to bound names."""

import dataclasses

import pytest
from hypothesis import given

from natlog.logic.formula import (
    Atom,
    Constant,
    Variable,
    alpha_equivalent,
    free_variables,
    rename,
)
from natlog.logic.nltk_notation import parse, to_nltk
from tests.natlog.logic.conftest import sentences


def test_a_formula_can_be_a_key_and_not_be_changed():
    atom = Atom("dog", (Constant("tom"),))
    assert {atom: 1}[Atom("dog", (Constant("tom"),))] == 1
    with pytest.raises(dataclasses.FrozenInstanceError):
        atom.predicate = "cat"


@pytest.mark.parametrize(
    ("text", "free"),
    [
        ("p(x)", {"x"}),
        ("exists x.p(x)", set()),
        ("(exists x.p(x) & q(x))", {"x"}),
        (r"\P.P(y)", {"y"}),
        ("(x = tom)", {"x"}),
    ],
)
def test_free_variables_are_those_that_nothing_binds(text, free):
    assert free_variables(parse(text)) == free


def test_renaming_numbers_binders_from_left_to_right():
    assert to_nltk(rename(parse("all y.(p(y) -> exists x.q(x,y))"))) == "all x1.(p(x1) -> exists x2.q(x2,x1))"


def test_renaming_tells_apart_what_shared_a_name():
    assert to_nltk(rename(parse("(exists x.p(x) & exists x.q(x))"))) == "(exists x1.p(x1) & exists x2.q(x2))"
    assert to_nltk(rename(parse("exists x.(p(x) & exists x.q(x))"))) == "exists x1.(p(x1) & exists x2.q(x2))"


def test_renaming_leaves_free_variables_alone_and_takes_none_of_their_names():
    assert to_nltk(rename(parse("exists y.p(y,x1)"))) == "exists x2.p(x2,x1)"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("exists x.p(x)", "exists y.p(y)", True),
        ("exists x y.p(x,y)", "exists y x.p(y,x)", True),
        ("exists x y.p(x,y)", "exists x y.p(y,x)", False),
        ("exists x.p(x,z)", "exists y.p(y,z)", True),
        ("exists x.p(x,z)", "exists z.p(z,z)", False),
        ("p(x)", "p(y)", False),
        ("exists x.exists x.p(x)", "exists x.exists y.p(x)", False),
        (r"\x.p(x)", r"\y.p(y)", True),
        ("(p & q)", "(q & p)", False),
    ],
)
def test_alpha_equivalence(one, other, same):
    assert alpha_equivalent(parse(one), parse(other)) is same
    assert alpha_equivalent(parse(other), parse(one)) is same


@given(sentences())
def test_a_renamed_formula_is_the_same_formula_and_renaming_again_changes_nothing(formula):
    renamed = rename(formula)
    assert alpha_equivalent(formula, renamed)
    assert rename(renamed) == renamed


def test_a_free_variable_is_no_constant():
    assert not alpha_equivalent(Atom("p", (Variable("tom"),)), Atom("p", (Constant("tom"),)))
