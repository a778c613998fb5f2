"""The dashboard's tables: MED's Table 3, confusion tables, accuracy by direction, campaigns."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.urls import reverse

from apps.campaigns.models import Campaign, Guideline
from apps.comparison.judges import judges_of
from apps.curation.filters import PairFilters
from apps.dashboard import selectors, tables
from apps.datasets.models import GoldLabel, Pair
from apps.inference.models import Model, Prediction, Run
from apps.inference.selectors import latest_runs

pytestmark = [pytest.mark.django_db, pytest.mark.both]


@pytest.fixture
def predict(study, dataset):
    """A run of a new model, from pairs and labels."""

    def run(name: str, **labels) -> Run:
        model = Model.objects.create(study=study, name=name, kind="majority")
        made = Run.objects.create(model=model, dataset=dataset)
        for pk, label in labels["labels"].items():
            Prediction.objects.create(run=made, pair_id=pk, label=label)
        return made

    return run


@pytest.fixture
def compare(dataset):
    return lambda: selectors.comparison(dataset, judges_of(dataset), latest_runs(dataset))


@pytest.fixture
def mixed(make, predict):
    """Seven pairs on which everybody says something else."""
    pairs = [
        make("eee", calculus="e"),
        make("een", calculus="e"),
        make("nnn", calculus="n", direction="upward"),
        make("enu", calculus="n", direction="upward"),
        make("uuu", calculus="n", direction="non-monotone"),
        make("en", calculus="e"),
        make("", calculus="e"),
    ]
    labels = dict(zip([pair.pk for pair in pairs], ["entailment"] * 6, strict=False))
    predict("always yes", labels=labels)
    return pairs


def confusions(comparison) -> list[tables.Confusion]:
    models = [source for source in tables.sources(comparison) if source.run is not None]
    return tables.confusions(comparison, models[0] if models else None)


def counts(rows) -> list[list[int]]:
    return [[cell.count for cell in (*row.cells, row.total)] for row in rows]


def test_matches_by_direction_are_med_s_table_3(mixed, compare):
    table = tables.matches(compare(), 3)
    assert table.places == ["upward", "downward", "non-monotone"]
    assert [row.title for row in table.rows] == ["3", "2", "1", "0"]
    assert counts(table.rows) == [[1, 1, 0, 2], [0, 1, 0, 1], [1, 0, 0, 1], [0, 0, 1, 1]]
    assert [cell.count for cell in table.totals] == [2, 2, 1]
    assert table.total == 5
    assert table.rows[0].total.share == pytest.approx(2 / 5)
    assert [(number, n) for number, n, _url in table.others] == [(0, 1), (2, 1)]


def test_shares_add_up_to_one(mixed, compare):
    table = tables.matches(compare(), 3)
    assert sum(cell.share for row in table.rows for cell in row.cells) == pytest.approx(1)


@pytest.mark.parametrize(("number", "rows"), [(1, 2), (5, 6), (7, 8)])
def test_any_number_of_judgements_has_its_table(make, compare, number, rows):
    make("e" * number, calculus="e")
    assert tables.usual_number(compare()) == number
    assert len(tables.matches(compare(), number).rows) == rows


def test_people_against_calculus_has_rows_for_ties_and_the_unjudged(mixed, compare):
    table = confusions(compare())[0]
    assert (table.row_title, table.column_title) == ("People", "Calculus")
    assert table.columns == ["entailment", "non-entailment"]
    assert [row.title for row in table.rows] == [
        "entailment",
        "non-entailment",
        "unnatural",
        "tie",
        "not judged",
    ]
    assert counts(table.rows) == [[2, 0, 2], [0, 1, 1], [0, 1, 1], [1, 1, 2], [1, 0, 1]]
    assert table.agreement.text == "κ 1.00 (100.0 % raw)"


def test_a_model_stands_against_people_and_calculus(mixed, compare):
    found = confusions(compare())
    assert [(table.row_title, table.column_title) for table in found] == [
        ("People", "Calculus"),
        ("People", "always yes"),
        ("Calculus", "always yes"),
        ("People · Calculus", "always yes"),
    ]
    assert found[2].columns == ["entailment", "non-entailment", "no label"]
    assert counts(found[2].rows) == [[3, 0, 1, 4], [3, 0, 0, 3]]


def test_people_calculus_and_model_stand_in_one_table(mixed, compare):
    table = confusions(compare())[3]
    assert {row.title: [cell.count for cell in row.cells] for row in table.rows} == {
        "entailment · entailment": [2, 0, 0],
        "non-entailment · non-entailment": [1, 0, 0],
        "unnatural · non-entailment": [1, 0, 0],
        "tie · entailment": [1, 0, 0],
        "tie · non-entailment": [1, 0, 0],
        "not judged · entailment": [0, 0, 1],
    }
    assert table.rows[0].cells[0].agrees


def test_everybody_saying_the_same_is_undefined_with_the_reason(make, compare):
    for _number in range(3):
        make("eee", calculus="e")
    comparison = compare()
    assert confusions(comparison)[0].agreement.text == "undefined (no variation), 100.0 % raw"
    assert comparison.agreement.labels.text == "undefined (no variation), 100.0 % raw"


def test_every_number_of_every_table_leads_to_exactly_its_pairs(mixed, compare, dataset, make):
    twin = make("", calculus="e", origin="swap")
    comparison = compare()
    cells = [
        cell
        for table in (*confusions(comparison), tables.matches(comparison, 3))
        for row in table.rows
        for cell in (*row.cells, row.total)
    ]
    assert len(cells) > 30
    for cell in cells:
        query = dict(part.split("=") for part in cell.url.partition("?")[2].split("&"))
        filters = PairFilters(query, dataset=dataset)
        assert filters.is_valid(), (cell.url, filters.errors)
        found = set(filters.apply().values_list("pk", flat=True))
        assert len(found) == cell.count, cell.url
        assert twin.pk not in found


def test_accuracy_by_direction_stands_beside_a_baseline_that_is_not_named_like_a_model(mixed, compare):
    comparison = compare()
    people, calculus, _model = tables.sources(comparison)
    table = tables.accuracy(comparison, calculus)
    scores = {title: [(score.right, score.total) for score in row] for title, row in table.rows}
    assert scores == {
        "Always “entailment” (baseline)": [(0, 2), (4, 4), (0, 1), (4, 7)],
        "People": [(1, 2), (2, 4), (0, 1), (3, 7)],
        "Model “always yes”": [(0, 2), (3, 4), (0, 1), (3, 7)],
    }
    assert tables.accuracy(comparison, people).rows[0][1][-1].share == pytest.approx(2 / 3)


def test_only_the_newest_run_of_a_model_is_compared(mixed, dataset):
    model = Model.objects.get()
    newer = Run.objects.create(model=model, dataset=dataset, fingerprint="of newer weights")
    assert newer not in latest_runs(dataset)
    Prediction.objects.create(run=newer, pair=mixed[0], label="entailment")
    assert latest_runs(dataset) == [newer]


def test_the_baseline_is_one_label_throughout_so_that_its_columns_add_up_to_all(mixed, compare):
    comparison = compare()
    for reference in tables.sources(comparison)[:2]:
        scores = tables.accuracy(comparison, reference).rows[0][1]
        assert sum(score.right for score in scores[:-1]) == scores[-1].right


def test_the_comparison_is_two_queries_and_few_rows_in_memory(make, dataset, django_assert_num_queries):
    for _number in range(30):
        make("een", calculus="e")
    judges = judges_of(dataset)
    with django_assert_num_queries(2):  # the pairs, and how far people agree
        comparison = selectors.comparison(dataset, judges, [])
    assert (comparison.total, len(comparison.counts)) == (30, 1)


# ---- The page ---------------------------------------------------------------------------------


@pytest.fixture
def shown(client_of, study, rosa):
    client = client_of(rosa)

    def fetch(**query) -> str:
        response = client.get(reverse("dashboard:home", args=[study.slug]), query)
        assert response.status_code == 200
        return unescape(response.content.decode())

    return fetch


def words(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


def test_an_empty_study_says_what_to_do_first(shown):
    assert "To the campaigns" in shown()


def test_an_empty_campaign_shows_dashes(shown, campaign):
    row = words(shown()).partition("Seconds")[2]
    assert re.search(r"Judging validation, draft(?: –){8}", row)


def test_the_page_shows_the_tables(shown, mixed, study, dataset):
    text = words(shown())
    for part in ("3 of 3", "People × Calculus", "always yes", "Accuracy by direction", "Against: People"):
        assert part in text
    assert "1 with 2 judgements" in text
    assert "nan" not in text.lower()


def test_what_accuracy_is_measured_against_can_be_chosen(shown, mixed):
    GoldLabel.objects.create(pair=mixed[0], source="file", label="entailment")
    assert '<a href="?against=calculus">' in shown()
    assert "<strong>File</strong>" in shown()
    assert "<strong>Calculus</strong>" in shown(against="calculus")
    assert "<strong>File</strong>" in shown(against="nonsense")


def test_another_number_of_judgements_can_be_asked_for(shown, mixed):
    assert "2 of 2" in words(shown(judgements="2"))
    assert "3 of 3" in words(shown(judgements="99"))


def test_progress_counts_surplus_and_skips_apart(make, study, dataset):
    make("eee", calculus="e")
    make("esE")
    empty = Campaign.objects.create(study=study, name="Empty", task="validation", dataset=dataset)
    Guideline.objects.create(campaign=empty, version=1, body="-")
    first, second = selectors.campaign_progress(list(selectors.campaigns_of(study)))
    assert (first.campaign, first.share, first.items) == (empty, None, 0)
    assert (second.items, second.wanted, second.counted) == (2, 6, 5)
    assert (second.skipped, second.surplus, second.people) == (1, 1, 3)
    assert second.share == pytest.approx(5 / 6)


def test_a_foreign_dataset_is_not_found(client_of, study, dataset, olaf):
    home = olaf.memberships.first().study
    url = reverse("dashboard:home", args=[home.slug])
    client = client_of(olaf)
    for asked in (dataset.pk, "x", "9" * 30, "٣"):
        assert client.get(url, {"dataset": asked}).status_code == 404
    assert client.get(reverse("dashboard:home", args=[study.slug])).status_code == 404


def test_the_page_costs_the_same_whatever_the_number_of_pairs(make, shown, django_assert_max_num_queries):
    for _number in range(20):
        make("een", calculus="e")
    with django_assert_max_num_queries(18):
        shown()
    assert Pair.objects.count() == 20
