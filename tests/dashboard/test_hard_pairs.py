"""The pairs that every model gets wrong, as a list."""

from __future__ import annotations

import csv
import io

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.dashboard.hard_pairs import SURE, Hard, hard_numbers, hard_rows, references_there
from apps.datasets.models import GoldLabel
from apps.inference.models import Model
from apps.inference.selectors import latest_runs
from tests.api.conftest import token_client  # noqa: F401 - a fixture
from tests.dashboard.conftest import WORDS

pytestmark = pytest.mark.both


@pytest.fixture
def pairs(make):
    """Gold e e n n, and what the calculus says: e n n -."""
    made = [make(calculus=letter) for letter in ("e", "n", "n", "")]
    for pair, letter in zip(made, "eenn", strict=True):
        GoldLabel.objects.create(pair=pair, source="file", label=WORDS[letter])
    return made


def asked(dataset, **fields):
    runs = fields.pop("runs", None) or latest_runs(dataset)
    return Hard(**{"dataset": dataset, "runs": runs, "reference": "file", "wrong": len(runs)} | fields)


def places(pairs, numbers):
    return [[pair.pk for pair in pairs].index(number) for number in numbers]


def test_those_that_all_get_wrong_and_those_that_some_do(dataset, pairs, predict):
    predict("old", pairs, "eeee")
    predict("one", pairs, "nnen")
    two = predict("two", pairs, "ene-")
    newest = predict("old", pairs, "nnee")
    assert {run.pk for run in latest_runs(dataset)} >= {two.pk, newest.pk}
    assert places(pairs, hard_numbers(asked(dataset))) == [1, 2]
    assert places(pairs, hard_numbers(asked(dataset, wrong=2))) == [0, 1, 2]
    # Who says nothing of a pair is not wrong about it.
    assert places(pairs, hard_numbers(asked(dataset, runs=[two]))) == [1, 2]
    assert places(pairs, hard_numbers(asked(dataset, label="entailment"))) == [1]
    assert hard_numbers(asked(dataset, direction="upward")) == []
    assert places(pairs, hard_numbers(asked(dataset, direction="downward"))) == [1, 2]


def test_against_the_calculus_and_against_people(dataset, pairs, predict, make):
    for pair, answers in zip(pairs, ("ee", "nnn", "en", ""), strict=True):
        if answers:
            make.judge(pair, answers)
    predict("one", pairs, "nene")
    assert places(pairs, hard_numbers(asked(dataset, reference="calculus"))) == [0, 1]
    assert places(pairs, hard_numbers(asked(dataset, reference="human"))) == [0, 1]
    assert references_there(dataset) == ["file", "human", "calculus"]


def test_a_contradiction_is_no_entailment(dataset, pairs, predict):
    predict("three", pairs, "cccc")
    assert places(pairs, hard_numbers(asked(dataset))) == [0, 1]


def test_the_surest_mistakes_come_first(dataset, pairs, predict):
    predict("one", pairs, "nnee", (0.4, 0.1, 0.7, 0.95))
    predict("two", pairs, "nnee", (None, 0.3, None, None))
    numbers = hard_numbers(asked(dataset, order=SURE))
    # 0.95; (0.9 + 0.7) / 2; 0.7; 0.6
    assert places(pairs, numbers) == [3, 1, 2, 0]
    row = hard_rows(asked(dataset), numbers)[1]
    assert row.pair.pk == pairs[1].pk and row.wanted == "entailment"
    assert row.said == [("non-entailment", 0.1, True), ("non-entailment", 0.3, True)]


def test_however_many_pairs_it_is_one_query_and_four_for_a_page(dataset, pairs, predict):
    predict("one", pairs, "nnee")
    these = asked(dataset)
    with CaptureQueriesContext(
        connection,
    ) as looking:
        numbers = hard_numbers(these)
    with CaptureQueriesContext(connection) as reading:
        hard_rows(these, numbers)
    assert (len(looking), len(reading)) == (1, 3)


def test_the_page_says_how_many_first_and_gives_them_as_csv(dataset, pairs, predict, client_of, rosa, study):
    predict("one", pairs, "nnee", (0.4, 0.1, 0.7, 0.95))
    two = predict("two", pairs, "nnnn")
    client, address = client_of(rosa), f"/s/{study.slug}/dashboard/{dataset.pk}/hard"
    page = client.get(f"{address}/")
    assert "2 pairs that at least 2 of 2 models get wrong" in page.content.decode()
    assert [row.pair.pk for row in page.context["rows"]] == [pairs[0].pk, pairs[1].pk]
    some = client.get(f"{address}/?runs={two.pk}&against=calculus")
    assert [row.pair.pk for row in some.context["rows"]] == [pairs[0].pk]
    refused = client.get(f"{address}/?against=nobody").content.decode()
    assert "nobody is not one of the available choices" in refused
    lines = b"".join(client.get(f"{address}.csv?wrong=1&order=sure").streaming_content).decode()
    rows = list(csv.DictReader(io.StringIO(lines, newline="")))
    assert [int(row["pair_id"]) for row in rows] == [pairs[n].pk for n in (3, 1, 2, 0)]
    assert rows[0]["file"] == "non-entailment"
    assert [value for name, value in rows[0].items() if name.startswith("one")] == ["entailment", "0.95"]


def test_baselines_that_contradict_each_other_hide_nothing_unless_they_are_asked_for(
    dataset, pairs, predict, client_of, rosa, study
):
    always, never = predict("always", pairs, "eeee"), predict("never", pairs, "nnnn")
    net = predict("net", pairs, "nnee")
    Model.objects.filter(pk=net.model_id).update(kind="transformers")
    client, address = client_of(rosa), f"/s/{study.slug}/dashboard/{dataset.pk}/hard/"
    assert len(client.get(address).context["rows"]) == 4
    three = f"{always.pk},{never.pk},{net.pk}"
    assert client.get(f"{address}?runs={three}").context["rows"] == []


def test_where_there_is_nothing_to_hold_against_it_says_so(dataset, make, predict, client_of, rosa, study):
    address = f"/s/{study.slug}/dashboard/{dataset.pk}/hard/"
    pair = make()
    assert "No model has predicted these pairs yet" in client_of(rosa).get(address).content.decode()
    predict("one", [pair], "e")
    assert "nothing to measure against yet" in client_of(rosa).get(address).content.decode()
    assert client_of(rosa).get(f"/s/{study.slug}/dashboard/{dataset.pk}/hard.csv").status_code == 404


def test_another_studys_dataset_is_no_page(dataset, olaf, client_of):
    for page in ("hard/", "hard.csv", "contrasts/"):
        assert client_of(olaf).get(f"/s/another-study/dashboard/{dataset.pk}/{page}").status_code == 404


def test_the_api_has_the_same(dataset, pairs, predict, ada, olaf, token_client, study):  # noqa: F811
    one = predict("one", pairs, "nnee", (0.4, 0.1, 0.7, 0.95))
    predict("two", pairs, "nnnn")
    client, address = token_client(ada), f"/api/v1/datasets/{dataset.pk}/hard-pairs/"
    found = client.get(address).json()
    assert (found["count"], found["reference"], found["wrong"]) == (2, "file", 2)
    assert [row["pair"] for row in found["pairs"]] == [pairs[0].pk, pairs[1].pk]
    said = {"run": one.pk, "label": "non-entailment", "entailment": 0.4, "wrong": True}
    assert found["pairs"][0]["said"][0] == said
    some = client.get(address, {"runs": one.pk, "order": "sure", "label": "non-entailment"}).json()
    assert [row["pair"] for row in some["pairs"]] == [pairs[3].pk, pairs[2].pk]
    for query in ({"runs": "999"}, {"against": "human"}, {"page": "2"}, {"wrong": "0"}, {"model": "1"}):
        answer = client.get(address, query)
        assert answer.status_code == 400 and answer.json()["errors"][0]["parameter"] == next(iter(query))
    assert token_client(olaf).get(address).status_code == 404
