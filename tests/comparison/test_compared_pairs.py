"""What people, calculus and models say of a pair, as one row each."""

from __future__ import annotations

import pytest

from apps.comparison.judges import judges_of
from apps.comparison.pairs import compared, predicted
from apps.datasets.models import GoldLabel, Pair
from apps.inference.models import Model, Prediction, Run

pytestmark = [pytest.mark.django_db, pytest.mark.both]


@pytest.mark.parametrize(
    ("answers", "human"),
    [
        ("", "not-judged"),
        ("s", "not-judged"),
        ("e", "entailment"),
        ("een", "entailment"),
        ("enn", "non-entailment"),
        ("ncc", "non-entailment"),
        ("uun", "unnatural"),
        ("enu", "tie"),
        ("eenn", "tie"),
        ("uuee", "tie"),
        ("eennu", "tie"),
        ("eenu", "no-majority"),
        ("eeennu", "no-majority"),
        ("eenNN", "entailment"),
        ("eeeennn", "entailment"),
    ],
)
def test_the_human_answer_needs_more_than_half_of_the_counted_judgements(make, dataset, answers, human):
    make(answers)
    assert compared(Pair.objects.all(), judges_of(dataset)).get().human == human


@pytest.mark.parametrize(
    ("answers", "calculus", "matches"),
    [
        ("eee", "e", 3),
        ("een", "e", 2),
        ("een", "n", 1),
        ("uuu", "n", 0),
        ("ncn", "n", 3),
        ("nnc", "c", 3),
        ("eeE", "e", 2),
        ("eee", "", None),
        ("", "e", 0),
    ],
)
def test_matches_are_the_counted_judgements_equal_to_the_calculus_label(
    make, dataset, answers, calculus, matches
):
    make(answers, calculus=calculus)
    assert compared(Pair.objects.all(), judges_of(dataset)).get().matches == matches


def test_labels_predictions_and_gold_do_not_multiply_judgements(make, study, dataset):
    pair = make("een", calculus="e")
    make.label(pair, "n", engine_version="0", is_current=False)
    runs = []
    for number, label in enumerate(["entailment", "neutral"]):
        model = Model.objects.create(study=study, name=f"m{number}", kind="majority")
        runs.append(Run.objects.create(model=model, dataset=dataset))
        Prediction.objects.create(run=runs[-1], pair=pair, label=label)
    GoldLabel.objects.create(pair=pair, source="file", label="contradiction")
    GoldLabel.objects.create(pair=pair, source="other", label="entailment")
    row = compared(Pair.objects.all(), judges_of(dataset), runs).get()
    assert (row.judgements, row.matches, row.calculus) == (3, 2, "entailment")
    assert (row.file_label, row.adjudicated) == ("non-entailment", "none")
    assert [getattr(row, predicted(run)) for run in runs] == ["entailment", "non-entailment"]


def test_a_pair_without_direction_takes_the_calculus_one(make, dataset):
    pair = make(direction="")
    assert compared(Pair.objects.all(), judges_of(dataset)).get().place == ""
    make.label(pair, "e", direction="upward")
    assert compared(Pair.objects.all(), judges_of(dataset)).get().place == "upward"


def test_one_query_whatever_the_number_of_pairs(make, dataset, django_assert_num_queries):
    for answers in ("eee", "nnn", "", "en"):
        make(answers, calculus="e")
    judges = judges_of(dataset)
    with django_assert_num_queries(1):
        assert [row.human for row in compared(Pair.objects.all(), judges)] == [
            "entailment",
            "non-entailment",
            "not-judged",
            "tie",
        ]
