"""NLTK's, TPTP's and Prolog's notations: what is printed is read again, and what is wrong has a place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from natlog.logic import nltk_notation, prolog_notation, tptp_notation
from natlog.logic.formula import Atom, Constant, alpha_equivalent, rename
from natlog.logic.notation import NotationError
from tests.natlog.logic.conftest import rows, sentences


@given(sentences())
def test_nltk_reads_what_it_prints(formula):
    again = nltk_notation.parse_sentence(nltk_notation.to_nltk(formula))
    assert nltk_notation.to_nltk(again) == nltk_notation.to_nltk(formula)


@given(sentences())
def test_tptp_reads_what_it_prints(formula):
    assert alpha_equivalent(tptp_notation.parse_sentence(tptp_notation.to_tptp(formula)), formula)


@given(sentences())
def test_prolog_reads_what_it_prints(formula):
    assert alpha_equivalent(prolog_notation.parse_sentence(prolog_notation.to_prolog(formula)), formula)


@given(st.text(min_size=1))
def test_any_name_survives_tptp_and_prolog(name):
    atom = Atom(name, (Constant(name),))
    if any(ord(letter) < 32 for letter in name):
        return
    assert tptp_notation.parse_sentence(tptp_notation.to_tptp(atom)) == atom
    assert prolog_notation.parse_sentence(prolog_notation.to_prolog(atom)) in (atom,)


@given(st.text(alphabet="pqx()[]!?~&|=>-.,:XY '\\", max_size=30))
def test_any_text_is_a_formula_or_refused_with_a_column(text):
    for parse in (
        nltk_notation.parse,
        nltk_notation.parse_sentence,
        tptp_notation.parse_sentence,
        prolog_notation.parse_sentence,
    ):
        try:
            parse(text)
        except NotationError as error:
            assert 1 <= error.column <= len(text) + 1


@pytest.mark.parametrize(
    ("parse", "text", "column", "reason"),
    [
        (nltk_notation.parse_sentence, "all x.(p(x)", 12, "')' is wanted for the one in column 7"),
        (nltk_notation.parse_sentence, "p(tom))", 7, "a closing bracket that none opens"),
        (nltk_notation.parse_sentence, "p(x)", 3, "a free variable, x"),
        (nltk_notation.parse_sentence, r"\x.p(x)", 1, "a λ"),
        (nltk_notation.parse_sentence, "all x.x(tom)", 7, "x is a variable, no predicate"),
        (nltk_notation.parse_sentence, "(p & q)(tom)", 8, "a connective or the end is wanted"),
        (nltk_notation.parse_sentence, "(p & q) = tom", 9, "a connective or the end is wanted"),
        (nltk_notation.parse, "p # q", 3, "'#' has no meaning here"),
        (nltk_notation.parse, "p &", 4, "a formula is wanted, not the end"),
        (nltk_notation.parse, "p q", 3, "a connective or the end is wanted"),
        (nltk_notation.parse, "-" * 200 + "p", 101, "more than 100 levels deep"),
        (tptp_notation.parse_sentence, "! [X]: p(Y)", 10, "a free variable, Y"),
        (tptp_notation.parse_sentence, "p & q | r", 7, "need brackets"),
        (tptp_notation.parse_sentence, "p => q => r", 8, "need brackets"),
        (tptp_notation.parse_sentence, "![X] p(X)", 6, "':' is wanted"),
        (tptp_notation.parse_sentence, "p(f(tom))", 3, "functions are not part"),
        (prolog_notation.parse_sentence, "and(a,b", 8, "')' is wanted for the one in column 4"),
        (prolog_notation.parse_sentence, "(exists A.(p(A)) & q(A))", 22, "a free variable, A"),
    ],
)
def test_what_is_wrong_has_its_place(parse, text, column, reason):
    with pytest.raises(NotationError) as caught:
        parse(text)
    assert caught.value.column == column
    assert reason in caught.value.reason


def test_operators_bind_as_in_nltk():
    parse, show = nltk_notation.parse, nltk_notation.to_nltk
    assert show(parse("p & q | r -> s")) == "(((p & q) | r) -> s)"
    assert show(parse("exists x.p(x) & q")) == "(exists x.p(x) & q)"
    assert show(parse("-p & q")) == "(-p & q)"


def test_tptp_annotations_and_reversed_arrows_are_read():
    parse = tptp_notation.parse_sentence
    assert parse("fof(goal, conjecture, p(tom)).") == parse("p(tom)")
    assert parse("p <= q") == parse("q => p")


def test_a_free_variable_is_refused_in_print():
    open_formula = nltk_notation.parse("p(x)")
    for show in (tptp_notation.to_tptp, prolog_notation.to_prolog):
        with pytest.raises(ValueError, match="free variables: x"):
            show(open_formula)


def test_the_sygns_program_s_formulas_come_out_letter_by_letter(shared_data):
    for row in rows(shared_data / "reference" / "sygns.tsv"):
        formula = prolog_notation.parse_sentence(row["fol_prolog"])
        assert prolog_notation.to_prolog(formula) == row["fol_prolog"]
        assert nltk_notation.to_nltk(rename(formula)) == row["fol"]


def test_the_transitivity_program_s_formulas_come_out_letter_by_letter(shared_data):
    for row in rows(shared_data / "reference" / "transitivity.tsv"):
        formula = prolog_notation.parse_sentence(row["fol_s1"])
        assert prolog_notation.to_prolog(formula, functors=True) == row["fol_s1"]
        assert tptp_notation.parse_sentence(row["fol_s1_tptp"]) == formula
