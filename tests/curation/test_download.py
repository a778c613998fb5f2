"""What the list shows, as a file: the same pairs, all that is said of them, in few queries, whoever asks."""

from __future__ import annotations

import csv
import io
import json

import pytest
from django.urls import reverse

from apps.curation import download
from apps.curation.filters import PairFilters
from apps.datasets.models import GoldLabel, Tag
from apps.inference.models import Model, Prediction, Run

pytestmark = [pytest.mark.django_db, pytest.mark.both]


@pytest.fixture
def address(study, dataset):
    return lambda form: reverse("curation:download", args=[study.slug, dataset.pk, form])


@pytest.fixture
def brought(client, rosa, address):
    """The file under some filters, as bytes."""

    def fetch(form: str, **filters) -> bytes:
        client.force_login(rosa)
        sent = client.get(address(form), filters)
        assert sent.status_code == 200
        return b"".join(sent.streaming_content)

    return fetch


@pytest.fixture
def pair(make, study, dataset):
    """A pair with everything: answers, labels, a tag, a prediction."""
    made = make("een", calculus="e", direction="upward")
    GoldLabel.objects.create(pair=made, source="file", label="entailment")
    Tag.objects.create(pair=made, name="npi", source="file")
    model = Model.objects.create(study=study, name="Always yes", kind="majority")
    run = Run.objects.create(model=model, dataset=dataset)
    Prediction.objects.create(run=run, pair=made, label="entailment", scores={"entailment": 1.0})
    return made


def test_a_line_says_all_that_is_said_of_a_pair(brought, pair):
    (row,) = map(json.loads, brought("jsonl").splitlines())
    assert (row["id"], row["hypothesis"]) == (pair.pk, pair.hypothesis)
    assert (row["direction"], row["calculus_label"], row["human_label"]) == (
        "upward",
        "entailment",
        "entailment",
    )
    assert (row["labels"], row["tags"]) == ({"file": "entailment"}, ["npi"])
    assert sorted(given["answer"] for given in row["judgements"]) == [
        "entailment",
        "entailment",
        "non-entailment",
    ]
    assert row["predictions"] == {"Always yes": {"label": "entailment", "scores": {"entailment": 1.0}}}


def test_each_format_says_the_same(brought, pair, make):
    make("nn", hypothesis="=1+1 “quoted”\nand broken")
    lines = [json.loads(line) for line in brought("jsonl").splitlines()]
    table = list(csv.DictReader(io.StringIO(brought("csv").decode(), newline="")))
    assert [int(row["id"]) for row in table] == [row["id"] for row in lines]
    assert [json.loads(row["judgements"]) for row in table] == [row["judgements"] for row in lines]
    assert table[1]["hypothesis"] == "'=1+1 “quoted”\nand broken"
    import pyarrow.parquet as pq

    parquet = pq.read_table(io.BytesIO(brought("parquet"))).to_pylist()
    assert [row["judgements"] for row in parquet] == [row["judgements"] for row in lines]
    assert [json.loads(row["predictions"]) for row in parquet] == [row["predictions"] for row in lines]
    assert [row["hypothesis"] for row in parquet] == [row["hypothesis"] for row in lines]


def test_the_filters_of_the_list_choose(brought, pair, make):
    other = make("nnn", calculus="n", direction="downward")
    assert [json.loads(line)["id"] for line in brought("jsonl", direction="downward").splitlines()] == [
        other.pk
    ]
    assert brought("jsonl", direction="non-monotone") == b""


def test_a_filter_with_a_slip_leads_to_the_page_that_says_so(client, rosa, address, pair):
    client.force_login(rosa)
    refused = client.get(address("csv"), {"sure_from": "7"})
    assert refused.status_code == 302
    assert "sure_from=7" in refused.url


def test_an_empty_dataset_is_a_file_with_nothing_but_its_head(brought, dataset):
    assert brought("csv").decode().strip() == ",".join(download.COLUMNS)
    assert brought("jsonl") == b""


def test_a_batch_costs_the_same_however_many_pairs_it_has(make, dataset, django_assert_num_queries):
    for _n in range(3):
        make("ee")
    filters = PairFilters({}, dataset=dataset)
    assert filters.is_valid()
    with django_assert_num_queries(9):  # of models there are none
        assert len(list(download.rows(dataset, filters))) == 3


def test_batches_join_without_a_gap(make, dataset, monkeypatch):
    monkeypatch.setattr(download, "_BATCH", 2)
    made = [make("ee").pk for _n in range(5)]
    filters = PairFilters({}, dataset=dataset)
    assert filters.is_valid()
    assert [row["id"] for row in download.rows(dataset, filters)] == made


def test_who_is_not_of_the_study_finds_nothing(client_of, olaf, ben, address, pair):
    assert client_of(olaf).get(address("csv")).status_code == 404
    assert client_of(ben).get(address("csv")).status_code == 403


def test_an_unknown_format_is_not_found(client_of, rosa, address, pair):
    assert client_of(rosa).get(address("xlsx")).status_code == 404


def test_the_api_has_the_same_file(client_of, rosa, dataset, pair):
    there = f"/api/v1/datasets/{dataset.pk}/pairs/file/"
    client = client_of(rosa)
    sent = b"".join(client.get(there, {"direction": "upward"}).streaming_content)
    assert json.loads(sent)["id"] == pair.pk
    assert client.get(there, {"form": "xlsx"}).status_code == 400
    assert client.get(there, {"colour": "red"}).status_code == 400
