"""Pairs from a file through the API, in two phases: a draft with its preview, then one commit."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from apps.datasets.models import Dataset, Pair
from apps.imports.models import PairDraft

pytestmark = pytest.mark.both

DRAFTS = "/api/v1/pair-drafts/"
GOOD = "premise\thypothesis\tlabel\nNo dogs bark.\tNo small dogs bark.\tentailment\n"
BAD = GOOD + "\tNo cats.\tentailment\nSome dogs bark.\tSome old dogs bark.\tperhaps\n"


@pytest.fixture
def client(ada, study, token_client):
    return token_client(ada)


def post(client, path, body=None, **headers):
    return client.post(path, body or {}, content_type="application/json", headers=headers)


def patch(client, path, body):
    return client.patch(path, body, content_type="application/json")


@pytest.fixture
def upload(client, study):
    def send(text, file_name="farm.tsv", **more):
        body = {"study": study.slug, "name": "Farm", "text": text, "file_name": file_name, **more}
        return post(client, DRAFTS, body)

    return send


def test_a_text_becomes_a_draft_and_then_a_dataset(client, upload):
    answer = upload(GOOD, licence="CC0", source="us")
    draft = answer.json()
    assert answer.status_code == 201 and draft["state"] == "ready"
    assert (draft["preview"]["new"], draft["preview"]["labels"]) == (1, {"entailment": 1})
    assert not Pair.objects.exists()
    done = post(client, answer["Location"] + "commit/")
    assert done.status_code == 200 and done.json()["state"] == "committed"
    dataset = Dataset.objects.get(name="Farm")
    assert (done.json()["dataset"], dataset.licence, dataset.pairs.count()) == (dataset.pk, "CC0", 1)
    again = post(client, answer["Location"] + "commit/")
    assert again.status_code == 200 and Pair.objects.count() == 1


def test_bad_rows_are_numbered_and_store_nothing_unless_they_are_left_out(client, upload):
    answer = upload(BAD)
    errors = answer.json()["preview"]["errors"]
    assert [error["row"] for error in errors] == [2, 3]
    refused = post(client, answer["Location"] + "commit/")
    assert refused.status_code == 422 and "2 rows are bad" in refused.json()["detail"]
    assert not Pair.objects.exists()
    assert post(client, answer["Location"] + "commit/", {"skip_bad": True}).json()["result"]["skipped"] == 2
    assert Pair.objects.count() == 1


def test_a_file_is_uploaded_in_a_form(client, study):
    body = {"study": study.slug, "file": SimpleUploadedFile("farm.tsv", GOOD.encode())}
    answer = client.post(DRAFTS, body)
    assert answer.status_code == 201
    assert (answer.json()["name"], answer.json()["state"]) == ("farm", "ready")


def test_columns_without_usual_names_are_mapped(client, upload):
    answer = upload("context,claim,gold\nNo dogs bark.,No old dogs bark.,0\n", "farm.csv")
    draft = answer.json()
    assert draft["state"] == "columns"
    assert [column["name"] for column in draft["columns"]] == ["context", "claim", "gold"]
    assert post(client, answer["Location"] + "commit/").status_code == 422
    mapping = {"premises": ["context"], "hypothesis": "claim", "label": "gold"}
    wrong = patch(client, answer["Location"], {"mapping": {**mapping, "hypothesis": "nothing"}})
    assert wrong.status_code == 422 and "“nothing”" in wrong.json()["detail"]
    twice = patch(client, answer["Location"], {"mapping": {**mapping, "hypothesis": "context"}})
    assert twice.status_code == 422 and "twice" in twice.json()["detail"]
    settled = patch(client, answer["Location"], {"mapping": {**mapping, "values": {"0": "entailment"}}})
    assert settled.json()["state"] == "ready"
    assert settled.json()["preview"]["labels"] == {"entailment": 1}


def test_an_encoding_is_chosen(client, study):
    text = "premise\thypothesis\tlabel\nNo café is open.\tNo old café is open.\tentailment\n"
    file = SimpleUploadedFile("farm.tsv", text.encode("cp1252"))
    answer = client.post(DRAFTS, {"study": study.slug, "file": file})
    draft = answer.json()
    assert draft["state"] == "encoding" and draft["guess"] and draft["problem"]
    read = patch(client, answer["Location"], {"encoding": "cp1252"}).json()
    assert read["preview"]["samples"][0]["premises"] == ["No café is open."]


def test_a_large_file_is_read_and_stored_by_jobs(client, upload, work, monkeypatch):
    from apps.imports import drafts, uploads

    monkeypatch.setattr(uploads, "BYTES_A_REQUEST", 10)
    monkeypatch.setattr(drafts, "ROWS_A_REQUEST", 0)
    answer = upload(GOOD)
    assert answer.json()["state"] == "reading" and answer.json()["job"]
    work()
    assert client.get(answer["Location"]).json()["state"] == "ready"
    storing = post(client, answer["Location"] + "commit/")
    assert storing.status_code == 202 and storing.json()["state"] == "storing"
    assert client.get(f"/api/v1/jobs/{storing.json()['job']}/").status_code == 200
    work()
    assert client.get(answer["Location"]).json()["state"] == "committed"


def test_a_draft_is_thrown_away_and_a_committed_one_is_not(client, upload):
    first, second = upload(GOOD)["Location"], upload(GOOD)["Location"]
    assert client.delete(first).status_code == 204 and client.get(first).status_code == 404
    post(client, second + "commit/")
    assert client.delete(second).status_code == 422
    assert patch(client, second, {"encoding": "utf-8"}).status_code == 422


def test_the_same_upload_sent_again_makes_one_draft(client, study):
    body = {"study": study.slug, "text": GOOD}
    answers = [post(client, DRAFTS, body, **{"Idempotency-Key": "k"}).json() for _time in range(2)]
    assert answers[0] == answers[1] and PairDraft.objects.count() == 1


def test_others_find_no_draft_and_make_none(upload, study, olaf, ben, token_client):
    path = upload(GOOD)["Location"]
    for user in (olaf, ben):
        other = token_client(user)
        assert other.get(path).status_code == 404
        assert post(other, path + "commit/").status_code == 404
        assert post(other, DRAFTS, {"study": study.slug, "text": GOOD}).status_code == 422


def test_what_labels_stand_for_is_said_and_said_anew(client, upload):
    answer = upload("premise\thypothesis\tlabel\nA.\tB.\t0\nC.\tD.\t-1\nE.\tF.\tentails\n")
    draft = answer.json()
    assert draft["preview"]["unknown"] == [
        {"found": "0", "rows": 1, "suggested": ""},
        {"found": "-1", "rows": 1, "suggested": "none"},
        {"found": "entails", "rows": 1, "suggested": "entailment"},
    ]
    refused = patch(client, answer["Location"], {"values": {"0": "perhaps"}})
    assert refused.status_code == 422
    said = {"0": "contradiction", "-1": "none", "entails": "entailment"}
    read = patch(client, answer["Location"], {"values": said}).json()
    assert (read["state"], read["preview"]["unknown"], read["preview"]["bad"]) == ("ready", [], 0)
    post(client, answer["Location"] + "commit/")
    labels = Pair.objects.order_by("pk").values_list("gold_labels__label", flat=True)
    assert list(labels) == ["contradiction", None, "entailment"]
