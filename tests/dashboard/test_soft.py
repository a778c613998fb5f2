"""Models beside people's soft labels: where people differ, a model should not be sure."""

from __future__ import annotations

import csv
import io
from math import log2

import pytest

from apps.comparison.judges import judges_of
from apps.dashboard.soft import foresight
from apps.datasets.models import GoldLabel
from apps.inference.selectors import latest_runs
from measures.undefined import Undefined
from tests.api.conftest import token_client  # noqa: F401 - a fixture
from tests.dashboard.conftest import WORDS

pytestmark = pytest.mark.both


@pytest.fixture
def pairs(make):
    """Soft labels 1, 0.5, 0; the fourth has no answer that is a label. Gold e e n e."""
    made = [make("eeu"), make("en"), make("nnc"), make("u")]
    for pair, letter in zip(made, "eene", strict=True):
        GoldLabel.objects.create(pair=pair, source="file", label=WORDS[letter])
    return made


def judged(dataset):
    return {one.name: one for one in foresight(dataset, judges_of(dataset), latest_runs(dataset))}


def test_people_themselves_are_the_bound(dataset, pairs):
    own = judged(dataset)[""]
    assert own.pairs == 3
    assert own.entropy == pytest.approx(1 / 3)  # one bit on the pair that divides them
    assert (own.distance, own.error, own.r) == (0, 0, pytest.approx(1))
    # Half of the people is no majority for entailment.
    assert (own.right, own.with_gold) == (2, 3)


def test_a_model_that_hesitates_where_people_do_is_nearer_to_them_than_one_that_is_always_sure(
    dataset, pairs, predict
):
    predict("sure", pairs, "eene", (0.99, 0.99, 0.01, 0.99))
    predict("human", pairs, "enne", (0.9, 0.45, 0.1, 0.5))
    found = judged(dataset)
    assert list(found) == ["", "human", "sure"]
    sure, human = found["sure"], found["human"]
    # By the file's labels it is the other way round.
    assert (sure.right, human.right) == (3, 2)
    assert human.entropy == pytest.approx(-(2 * log2(0.9) + 0.5 * log2(0.45) + 0.5 * log2(0.55)) / 3)
    assert human.distance == pytest.approx((0.01 + 0.0025 + 0.01) / 3)
    assert [(bin.n, round(bin.so, 2)) for bin in sure.curve] == [(1, 0), (2, 0.75)]


def test_a_model_without_probabilities_is_left_out_and_one_that_never_varies_has_no_correlation(
    dataset, pairs, predict
):
    predict("labels alone", pairs, "eene")
    predict("always", pairs, "eeee", (0.7, 0.7, 0.7, 0.7))
    found = judged(dataset)
    assert list(found) == ["", "always"]
    assert found["always"].r == Undefined.NO_VARIATION


def test_the_page_and_its_files(dataset, pairs, predict, client_of, rosa, olaf, study):
    address = f"/s/{study.slug}/dashboard/{dataset.pk}/soft/"
    client = client_of(rosa)
    assert "No model has predicted these pairs with probabilities" in client.get(address).content.decode()
    run = predict("always", pairs, "eeee", (0.7, 0.7, 0.7, 0.7))
    page = client.get(address).content.decode()
    assert f"/s/{study.slug}/models/runs/{run.pk}/" in page and "people themselves" in page
    rows = list(csv.DictReader(io.StringIO(client.get(address, {"as": "table.csv"}).text, newline="")))
    assert [row["judge"] for row in rows] == ["people themselves", "always"]
    assert (rows[1]["r"], rows[1]["right"], rows[1]["with_gold"]) == ("", "2", "3")
    assert client.get(address, {"as": "curve.svg"}).content.startswith(b"<svg")
    assert client_of(olaf).get(address).status_code == 404


def test_where_nobody_has_judged_the_page_says_what_to_do(dataset, make, client_of, rosa, study):
    make()
    page = client_of(rosa).get(f"/s/{study.slug}/dashboard/{dataset.pk}/soft/").content.decode()
    assert "Nobody has judged these pairs" in page


def test_the_api_has_the_same(dataset, pairs, predict, ada, olaf, token_client):  # noqa: F811
    run = predict("always", pairs, "eeee", (0.7, 0.7, 0.7, 0.7))
    address = f"/api/v1/datasets/{dataset.pk}/soft-labels/"
    people, model = token_client(ada).get(address).json()["judges"]
    assert (people["run"], people["pairs"], people["brier"]) == (None, 3, 0)
    assert (model["run"], model["r"], model["curve"][0]["n"]) == (run.pk, None, 3)
    assert token_client(ada).get(address, {"campaigns": "99"}).status_code == 400
    assert token_client(olaf).get(address).status_code == 404
