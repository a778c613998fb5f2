"""Machine-made pairs and balance reports through the API; what they do is tested with their services."""

import pytest

from apps.corpora.models import Corpus
from apps.datasets.models import Pair
from apps.datasets.services import dataset_create, pair_get_or_create
from apps.jobs.models import Job
from apps.reports.models import BalanceReport

BATCHES, REPORTS = "/api/v1/machine-batches/", "/api/v1/reports/"


@pytest.fixture
def client(ada, study, token_client):
    return token_client(ada)


def post(client, path, body=None):
    return client.post(path, body or {}, content_type="application/json")


@pytest.fixture
def dataset(study, ada):
    dataset = dataset_create(study=study, actor=ada, name="Farm")
    pair_get_or_create(
        dataset=dataset, premises=[("No dogs bark.", None)], hypothesis="No old dogs bark.", origin="import"
    )
    return dataset


@pytest.fixture
def corpus(study, fill):
    """One parsed sentence; what is made of its parse is no matter here."""
    return fill(study)["corpora"]


@pytest.mark.both
def test_a_batch_has_examples_first_and_is_started_once(client, dataset, corpus):
    body = {"dataset": dataset.pk, "corpus": corpus.pk, "operations": ["shorten"], "seed": 3, "limit": 5}
    answer = post(client, BATCHES, body)
    assert answer.status_code == 201
    row = answer.json()
    assert row["options"] == {
        "operations": ["shorten"], "per_sentence": 2, "limit": 5, "seed": 3, "convention": "med", "sure": 0.0,
    }  # fmt: skip
    assert Job.objects.get(pk=row["job"]).kind == "datasets.machine_preview"
    assert not Pair.objects.filter(origin="machine").exists()
    started = post(client, answer["Location"] + "start/")
    assert started.status_code == 202
    assert Job.objects.get(pk=started.json()["job"]).kind == "datasets.machine_pairs"
    assert post(client, answer["Location"] + "start/").json()["job"] == started.json()["job"]
    (listed,) = client.get(BATCHES, {"dataset": dataset.pk}).json()["results"]
    assert listed["started_at"] and "preview" not in listed


@pytest.mark.both
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("operations", ["invent"]),
        ("operations", []),
        ("per_sentence", 99),
        ("convention", "mine"),
        ("corpus", 1e9),
    ],
)
def test_what_a_batch_can_not_be_made_of_is_refused_at_its_field(field, value, client, dataset, corpus):
    answer = post(client, BATCHES, {"dataset": dataset.pk, "corpus": corpus.pk, field: value})
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["pointer"].startswith(f"#/{field}")
    assert not dataset.machine_batches.exists()


@pytest.mark.both
def test_a_contrast_set_is_a_job_that_names_its_dataset(client, dataset, work):
    body = {"dataset": dataset.pk, "name": "Some", "contrasts": ["no → some"]}
    refused = post(client, BATCHES + "contrasts/", {**body, "contrasts": ["no → all"]})
    assert refused.status_code == 422
    answer = post(client, BATCHES + "contrasts/", body)
    assert answer.status_code == 202
    work()
    job = client.get(answer["Location"]).json()
    assert job["result"] == {"made": 1}
    pair = Pair.objects.get(dataset__name="Some")
    assert (pair.premise, pair.facts["contrast_of"]) == ("Some dogs bark.", dataset.pairs.get().pk)


def test_a_corpus_without_parses_makes_no_pairs(client, dataset, study):
    bare = Corpus.objects.create(study=study, name="bare", licence="CC0", source="us")
    answer = post(client, BATCHES, {"dataset": dataset.pk, "corpus": bare.pk})
    assert answer.status_code == 422 and answer.json()["errors"][0]["pointer"] == "#/corpus"


@pytest.mark.both
def test_a_report_is_begun_and_read(client, dataset):
    answer = post(client, REPORTS, {"dataset": dataset.pk, "labels": "calculus"})
    assert answer.status_code == 201 and answer.json()["facts"] == {}
    assert Job.objects.get(pk=answer.json()["job"]).kind == "datasets.report"
    (listed,) = client.get(REPORTS, {"dataset": dataset.pk}).json()["results"]
    assert listed["labels"] == "calculus" and "facts" not in listed


@pytest.mark.both
def test_a_finished_reports_figures_are_there_as_json_and_csv(client, dataset, work):
    path = post(client, REPORTS, {"dataset": dataset.pk, "labels": "human"})["Location"]
    work()
    row = client.get(path).json()
    assert row["finished_at"] and row["facts"]
    table = client.get(path + "csv/", headers={"Accept": "text/csv"})
    assert table["Content-Type"] == "text/csv" and table.content


@pytest.mark.both
@pytest.mark.parametrize(
    ("field", "value"), [("labels", "mine"), ("seed", -1), ("other", 10**9), ("release", 1)]
)
def test_what_a_report_can_not_be_about_is_refused_at_its_field(field, value, client, dataset):
    answer = post(client, REPORTS, {"dataset": dataset.pk, field: value})
    assert answer.status_code == 422 and answer.json()["errors"][0]["pointer"] == f"#/{field}"
    assert not BalanceReport.objects.exists()


@pytest.mark.both
def test_others_make_and_read_nothing(client, dataset, corpus, olaf, ben, token_client):
    report = post(client, REPORTS, {"dataset": dataset.pk})["Location"]
    batch = post(client, BATCHES, {"dataset": dataset.pk, "corpus": corpus.pk})["Location"]
    for user in (olaf, ben):
        other = token_client(user)
        assert other.get(report).status_code == other.get(report + "csv/").status_code == 404
        assert post(other, batch + "start/").status_code == 404
        assert post(other, REPORTS, {"dataset": dataset.pk}).status_code == 422
        assert post(other, BATCHES, {"dataset": dataset.pk, "corpus": corpus.pk}).status_code == 422
