"""The comparison as figures and tables: intervals, McNemar between models, who says what together."""

from __future__ import annotations

import csv
import io

import pytest
from django.urls import reverse

from apps.comparison.judges import judges_of
from apps.dashboard import comparison_exhibits, selectors, tables
from apps.dashboard.addresses import Source
from apps.inference.models import Model, Prediction, Run
from apps.inference.selectors import latest_runs
from measures.predictions import mcnemar

pytestmark = pytest.mark.django_db


@pytest.fixture
def predict(study, dataset):
    """A run of a new model over some pairs, one label for all of them."""

    def run(name: str, pairs, label: str = "entailment") -> Run:
        model = Model.objects.create(study=study, name=name, kind="majority", config={"label": label})
        made = Run.objects.create(model=model, dataset=dataset)
        Prediction.objects.bulk_create(Prediction(run=made, pair=pair, label=label) for pair in pairs)
        return made

    return run


@pytest.fixture
def compare(dataset):
    return lambda: selectors.comparison(dataset, judges_of(dataset), latest_runs(dataset))


def calculus(comparison) -> Source:
    return next(source for source in tables.sources(comparison) if source.key == "calculus")


def values(table) -> list[list]:
    return [[cell.value for cell in row] for row in table.rows]


def test_two_models_are_compared_on_the_pairs_that_both_predict(make, predict, compare):
    pairs = [make("eee", calculus="e") for _n in range(6)] + [make("nnn", calculus="n") for _n in range(2)]
    predict("always yes", pairs)
    predict("always no", pairs[:7], "non-entailment")
    comparison = compare()
    ((one, other, n, one_alone, other_alone, p),) = values(
        comparison_exhibits.models_table(comparison, calculus(comparison))
    )
    assert (one, other, n, one_alone, other_alone) == ("always no", "always yes", 7, 1, 6)
    assert p == mcnemar(1, 6)


def test_models_that_never_differ_have_no_p_and_it_says_why(make, predict, compare):
    pair = make("eee", calculus="e")
    predict("one", [pair])
    predict("two", [pair])
    (row,) = comparison_exhibits.models_table(compare(), calculus(compare())).rows
    assert (row[-1].value, row[-1].beside) == (None, "they never differ")


def test_one_model_is_compared_with_none(make, predict, compare):
    predict("one", [make("eee", calculus="e")])
    assert comparison_exhibits.models_table(compare(), calculus(compare())) is None


def test_who_says_what_together_counts_pairs_that_all_of_them_label(make, predict, compare):
    pairs = [
        make("eee", calculus="e"),
        make("eee", calculus="e"),
        make("nnn", calculus="e"),
        make("", calculus="e"),
    ]
    predict("always yes", pairs)
    rows = values(comparison_exhibits.together_table(compare()))
    assert rows == [
        ["entailment", "entailment", "entailment", 2, pytest.approx(2 / 3)],
        ["non-entailment", "entailment", "entailment", 1, pytest.approx(1 / 3)],
    ]
    assert "67 %" in str(comparison_exhibits.together_figure(compare()).says)


def test_a_combination_leads_to_its_pairs_of_however_many_models(make, predict, compare):
    pairs = [make("eee", calculus="e")]
    runs = [
        predict(name, pairs, label)
        for name, label in [("one", "entailment"), ("two", "entailment"), ("three", "non-entailment")]
    ]
    (row,) = comparison_exhibits.together_table(compare()).rows
    one, two, three = (run.pk for run in runs)
    assert "human=entailment&calculus=entailment&" in row[-2].url
    assert f"&say_entailment={one}%2C{two}&say_non_entailment={three}" in row[-2].url


@pytest.mark.both
def test_the_dashboard_gives_its_figures_and_files(client, rosa, study, dataset, make, predict):
    pairs = [make("eee", calculus="e", direction="upward") for _n in range(3)]
    pairs.append(make("nnn", calculus="e", direction="downward"))
    predict("always yes", pairs)
    predict("always no", pairs, "non-entailment")
    client.force_login(rosa)
    there = reverse("dashboard:home", args=[study.slug])
    page = client.get(there).content.decode()
    assert "as=together-figure.svg" in page
    assert "p (McNemar, exact)" in page
    for name in ("together-figure", "accuracy-figure"):
        assert client.get(there, {"as": f"{name}.svg"}).content.startswith(b"<svg")
    rows = list(csv.DictReader(io.StringIO(client.get(there, {"as": "accuracy.csv"}).content.decode())))
    (people,) = [row for row in rows if row["judge"] == "Calculus" and row["direction"] == "all"]
    assert (people["right"], people["pairs"], people["accuracy"]) == ("3", "4", "0.75")
    assert float(people["from"]) == pytest.approx(0.3006, abs=0.0001)
    assert client.get(there, {"as": "models.tex"}).status_code == 200
    assert client.get(there, {"as": "other.csv"}).status_code == 404
