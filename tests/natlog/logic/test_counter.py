"""COUNTER: clauses that two DRSs have in common."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from natlog.logic.clausal_form import to_clauses
from natlog.logic.clause_files import ClauseFileError, counted, faults, parse_clause_lists
from natlog.logic.counter import compare, total
from natlog.logic.drs import drs_of
from tests.natlog.logic.conftest import rows, sentences


def clauses(text):
    return parse_clause_lists([text])[0].clauses


DOG_RUNS = clauses("b1 REF x1 [SEP] b1 dog x1 [SEP] b1 run x1")


@given(sentences())
def test_a_drs_matches_itself_wholly_whatever_its_variables_are_called(formula):
    same = clauses(to_clauses(drs_of(formula)))
    other = clauses(to_clauses(drs_of(formula)).replace("x", "y").replace("b", "k"))
    score = compare(same, other, check=False).score
    assert score.matched == score.given == score.gold


def test_matched_and_unmatched_clauses_are_shown():
    match = compare(clauses("b1 REF x1 [SEP] b1 dog x1 [SEP] b1 sleep x1"), DOG_RUNS)
    assert match.matched == ((("b1", "dog", "x1"), ("b1", "dog", "x1")),)
    assert match.only_given == (("b1", "sleep", "x1"),)
    assert match.only_gold == (("b1", "run", "x1"),)
    assert (match.score.precision, match.score.recall, match.score.f) == (0.5, 0.5, 0.5)


def test_boxes_are_mapped_to_boxes_and_one_variable_to_one():
    one = clauses("b1 REF x1 [SEP] b1 REF x2 [SEP] b1 see x1 x2")
    other = clauses("b1 REF x1 [SEP] b1 see x1 x1")
    assert compare(one, other).score.matched == 0


def test_references_that_a_clause_repeats_are_not_counted_unless_asked():
    assert len(counted(DOG_RUNS)) == 2
    assert len(counted(DOG_RUNS, keep_references=True)) == 3
    assert counted(clauses("b1 REF x1 [SEP] b1 NOT b2 [SEP] b2 dog x1"))[0] == ("b1", "REF", "x1")


def test_a_drs_that_is_none_counts_as_one_clause_unless_it_is_to_be_scored():
    ill = clauses("b1 dog x1 [SEP] b1 run x1")
    assert faults(ill) == ["x1 has no REF clause"]
    assert compare(ill, DOG_RUNS).score == compare(ill, DOG_RUNS, check=True).score
    assert (compare(ill, DOG_RUNS).score.matched, compare(ill, DOG_RUNS).score.given) == (0, 1)
    assert compare(ill, DOG_RUNS, check=False).score.matched == 2


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("b1 REF x1 [SEP] b2 REF x2", "a box has no tie to the others"),
        ("b1 NOT b2 [SEP] b2 NOT b1", "the boxes are in a circle"),
    ],
)
def test_what_makes_no_drs(text, fault):
    assert fault in faults(clauses(text))


def test_files_have_an_empty_line_between_drss_and_comments_behind_percent_signs():
    found = parse_clause_lists(
        ["% a", 'b1 Name x1 "50 % off" % c', "", "", "% only a comment", "", "b1 REF x1"]
    )
    assert [(drs.line, len(drs.clauses)) for drs in found] == [(1, 1), (5, 0), (7, 1)]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("dog x1 x2", "line 1, column 1: a box"),
        ("b1 REF", "line 1: a clause has three or four parts, not 2"),
        ('b1 Name x1 "tom', "line 1, column 12: a quotation mark"),
    ],
)
def test_a_line_that_is_no_clause_is_refused_with_its_place(line, reason):
    with pytest.raises(ClauseFileError, match=reason):
        parse_clause_lists([line])


def best(ours, theirs):
    """The most clauses that any one-to-one map makes the same: every map tried."""
    boxes = [sorted({t for c in side for t in c if t[0] == "b"}) for side in (ours, theirs)]
    others = [sorted({t for c in side for t in c if t[0] == "x"}) for side in (ours, theirs)]

    def maps(mine, their):
        ways = itertools.permutations(their + [None] * len(mine), len(mine))
        return [dict(zip(mine, way, strict=True)) for way in ways]

    return max(
        sum(tuple((b | x).get(token, token) for token in clause) in theirs for clause in ours)
        for b in maps(*boxes)
        for x in maps(*others)
    )


BOXES = st.sampled_from(["b1", "b2"])
REFERENTS = st.sampled_from(["x1", "x2", "x3"])
DRSS = st.lists(
    st.one_of(
        st.tuples(BOXES, st.sampled_from(["dog", "run"]), REFERENTS),
        st.tuples(BOXES, st.just("see"), REFERENTS, REFERENTS),
        st.just(("b1", "NOT", "b2")),
    ),
    min_size=1,
    max_size=6,
    unique=True,
)


@settings(deadline=None, max_examples=60)
@given(DRSS, DRSS)
def test_hill_climbing_finds_the_best_map_of_small_drss(ours, theirs):
    assert compare(ours, theirs, check=False, restarts=40).score.matched == best(ours, theirs)


@pytest.mark.parametrize(
    ("name", "per_drs"),
    [
        ("p1_boxer210_dev200", "p1_boxer210_dev200.per_drs.v220.txt"),
        ("p3_sample220fine_dev", "p3_sample220fine_dev_rot.per_drs.v220.txt"),
        ("p6_sygns_published_vs_corrected", "p6_sygns_published_vs_corrected.per_drs.sygns.txt"),
    ],
)
def test_each_drs_has_the_counts_that_the_published_program_gave(shared_data, name, per_drs):
    folder = shared_data / "reference" / "counter"
    suffix = "_rot" if "rot" in per_drs else ""
    given_ = parse_clause_lists((folder / f"{name}{suffix}.prod.clf").read_text().splitlines())
    gold = parse_clause_lists((folder / f"{name}.gold.clf").read_text().splitlines())
    expected = [tuple(map(int, line.split())) for line in (folder / per_drs).read_text().splitlines()]
    scores = [compare(a.clauses, b.clauses, check=False).score for a, b in zip(given_, gold, strict=True)]
    assert [(s.matched, s.given, s.gold) for s in scores] == expected


def test_each_row_of_the_expected_scores_is_reached(shared_data):
    folder = shared_data / "reference" / "counter"
    for row in rows(folder / "expected_scores.tsv"):
        given_, gold = (
            parse_clause_lists((folder / row[side]).read_text().splitlines()) for side in ("pred", "gold")
        )
        check = not any(word in row["options"] for word in ("no well-formedness", "ill-formed DRSs scored"))
        score = total(
            [compare(a.clauses, b.clauses, check=check).score for a, b in zip(given_, gold, strict=True)]
        )
        assert len(given_) == int(row["n_drs"])
        for name in ("precision", "recall", "f"):
            assert getattr(score, name) == pytest.approx(float(row[name]), abs=0.005)
