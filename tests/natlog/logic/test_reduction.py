"""β-reduction, as a grammar uses it."""

import pytest
from hypothesis import given

from natlog.logic.formula import Apply, Lambda, alpha_equivalent, rename
from natlog.logic.nltk_notation import parse, to_nltk
from natlog.logic.reduction import reduce
from tests.natlog.logic.conftest import sentences


@pytest.mark.parametrize(
    ("term", "normal"),
    [
        (r"(\x.p(x))(tom)", "p(tom)"),
        (r"(\P Q.all x.(P(x) -> Q(x)))(\y.dog(y),\y.run(y))", "all x1.(dog(x1) -> run(x1))"),
        (r"(\P.exists x.P(x))(\y.exists x.see(y,x))", "exists x1 x2.see(x1,x2)"),
        (r"(\P x.P(P(x)))(f)", r"\x1.f(f(x1))"),
        (r"(\P.P(tom))(dog)", "dog(tom)"),
        (r"(\R.R(tom,ann))(see)", "see(tom,ann)"),
        (r"\P.P(tom)", r"\P1.P1(tom)"),
    ],
)
def test_normal_forms(term, normal):
    assert to_nltk(rename(reduce(parse(term)))) == normal


def test_nothing_is_captured():
    """(λx.∃y.p(x,y)) y: the free y stays free."""
    assert alpha_equivalent(reduce(parse(r"(\x.exists y.p(x,y))(y)")), parse("exists z.p(y,z)"))


def test_names_given_out_are_no_free_variable_s():
    assert alpha_equivalent(reduce(parse(r"(\x.all y.p(x,y))(x1)")), parse("all z.p(x1,z)"))


def test_a_meaning_used_twice_keeps_its_quantifiers_apart():
    twice = reduce(parse(r"(\P.(P(tom) & P(ann)))(\x.exists y.see(x,y))"))
    assert to_nltk(rename(twice)) == "(exists x1.see(tom,x1) & exists x2.see(ann,x2))"


@given(sentences())
def test_a_formula_is_in_normal_form_already(formula):
    assert alpha_equivalent(reduce(formula), formula)
    assert alpha_equivalent(reduce(Apply(Lambda("unused", formula), formula)), formula)
