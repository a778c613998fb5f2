"""Variable-free formulas in Polish notation."""

import pytest

from natlog.logic.formula import rename
from natlog.logic.nltk_notation import parse_sentence, to_nltk
from natlog.logic.notation import NotationError
from natlog.logic.prolog_notation import parse_sentence as parse_prolog
from natlog.logic.variable_free import NoVariableFreeForm, formula_of, parse, variable_free_of
from tests.natlog.logic.conftest import rows


@pytest.mark.parametrize(
    ("vf", "formula"),
    [
        ("ALL DOG RUN", "all x1.(dog(x1) -> run(x1))"),
        ("TWO DOG NOT RUN", "exists x1.(two(x1) & dog(x1) & -run(x1))"),
        ("ALL DOG EXIST CAT SEE", "all x1.(dog(x1) -> exists x2.(cat(x2) & see(x1,x2)))"),
        ("EXIST AND DOG ALL CAT INV SEE RUN", None),
    ],
)
def test_the_form_and_its_formula(vf, formula):
    assert str(parse(vf)) == vf
    found = formula_of(parse(vf))
    assert str(variable_free_of(found)) == vf
    if formula:
        assert to_nltk(found) == formula


@pytest.mark.parametrize(
    ("text", "column", "reason"),
    [
        ("ALL DOG", 8, "a part is wanted"),
        ("DOG RUN", 5, "complete before 'RUN'"),
        ("ALL dog RUN", 5, "not in capitals"),
        ("", 1, "a part is wanted"),
    ],
)
def test_what_is_wrong_has_its_place(text, column, reason):
    with pytest.raises(NotationError) as caught:
        parse(text)
    assert caught.value.column == column
    assert reason in caught.value.reason


@pytest.mark.parametrize("text", ["DOG", "ALL INV DOG RUN", "ALL DOG EXIST CAT EXIST CAT SEE"])
def test_a_form_that_says_nothing_of_individuals_has_no_formula(text):
    with pytest.raises(NoVariableFreeForm):
        formula_of(parse(text))


@pytest.mark.parametrize("text", ["dog(tom)", "exists x.dog(x)", "all x.all y.see(x,y)", "(p <-> q)"])
def test_a_formula_outside_the_shapes_has_no_form(text):
    with pytest.raises(NoVariableFreeForm):
        variable_free_of(parse_sentence(text))


def test_the_sygns_reference_comes_out_both_ways(shared_data):
    for row in rows(shared_data / "reference" / "sygns.tsv"):
        assert str(variable_free_of(parse_prolog(row["fol_prolog"]))) == row["vf"]
        assert to_nltk(rename(formula_of(parse(row["vf"])))) == row["fol"]
