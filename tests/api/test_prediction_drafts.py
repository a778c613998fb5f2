"""Predictions from a file through the API, in two phases: a draft with its preview, then one commit."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from apps.datasets.services import dataset_create, pair_get_or_create
from apps.imports.models import PredictionDraft
from apps.inference.models import Run

pytestmark = pytest.mark.both

DRAFTS = "/api/v1/prediction-drafts/"


@pytest.fixture
def client(ada, study, token_client):
    return token_client(ada)


@pytest.fixture
def pair(study, ada):
    dataset = dataset_create(study=study, actor=ada, name="Farm")
    return pair_get_or_create(
        dataset=dataset, premises=[("No dogs bark.", None)], hypothesis="No small dogs bark.", origin="import"
    )


@pytest.fixture
def send(client):
    def post(path, body=None, method="post"):
        return getattr(client, method)(path, body or {}, content_type="application/json")

    return post


def test_a_text_becomes_a_draft_and_then_a_run(client, send, pair, work):
    text = f"pair_id\tlabel\tp_entailment\tp_neutral\n{pair.pk}\tentailment\t0.9\t0.1\n"
    answer = send(DRAFTS, {"dataset": pair.dataset_id, "model_name": "RoBERTa", "text": text})
    draft = answer.json()
    assert (answer.status_code, draft["state"], draft["version"]) == (201, "ready", "1")
    assert draft["preview"]["predictions"] == 1 and draft["preview"]["pending"] == 0
    storing = send(answer["Location"] + "commit/")
    assert storing.status_code == 202 and storing.json()["state"] == "storing" and storing.json()["job"]
    work()
    done = client.get(answer["Location"]).json()
    assert done["state"] == "committed" and done["run"] == Run.objects.get().pk
    assert send(answer["Location"] + "commit/").status_code == 200
    (said,) = client.get("/api/v1/predictions/", {"run": done["run"]}).json()["results"]
    assert said["label"] == "entailment" and said["scores"] == {"entailment": 0.9, "neutral": 0.1}


def test_bad_rows_and_unknown_labels_stop_a_commit_until_they_are_settled(client, send, pair):
    body = {"dataset": pair.dataset_id, "model_name": "M", "text": f"pair_id,pred\n{pair.pk},0\n9999,0\n"}
    answer = send(DRAFTS, body)
    assert answer.json()["preview"]["unknown"] == [{"found": "0", "rows": 2, "suggested": ""}]
    assert send(answer["Location"] + "commit/").status_code == 422
    settled = send(answer["Location"], {"values": {"0": "contradiction"}}, "patch").json()["preview"]
    assert (settled["predictions"], settled["unknown_pairs"]) == (1, 1)
    assert settled["labels"] == {"non-entailment": 1}
    assert settled["errors"][0]["row"] == 2
    assert send(answer["Location"] + "commit/", {"skip_bad": True}).status_code == 202


def test_bytes_of_another_encoding_ask_for_it(client, send, pair):
    file = SimpleUploadedFile("said.csv", f"pair_id,label,note\n{pair.pk},entailment,café\n".encode("cp1252"))
    answer = client.post(DRAFTS, {"dataset": pair.dataset_id, "model_name": "M", "file": file})
    assert answer.json()["state"] == "encoding" and answer.json()["guess"]
    read = send(answer["Location"], {"encoding": "cp1252"}, "patch").json()
    assert read["state"] == "ready" and read["preview"]["predictions"] == 1


def test_a_draft_is_thrown_away_and_nobody_elses(client, send, pair, olaf, token_client):
    body = {"dataset": pair.dataset_id, "model_name": "M", "text": f"pair_id,label\n{pair.pk},entailment\n"}
    address = send(DRAFTS, body)["Location"]
    theirs = token_client(olaf)
    assert theirs.get(address).status_code == theirs.delete(address).status_code == 404
    refused = theirs.post(DRAFTS, body, content_type="application/json")
    assert refused.status_code == 422 and refused.json()["errors"][0]["pointer"] == "#/dataset"
    assert client.delete(address).status_code == 204 and not PredictionDraft.objects.exists()
