"""Models, runs, their scores, and the dashboard's figures through the API."""

import pytest

from apps.curation.adjudication import pair_adjudicate
from apps.datasets.services import dataset_create, pair_get_or_create
from apps.inference.models import Model, Run
from apps.jobs.models import Job
from apps.studies.models import AuditEvent

pytestmark = pytest.mark.both

MODELS, RUNS = "/api/v1/models/", "/api/v1/runs/"


@pytest.fixture
def client(ada, study, token_client):
    return token_client(ada)


def post(client, path, body=None):
    return client.post(path, body or {}, content_type="application/json")


@pytest.fixture
def dataset(study, ada):
    """Three downward pairs, of which a researcher calls two an entailment."""
    dataset = dataset_create(study=study, actor=ada, name="Farm")
    for number, label in enumerate(["entailment", "entailment", "non-entailment"]):
        pair = pair_get_or_create(
            dataset=dataset,
            premises=[(f"No dog {number} barks.", None)],
            hypothesis=f"No old dog {number} barks.",
            origin="import",
            direction="downward",
        )
        pair_adjudicate(pair=pair, actor=ada, label=label)
    return dataset


def model(study, **fields):
    return {"study": study.slug, "name": "M", **fields}


@pytest.mark.parametrize(
    ("fields", "config"),
    [
        ({"kind": "majority", "label": "entailment"}, {"label": "entailment"}),
        ({"kind": "overlap", "threshold": 0.5}, {"threshold": 0.5}),
    ],
)
def test_a_model_is_registered_and_the_same_again_is_the_same(fields, config, client, study):
    first, again = (post(client, MODELS, model(study, **fields)) for _time in range(2))
    assert first.status_code == again.status_code == 201
    assert first.json()["config"] == config and first.json()["id"] == again.json()["id"]
    assert Model.objects.count() == 1


def test_a_learnt_model_is_trained_by_a_job(client, study, dataset):
    answer = post(client, MODELS, model(study, kind="learnt", dataset=dataset.pk))
    assert answer.status_code == 202 and answer["Location"].startswith("/api/v1/jobs/")
    assert Job.objects.get().params == {"dataset": dataset.pk, "name": "M"}


@pytest.mark.parametrize(
    ("fields", "pointer"),
    [
        ({"kind": "overlap"}, "#/threshold"),
        ({"kind": "overlap", "threshold": 2}, "#/threshold"),
        ({"kind": "overlap", "threshold": 0.5, "folder": "x"}, "#/folder"),
        ({"kind": "learnt"}, "#/dataset"),
        ({"kind": "learnt", "dataset": 10**9}, "#/dataset"),
        ({"kind": "oracle"}, "#/kind"),
        ({"kind": "transformers", "folder": "../../etc"}, "#/folder"),
    ],
)
def test_what_a_kind_does_not_know_is_refused_at_its_field(fields, pointer, client, study):
    answer = post(client, MODELS, model(study, **fields))
    assert answer.status_code == 422
    assert pointer in [error.get("pointer") for error in answer.json()["errors"]]
    assert not Model.objects.exists() and not Job.objects.exists()


def test_a_run_is_started_once_and_measured(client, study, dataset, work):
    made = post(client, MODELS, model(study, kind="majority", label="entailment")).json()
    body = {"model": made["id"], "dataset": dataset.pk}
    first, again = post(client, RUNS, body), post(client, RUNS, body)
    assert first.status_code == 201 and first.json()["id"] == again.json()["id"]
    assert Run.objects.count() == 1
    work()
    run = client.get(first["Location"]).json()
    assert (run["state"], run["prediction_count"]) == ("done", 3)
    predictions = client.get("/api/v1/predictions/", {"run": run["id"]}).json()["results"]
    assert {row["label"] for row in predictions} == {"entailment"}
    (score,) = client.get(first["Location"] + "scores/").json()
    assert score["overall"] == {"right": 2, "total": 3, "share": pytest.approx(2 / 3)}
    assert score["by_direction"]["downward"]["total"] == 3


def test_the_folders_of_models_are_listed(client, settings, tmp_path):
    settings.MODELS_DIR = tmp_path
    found = client.get(MODELS + "folders/").json()
    assert found["folders"] == [] and isinstance(found["missing_libraries"], list)


def test_others_register_and_run_nothing(study, dataset, client, olaf, ben, token_client):
    made = post(client, MODELS, model(study, kind="majority", label="entailment")).json()
    for user in (olaf, ben):
        other = token_client(user)
        assert post(other, MODELS, model(study, kind="overlap", threshold=0.5)).status_code == 422
        assert post(other, RUNS, {"model": made["id"], "dataset": dataset.pk}).status_code == 422
    assert not Run.objects.exists()


# ---- The dashboard's figures --------------------------------------------------------------------


def comparison(client, dataset, **query):
    return client.get(f"/api/v1/datasets/{dataset.pk}/comparison/", query)


def test_people_calculus_and_models_are_counted_against_each_other(client, study, fill):
    dataset = fill(study)["pairs"].dataset
    found = comparison(client, dataset).json()
    assert (found["pairs"], found["judged"], found["labelled"], found["filed"]) == (1, 1, 1, 1)
    assert [source["key"] for source in found["sources"]][:3] == ["human", "calculus", "file"]
    between = {(row["one"], row["two"]): row for row in found["confusions"]}
    row = between["human", "calculus"]
    assert row["counts"] == {"entailment": {"entailment": 1}}
    assert row["agreement"]["value"] is None and "undefined" in row["agreement"]["text"]
    assert found["people"]["value"] is None
    assert found["matches"]["judgements"] == 1
    assert found["matches"]["counts"]["1"]["downward"] == 1
    assert found["reference"] == "file"
    scores = {row["source"]: row["scores"]["all"] for row in found["accuracy"]}
    assert scores["baseline"] == scores["calculus"] == {"right": 1, "total": 1, "share": 1.0}


def test_what_accuracy_is_measured_against_is_chosen(client, study, fill):
    dataset = fill(study)["pairs"].dataset
    assert comparison(client, dataset, against="human").json()["reference"] == "human"
    for query in ({"against": "oracle"}, {"judgements": "x"}, {"judgements": "9999"}, {"colour": "red"}):
        answer = comparison(client, dataset, **query)
        assert answer.status_code == 400
        assert answer.json()["errors"][0]["parameter"] == next(iter(query))


def test_an_empty_dataset_has_figures_of_nothing(client, study, ada):
    found = comparison(client, dataset_create(study=study, actor=ada, name="Empty")).json()
    assert (found["pairs"], found["sources"], found["accuracy"], found["reference"]) == (0, [], [], None)
    assert "undefined" in found["people"]["text"]


def test_figures_are_for_the_studys_researchers(study, dataset, olaf, ben, token_client):
    for user in (olaf, ben):
        assert comparison(token_client(user), dataset).status_code == 404


def test_through_the_api_the_order_is_returned_and_can_be_confirmed_later(
    client, study, settings, tmp_path, work
):
    from tests.inference.onnx_folders import LABELS, onnx_folder

    settings.MODELS_DIR = tmp_path
    onnx_folder(tmp_path / "o")
    assert post(client, MODELS, model(study, kind="onnx", folder="o")).status_code == 202
    work()
    pk = Model.objects.get().pk
    told = client.get(f"{MODELS}{pk}/").json()
    assert (told["labels"], told["confirmed"], told["smoke_test"]["right"]) == (list(LABELS), False, 5)
    for _time in range(2):
        answer = post(client, f"{MODELS}{pk}/confirm/")
        assert (answer.status_code, answer.json()["confirmed"]) == (200, True)
    assert AuditEvent.objects.filter(action="model.confirmed").count() == 1


def test_a_model_without_outputs_has_nothing_to_confirm(client, study):
    pk = post(client, MODELS, model(study, kind="overlap", threshold=0.5)).json()["id"]
    assert post(client, f"{MODELS}{pk}/confirm/").status_code == 422


def test_scores_say_in_words_what_must_be_known_beside_them(client, study, dataset, work):
    pk = post(client, MODELS, model(study, kind="overlap", threshold=0.99)).json()["id"]
    run = post(client, RUNS, {"model": pk, "dataset": dataset.pk}).json()["id"]
    work()
    scores = client.get(f"{RUNS}{run}/scores/").json()
    assert {verdict["code"] for score in scores for verdict in score["verdicts"]} == {"no-better"}
