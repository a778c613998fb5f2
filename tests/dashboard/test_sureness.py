"""The dashboard of the pairs alone on which the calculus is sure: counted first, the same in every table."""

from __future__ import annotations

import pytest
from django.http import QueryDict
from django.urls import reverse

from apps.comparison.judges import judges_of
from apps.comparison.sureness_choice import SurenessForm
from apps.curation.filters import PairFilters
from apps.dashboard import selectors, tables
from tests.api.conftest import token_client  # noqa: F401 (a fixture)

pytestmark = [pytest.mark.django_db, pytest.mark.both]


@pytest.fixture
def pairs(make):
    """Confidence, assumption and answers of four pairs; the fifth has no label."""
    made = []
    for answers, confidence, assumed in (
        ("eee", 0.95, False),
        ("een", 0.9, True),
        ("enn", 0.3, True),
        ("nnn", 0.6, None),
    ):
        made.append(make(answers))
        make.label(made[-1], "e", confidence=confidence, assumed=assumed)
    return [*made, make("eee")]


@pytest.fixture
def shown(client_of, study, rosa):
    client = client_of(rosa)

    def fetch(**query) -> str:
        return client.get(reverse("dashboard:home", args=[study.slug]), query).content.decode()

    return fetch


def test_every_table_is_of_the_pairs_that_remain(pairs, dataset):
    only = {"sure_from": 0.9}
    found = selectors.comparison(dataset, judges_of(dataset), [], only)
    assert (found.total, found.judged, found.labelled) == (2, 2, 2)
    assert found.agreement.labels.n == 2
    assert tables.matches(found, 3).total == 2
    assert "sure_from=0.9" in tables.pairs_url(found, human="entailment")
    assert selectors.comparison(dataset, judges_of(dataset), []).agreement.labels.n == 5


@pytest.mark.parametrize("only", [{"sure_from": 0.5}, {"assumed": "yes"}, {"assumed": "not-known"}])
def test_every_number_leads_to_its_pairs(only, pairs, dataset):
    found = selectors.comparison(dataset, judges_of(dataset), [], only)
    cells = [
        cell
        for table in (*tables.confusions(found, None), tables.matches(found, 3))
        for row in table.rows
        for cell in (*row.cells, row.total)
    ]
    assert sum(cell.count for cell in cells)
    for cell in cells:
        filters = PairFilters(QueryDict(cell.url.partition("?")[2]), dataset=dataset)
        assert filters.is_valid(), (cell.url, filters.errors)
        assert filters.apply().count() == cell.count, cell.url


def test_the_form_says_how_many_would_remain_and_what_labels_rest_on(pairs, shown):
    page = shown()
    assert 'href="?sure_from=0.9#sure">from 0.90, 2 pairs</a>' in page
    assert "2 labels rest on an assumption" in page and "Of 1 label it is not known" in page
    assert '?assumed=yes&amp;sure_from=0.9#sure">from 0.90, 1 pair</a>' in shown(assumed="yes")
    assert "No pair is left where the calculus is so sure." in shown(sure_from="1")


@pytest.mark.parametrize("refused", ["2", "nan", "much"])
def test_what_is_refused_filters_nothing_and_is_said(refused, pairs, shown):
    assert SurenessForm({"sure_from": refused}).said == {}
    page = shown(sure_from=refused)
    assert "5 pairs, 5 judged" in page and "errorlist" in page


def test_the_api_has_the_same(pairs, dataset, token_client, ada):  # noqa: F811
    client, address = token_client(ada), f"/api/v1/datasets/{dataset.pk}/comparison/"
    whole, sure = client.get(address).json(), client.get(address, {"sure_from": 0.9}).json()
    assert (whole["pairs"], sure["pairs"], sure["people"]["n"]) == (5, 2, 2)
    assert {"sure_from": 0.9, "pairs": 2} in whole["reaching"]
    assert (whole["assumed"], whole["assumed_not_known"]) == (2, 1)
    assert client.get(address, {"sure_from": 2}).status_code == 400
