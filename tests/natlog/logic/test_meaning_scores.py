"""Measures of given meanings: the paper's examples, and counts made by hand."""

from __future__ import annotations

import pytest

from natlog.logic.meaning_scores import Proved, compared, scores
from natlog.logic.polarity import PolarityAgreement
from natlog.logic.prover import Prover

PROVER = Prover(seconds=2)

# SyGNS, Table 7: every wild cat escaped and ran.
WILD = "all x1.((cat(x1) & wild(x1)) -> (escape(x1) & run(x1)))"
WITHOUT_WILD = "all x1.(cat(x1) -> (escape(x1) & run(x1)))"
WILD_AFTER = "all x1.(cat(x1) -> (wild(x1) & escape(x1) & run(x1)))"

# Table 18: all lions that did not follow two bears that chased three monkeys did not cry.
GOLD = (
    "b1 IMP b2 b4 [SEP] b2 REF x1 [SEP] b2 lion x1 [SEP] b2 NOT b3 [SEP] b3 REF x2 [SEP] b3 REF x3 [SEP] "
    "b3 two x2 [SEP] b3 bear x2 [SEP] b3 three x3 [SEP] b3 monkey x3 [SEP] b3 chase x3 x2 [SEP] "
    "b3 follow x2 x1 [SEP] b4 NOT b5 [SEP] b5 cry x1"
)
TRANSFORMER = (
    "b1 IMP b2 b3 [SEP] b2 REF x1 [SEP] b2 lion x1 [SEP] b2 NOT b3 [SEP] b3 REF x2 [SEP] b3 two x2 [SEP] "
    "b3 monkey x2 [SEP] b3 follow x2 x1 [SEP] b3 REF x3 [SEP] b3 john x3 [SEP] b3 chase x1 x3"
)


def test_the_errors_of_table_7_are_proved_one_way():
    """Without *wild* the prediction says more than the gold formula; with it behind the arrow, too."""
    for given in (WITHOUT_WILD, WILD_AFTER):
        found = compared("fol", given, WILD, PROVER)
        assert (found.exact, found.fault) == (False, "")
        assert (found.gold_entails, found.entails_gold, found.equivalent) == ("no", "yes", "no")


def test_polarities_of_table_7_by_direction():
    """Gold: cat↓ wild↓ escape↑ run↑; the Transformer's *wild* is ↑."""
    found = scores([compared("fol", WITHOUT_WILD, WILD), compared("fol", WILD_AFTER, WILD)])
    assert found.upward == PolarityAgreement(right=4, given=5, gold=4)
    assert found.downward == PolarityAgreement(right=2, given=2, gold=4)
    assert (found.upward.precision, found.upward.recall) == (0.8, 1.0)
    assert found.downward.f == pytest.approx(2 / 3)
    assert found.gold_entails is found.clauses is None


def test_order_and_names_of_variables_cost_exact_match_and_nothing_else():
    gold = "exists x1.(white(x1) & dog(x1) & -run(x1))"  # (2)
    found = compared("fol", "exists x7.(dog(x7) & -run(x7) & white(x7))", gold, PROVER)
    assert not found.exact
    assert found.equivalent == "yes"
    assert scores([found]).upward == PolarityAgreement(2, 2, 2)


@pytest.mark.parametrize(
    ("form", "given", "gold"),
    [
        ("fol", "exists x1.(dog(x1) &", "exists x1.(dog(x1) & run(x1))"),
        ("fol", "exists x1.(dog(x1) & run(x2))", "exists x1.(dog(x1) & run(x1))"),
        ("fol", "", "exists x1.(dog(x1) & run(x1))"),
        ("vf", "EXIST DOG", "EXIST DOG RUN"),
        ("vf", "EXIST DOG RUN RUN", "EXIST DOG RUN"),
        ("clf", "b1 REF", "b1 REF x1 [SEP] b1 dog x1 [SEP] b1 run x1"),
        ("clf", "b1 dog x1", "b1 REF x1 [SEP] b1 dog x1 [SEP] b1 run x1"),
        ("clf", "", "b1 REF x1 [SEP] b1 dog x1 [SEP] b1 run x1"),
    ],
)
def test_what_is_no_meaning_is_wrong_in_every_measure_and_counted_apart(form, given, gold):
    found = scores([compared(form, given, gold, PROVER), compared(form, gold, gold, PROVER)])
    assert (found.rows, found.exact, found.faulty) == (2, 1, 1)
    if form == "fol":
        assert found.gold_entails == found.entails_gold == found.equivalent == Proved(2, 1, 0)
    if form == "clf":
        assert (found.clauses.matched, found.clauses.given, found.clauses.gold) == (2, 3, 4)
    else:
        assert found.upward == PolarityAgreement(right=2, given=2, gold=4)


def test_a_contradiction_entails_the_gold_formula_and_does_not_follow():
    found = compared("fol", "exists x1.(dog(x1) & -dog(x1))", "exists x1.(dog(x1) & run(x1))", PROVER)
    assert (found.gold_entails, found.entails_gold) == ("no", "yes")


def test_a_predicate_with_another_number_of_terms_is_another_predicate():
    found = compared("fol", "exists x1.(dog(x1) & run(x1,x1))", "exists x1.(dog(x1) & run(x1))", PROVER)
    assert (found.gold_entails, found.entails_gold) == ("no", "no")


def test_what_the_time_did_not_suffice_for_is_said(monkeypatch):
    from natlog.logic.decision import Decision

    prover = Prover(seconds=2)
    for engine in prover._engines:
        monkeypatch.setattr(engine, "decide", lambda *_: Decision("unknown"))
    found = scores([compared("fol", WILD_AFTER, WILD, prover)])
    assert found.equivalent == found.gold_entails == Proved(rows=1, yes=0, unknown=1)


def test_variable_free_forms_have_polarities_too():
    """(5b) against a form whose universal became a numeral."""
    found = scores([compared("vf", "TWO AND CAT SMALL EXIST BOB CHASE", "ALL AND CAT SMALL EXIST BOB CHASE")])
    assert found.upward == PolarityAgreement(right=2, given=5, gold=2)
    assert found.downward == PolarityAgreement(right=0, given=0, gold=2)
    assert found.equivalent is None


def test_clauses_of_table_18():
    """The Transformer's *lion*, NOT, *two* and *follow*, 4 of its 8 clauses and of the gold 11 (REF clauses
    that another repeats don't count): F = 8/19. IMP fails, since its second box is the negated one."""
    found = compared("clf", TRANSFORMER, GOLD)
    assert (found.clauses.matched, found.clauses.given, found.clauses.gold) == (4, 8, 11)
    assert found.clauses.f == pytest.approx(0.42, abs=0.005)


def test_the_grus_clauses_of_table_18_come_to_more_than_is_printed():
    """*lion*, NOT, *two*, *bear*, *three*: 5 of 10 and of 11, F = 10/21 = .476; the table has .45."""
    given = (
        "b1 IMP b2 b3 [SEP] b2 REF x1 [SEP] b2 lion x1 [SEP] b2 NOT b3 [SEP] b3 REF x2 [SEP] b3 two x2 [SEP] "
        "b3 bear x2 [SEP] b3 follow x2 x2 [SEP] b3 REF x3 [SEP] b3 three x3 [SEP] b4 monkey x3 [SEP] "
        "b4 like x3 x2 [SEP] b4 like x1 x2"
    )
    found = compared("clf", given, GOLD)
    assert (found.clauses.matched, found.clauses.given, found.clauses.gold) == (5, 10, 11)


def test_the_order_of_clauses_and_names_of_boxes_cost_nothing_by_clauses():
    found = compared(
        "clf",
        "b1 REF x1 [SEP] b1 NOT b9 [SEP] b9 run x1 [SEP] b1 dog x1 [SEP] b1 white x1",
        "b1 REF x1 [SEP] b1 white x1 [SEP] b1 dog x1 [SEP] b1 NOT b2 [SEP] b2 run x1",  # (3b)
    )
    assert not found.exact
    assert found.clauses.f == 1.0


def test_a_gold_meaning_that_is_none_is_refused():
    for form in ("fol", "vf", "clf"):
        with pytest.raises(ValueError, match=r"column|line"):
            compared(form, "anything", "( [SEP] x", PROVER)


def test_of_no_rows_there_are_no_scores():
    found = scores([])
    assert (found.rows, found.exact, found.upward, found.clauses, found.equivalent) == (
        0,
        0,
        None,
        None,
        None,
    )
