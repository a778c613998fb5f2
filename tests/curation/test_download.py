"""What the list shows, as a file: the same pairs, all that is said of them, in few queries, whoever asks."""

from __future__ import annotations

import csv
import io
import json

import pytest
from django.urls import reverse

from apps.campaigns.models import Campaign, Guideline, Judgement
from apps.comparison.pairs import compared
from apps.curation import download
from apps.curation.filters import PairFilters
from apps.datasets.models import GoldLabel, Tag
from apps.inference.models import Model, Prediction, Run
from tests.datasets.conftest import Maker

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


def test_what_is_written_by_hand_is_json(brought, pair, make):
    make("nu", hypothesis='A “quoted”, "straight" \\ back\tslash\n😀', calculus="n")
    make(genre="of its own")
    for line in brought("jsonl").decode().splitlines():
        assert json.dumps(json.loads(line), ensure_ascii=False) == line
    for row in csv.DictReader(io.StringIO(brought("csv").decode(), newline="")):
        for name in download._JSON_IN_CSV:
            assert json.dumps(json.loads(row[name]), ensure_ascii=False) == row[name]


@pytest.mark.parametrize("moment", ["2026-01-31T12:00:00+00:00", "2026-12-01T23:59:59.999999+00:00"])
def test_the_time_of_an_answer_is_written_to_the_second(brought, make, moment):
    make("e")
    Judgement.objects.update(submitted_at=moment)
    (given,) = json.loads(brought("jsonl"))["judgements"]
    assert given["at"] == f"{moment[:19]}+00:00"


def test_people_say_what_they_say_on_the_page(make, dataset, campaign):
    for answers in ("", "e", "en", "enu", "nnc", "euu", "ccee", "esE", "nnuu", "eennu"):
        make(answers)
    # Whoever judged a pair in two campaigns is one judge.
    other = Campaign.objects.create(study=dataset.study, name="Again", task="validation", dataset=dataset)
    Guideline.objects.create(campaign=other, version=1, body="Judge.")
    Maker(other).judge(dataset.pairs.first(), "nn")
    filters = PairFilters({}, dataset=dataset)
    shown = compared(dataset.pairs.all(), filters.judges).values_list("pk", "human", "place", "judgements")
    assert filters.is_valid()
    assert [
        (row["id"], row["human_label"], row["direction"], len(row["judgements"]))
        for row in download.rows(dataset, filters)
    ] == list(shown)


def test_a_batch_costs_the_same_however_many_pairs_it_has(
    make, dataset, monkeypatch, django_assert_num_queries
):
    monkeypatch.setattr(download, "_BATCH", 2)
    for _n in range(3):
        make("ee")
    filters = PairFilters({}, dataset=dataset)
    assert filters.is_valid()
    begun = download.rows(dataset, filters)
    with django_assert_num_queries(3 + 5):  # no more than the first batch is read; of models there are none
        next(begun)
    with django_assert_num_queries(5):
        assert len(list(begun)) == 2


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
