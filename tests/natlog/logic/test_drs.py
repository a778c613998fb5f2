"""DRSs, their clauses and their pictures."""

import pytest
from hypothesis import given, settings

from natlog.logic import box_pictures, clausal_form
from natlog.logic.clausal_form import ClauseError
from natlog.logic.drs import drs_of, formula_of
from natlog.logic.nltk_notation import parse_sentence, to_nltk
from natlog.logic.prolog_notation import parse_sentence as parse_prolog
from natlog.logic.prover import Prover
from tests.natlog.logic.conftest import rows, sentences


def clauses(text):
    return clausal_form.to_clauses(drs_of(parse_sentence(text)))


def test_a_universal_is_an_implication_and_an_existential_only_a_referent():
    assert clauses("all x.(dog(x) -> exists y.(cat(y) & see(x,y)))") == (
        "b1 IMP b2 b3 [SEP] b2 REF x1 [SEP] b2 dog x1 [SEP] b3 REF x2 [SEP] b3 cat x2 [SEP] b3 see x1 x2"
    )


def test_a_condition_behind_a_negation_is_in_the_box_around_it():
    """The published program writes it into the negated box."""
    assert (
        clauses("exists x.(-run(x) & dog(x))") == "b1 REF x1 [SEP] b1 NOT b2 [SEP] b2 run x1 [SEP] b1 dog x1"
    )


@settings(deadline=None, max_examples=60)
@given(sentences(depth=3))
def test_a_drs_says_what_its_formula_says(formula):
    assert Prover(seconds=1).equivalent(formula, formula_of(drs_of(formula))) != "no"


@given(sentences())
def test_clauses_are_read_as_they_were_written(formula):
    box = drs_of(formula)
    assert clausal_form.parse(clausal_form.to_clauses(box)) == box


def test_a_box_without_conditions_is_true():
    assert to_nltk(formula_of(clausal_form.parse("b1 REF x1"))) == "exists x1.(x1 = x1)"


def test_lines_comments_and_senses_are_read():
    box = clausal_form.parse('b1 REF x1   % A dog\nb1 dog "n.01" x1\n% nothing\nb1 Name x1 "tom"\n')
    assert to_nltk(formula_of(box)) == "exists x1.(dog.n.01(x1) & Name(x1,tom))"


@pytest.mark.parametrize(
    ("text", "number", "reason"),
    [
        ("", 1, "a clause is wanted"),
        ("x1 dog", 1, "a box (b1, b2, …) is wanted first"),
        ("b1 REF", 1, "at least one referent"),
        ("b1 REF x1 [SEP] b1 dog x2", 2, "a free variable, x2"),
        ("b1 NOT b2 [SEP] b2 REF x1 [SEP] b1 dog x1", 3, "a free variable, x1"),
        ("b1 NOT b2 b3", 1, "NOT takes 1, not 2"),
        ("b1 IMP b2 x1", 1, "IMP takes boxes"),
        ("b1 NOT b2 [SEP] b1 NOT b2", 2, "used by clause 1 already"),
        ("b1 REF x1 [SEP] b2 REF x2", 2, "no clause says where box b2 belongs"),
        ("b1 NOT b2 [SEP] b2 NOT b1", 1, "circle"),
        ("b1 POS b2", 1, "beyond first-order logic"),
        ("b1 REF x1 [SEP] b1 dog tom", 2, "neither a referent nor a name in quotes"),
    ],
)
def test_an_unbalanced_list_of_clauses_is_refused_with_its_place(text, number, reason):
    with pytest.raises(ClauseError) as caught:
        clausal_form.parse(text)
    assert caught.value.number == number
    assert reason in caught.value.reason


def test_the_sygns_reference_comes_out_with_each_condition_in_its_box(shared_data):
    for row in rows(shared_data / "reference" / "sygns.tsv"):
        box = drs_of(parse_prolog(row["fol_prolog"]))
        assert clausal_form.to_clauses(box) == row["clf_corrected"]
        assert clausal_form.parse(row["clf_corrected"]) == box


def test_corrected_clauses_are_equivalent_to_the_formula(shared_data):
    prover = Prover()
    for row in list(rows(shared_data / "reference" / "sygns.tsv"))[::12]:
        formula = formula_of(clausal_form.parse(row["clf_corrected"]))
        assert prover.equivalent(formula, parse_prolog(row["fol_prolog"])) == "yes"


def test_a_picture_has_its_boxes_closed():
    lines = box_pictures.to_text(drs_of(parse_sentence("all x.(dog(x) -> (run(x) | sleep(x)))"))).splitlines()
    assert len({len(line) for line in lines}) == 1
    assert "⇒" in "".join(lines)
    assert "∨" in "".join(lines)
