"""Ratings that rise and fall together: SciPy's correlation, and the published file's 0.76."""

from __future__ import annotations

import ast
import csv

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from measures.ratings import against_the_others, between_pairs, pearson, spearman
from measures.undefined import Undefined

POINTS = some.integers(1, 5)


@settings(max_examples=200, deadline=None)
@given(some.lists(some.tuples(POINTS, POINTS), min_size=2, max_size=30))
def test_pearson_is_that_of_scipy(rows):
    from scipy.stats import pearsonr

    ones, twos = zip(*rows, strict=True)
    found = pearson(ones, twos)
    if len(set(ones)) == 1 or len(set(twos)) == 1:
        assert found is Undefined.NO_VARIATION
    else:
        assert found == pytest.approx(pearsonr(ones, twos).statistic, abs=1e-9)


@settings(max_examples=200, deadline=None)
@given(some.lists(some.tuples(POINTS, POINTS), min_size=2, max_size=30))
def test_spearman_is_that_of_scipy_ties_included(rows):
    from scipy.stats import spearmanr

    ones, twos = zip(*rows, strict=True)
    found = spearman(ones, twos)
    if len(set(ones)) == 1 or len(set(twos)) == 1:
        assert found is Undefined.NO_VARIATION
    else:
        assert found == pytest.approx(spearmanr(ones, twos).statistic, abs=1e-9)


@settings(max_examples=200, deadline=None)
@given(some.lists(some.lists(some.none() | POINTS, min_size=3, max_size=3), min_size=3, max_size=20))
def test_against_the_others_follows_its_definition_with_ratings_missing(table):
    """Each rater's column, by pandas, against the mean of the other columns."""
    import pandas as pd

    frame = pd.DataFrame(table, columns=["a", "b", "c"], dtype=float)
    wanted, weights = [], []
    for rater in frame:
        both = pd.DataFrame({"own": frame[rater], "others": frame.drop(columns=rater).mean(axis=1)}).dropna()
        if len(both) > 1 and both.own.nunique() > 1 and both.others.round(12).nunique() > 1:
            wanted.append(both.own.corr(both.others))
            weights.append(len(both))
    ratings = [(i, r, v) for i, row in enumerate(table) for r, v in enumerate(row) if v is not None]
    found = against_the_others(ratings)
    if not wanted:
        assert found.value is None
        assert found.undefined
    else:
        mean = sum(w * r for w, r in zip(weights, wanted, strict=True)) / sum(weights)
        assert found.value == pytest.approx(mean, abs=1e-9)
        assert (found.n, found.raters) == (sum(weights), len(wanted))


def test_the_transitivity_paper_s_ratings(shared_data):
    """Its appendix D gives 0.76 averaged over examples and raters."""
    with (shared_data / "transitivity_human.tsv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    ratings = [
        (item, rater, float(value))
        for item, row in enumerate(rows)
        for rater, value in enumerate(ast.literal_eval(row["crowd_score"]))
    ]
    assert against_the_others(ratings).value == pytest.approx(0.7643, abs=0.00005)
    assert between_pairs(ratings).value == pytest.approx(0.7058, abs=0.00005)


@pytest.mark.parametrize(
    ("ratings", "why"),
    [
        ([], Undefined.NO_OVERLAP),
        ([("a", 1, 5), ("b", 2, 4)], Undefined.NO_OVERLAP),
        ([("a", 1, 5), ("a", 2, 4), ("b", 1, 5), ("b", 2, 4)], Undefined.NO_VARIATION),
    ],
)
@pytest.mark.parametrize("measure", [against_the_others, between_pairs])
def test_without_overlap_or_variation_it_is_undefined(measure, ratings, why):
    assert (measure(ratings).value, measure(ratings).undefined) == (None, why)
