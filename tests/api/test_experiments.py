"""Experiments through the API; what they do is tested with their services."""

from __future__ import annotations

import pytest

from apps.experiments.models import Experiment
from apps.jobs import runner
from apps.jobs.models import Job
from tests.experiments.conftest import SMALL, tiny_network  # noqa: F401 - a fixture
from tests.experiments.test_experiments import rows_tested

EXPERIMENTS = "/api/v1/experiments/"
PROTOCOLS = "/api/v1/protocols/"


@pytest.fixture
def client(ada, study, token_client):
    return token_client(ada)


def post(client, path, body=None):
    return client.post(path, body or {}, content_type="application/json")


def test_from_a_protocol_to_its_first_lines(client, study):
    body = {"study": study.slug, "name": "Deeper", "protocol": "systematicity_localism", "preset": "smoke"}
    made = post(client, EXPERIMENTS, body)
    assert made.status_code == 201 and made.json()["sizes"]["seeds"] == 2
    experiment = Experiment.objects.get()
    runner.run(experiment.job_id)
    row = client.get(made["Location"]).json()
    assert [split["training"] for split in row["splits"]] == ["D2", "D3", "D4", "D5"]
    results = client.get(made["Location"] + "results/").json()
    assert (results["trainings"], results["done"]) == (12, 0)
    line = next(one for one in results["lines"] if (one["trained_on"], one["tested_on"]) == ("D3", "D2"))
    assert {"contestant": "lstm", "mean": 0.473, "sd": 0.121} in line["published"] and line["pairs"] == 500
    assert [reached["contestant"] for reached in line["reached"]] == ["majority"]

    split = experiment.splits.first()
    said = [{"id": row["id"], "label": row["label"]} for row in rows_tested(split)]
    answer = {"split": split.pk, "contestant": "RoBERTa", "answers": said}
    assert post(client, made["Location"] + "answers/", answer).status_code == 201
    lines = client.get(made["Location"] + "results/").json()["lines"]
    reached = {"contestant": "RoBERTa", "mean": 1.0, "sd": None, "seeds": 1}
    reached["by_seed"] = [{"rows": 0, "seed": 1, "share": 1.0}]
    assert reached in lines[0]["reached"]
    back = made["Location"] + "answers/?contestant="
    assert client.delete(back + "BERT").status_code == 422
    assert client.delete(back + "RoBERTa").status_code == 204
    left = client.get(made["Location"] + "results/").json()["lines"][0]["reached"]
    assert [reached["contestant"] for reached in left] == ["majority"]
    wrong = {"split": split.pk, "contestant": "Other", "answers": [{"id": "test-1", "label": "maybe"}]}
    refused = post(client, made["Location"] + "answers/", wrong)
    assert refused.status_code == 422 and "line 1" in refused.content.decode()
    assert [error["pointer"] for error in refused.json()["errors"]] == ["#/answers"]
    turned = post(client, made["Location"] + "answers/", {**answer, "contestant": "a\u202eb"})
    assert [error["pointer"] for error in turned.json()["errors"]] == ["#/contestant"]
    assert post(client, made["Location"] + "answers/", {**answer, "split": 9999}).status_code == 422

    assert post(client, made["Location"] + "cancel/").status_code == 200
    assert not Job.objects.filter(kind="inference.network", state=Job.State.QUEUED).exists()


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"protocol": "astrology"}, "protocol"),
        ({"preset": "huge"}, "preset"),
        ({"networks": ["gru"]}, "networks"),
        ({"protocol": "transitivity_conditions"}, "roles"),
        ({"roles": {"nli": "dataset:1"}}, "roles"),
    ],
)
def test_what_can_not_be_run_is_refused_at_its_field(change, field, client, study):
    body = {"study": study.slug, "name": "Deeper", "protocol": "systematicity_localism", **change}
    answer = post(client, EXPERIMENTS, body)
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["pointer"].startswith(f"#/{field}")
    assert not Experiment.objects.exists()


def test_a_protocol_of_ones_own_is_brought_in_run_and_removed(client, study):
    own = {"study": study.slug, "name": "mine", "text": SMALL}
    refused = post(client, PROTOCOLS, {**own, "text": SMALL.replace("seeds = 2", "seeds = -1", 1)})
    assert refused.status_code == 422
    error = refused.json()["errors"][0]
    assert error["pointer"].startswith("#/text") and "presets.smoke: seeds" in error["detail"]
    made = post(client, PROTOCOLS, own)
    assert made.status_code == 201 and made.json()["text"] == SMALL
    assert post(client, PROTOCOLS, own).status_code == 422
    body = {"study": study.slug, "name": "Mine", "protocol": "mine", "preset": "smoke"}
    experiment = post(client, EXPERIMENTS, body)
    assert experiment.status_code == 201
    assert experiment.json()["protocol_sha256"] == made.json()["sha256"]
    assert client.delete(made["Location"]).status_code == 204
    kept = client.get(experiment["Location"] + "protocol/").json()
    assert kept == {"name": "mine", "sha256": made.json()["sha256"], "text": SMALL}
    assert post(client, EXPERIMENTS, {**body, "name": "Again"}).status_code == 422


def test_an_experiment_is_renamed_archived_and_deleted(client, study):
    body = {"study": study.slug, "name": "Deeper", "protocol": "systematicity_localism", "preset": "smoke"}
    address = post(client, EXPERIMENTS, body)["Location"]
    renamed = client.patch(address, {"name": "Down"}, content_type="application/json")
    assert renamed.status_code == 200 and renamed.json()["name"] == "Down"
    assert post(client, address + "archive/", {"archived": True}).status_code == 422
    post(client, address + "cancel/")
    assert post(client, address + "archive/", {"archived": True}).json()["archived_at"]
    assert client.delete(address).status_code == 204
    assert not Experiment.objects.exists()
