"""Gold rules and releases through the API, up to the file."""

import hashlib
import io
import zipfile

import pytest

from apps.curation.adjudication import pair_adjudicate
from apps.datasets.models import Dataset
from apps.datasets.services import dataset_create, pair_get_or_create
from apps.releases.models import Release

pytestmark = pytest.mark.both

RULES, RELEASES = "/api/v1/gold-rules/", "/api/v1/releases/"


@pytest.fixture
def client(ada, study, token_client):
    return token_client(ada)


def post(client, path, body=None, **headers):
    return client.post(path, body or {}, content_type="application/json", headers=headers)


@pytest.fixture
def dataset(study, ada):
    dataset = dataset_create(study=study, actor=ada, name="Farm", licence="CC0", source="us")
    for number in range(4):
        pair = pair_get_or_create(
            dataset=dataset,
            premises=[(f"Dog {number} barks.", None)],
            hypothesis=f"Old dog {number} barks.",
            origin="import",
            direction="upward",
        )
        if number:
            pair_adjudicate(pair=pair, actor=ada, label="non-entailment")
    return dataset


def decided(dataset, **more):
    return {"dataset": dataset.pk, "rule": "adjudicated", "judgements": 0, "swaps": False, **more}


def test_a_rule_has_versions_and_the_same_again_is_the_same(client, study):
    body = {"study": study.slug, "name": "Mine", "rule": "at-least", "judgements": 3, "matches": 2}
    first = post(client, RULES, body)
    assert first.status_code == 201 and first.json()["version"] == 1
    assert post(client, RULES, body).json()["id"] == first.json()["id"]
    assert post(client, RULES, {**body, "matches": 3}).json()["version"] == 2
    wrong = post(client, RULES, {**body, "judgements": 2, "matches": 3})
    assert wrong.status_code == 422 and wrong.json()["errors"][0]["pointer"] == "#/matches"


def test_a_rule_of_probabilities_is_worked_out_by_a_job_and_no_other_is(client, study, dataset):
    body = {"study": study.slug, "name": "P", "rule": "mace", "posterior": 0.8}
    probable = post(client, RULES, body)["Location"]
    answer = post(client, probable + "work-out/", {"dataset": dataset.pk})
    assert answer.status_code == 202 and answer.json()["kind"] == "datasets.rule"
    plain = post(client, RULES, {**body, "rule": "majority"})["Location"]
    assert post(client, plain + "work-out/", {"dataset": dataset.pk}).status_code == 422


def test_what_a_release_would_hold_is_counted_and_nothing_stored(client, dataset):
    found = post(client, RELEASES + "preview/", decided(dataset)).json()
    assert (found["there"], found["pairs"], found["empty_because"]) == (4, 3, "")
    upward = next(row for row in found["table"] if row["direction"] == "upward")
    assert upward["labels"] == {"entailment": 0, "non-entailment": 3}
    nothing = post(client, RELEASES + "preview/", {"dataset": dataset.pk}).json()
    assert nothing["pairs"] == 0 and nothing["empty_because"]
    assert not Release.objects.exists()


def test_a_release_is_made_once_under_its_key_and_its_file_downloaded(client, dataset, work):
    answers = [
        post(client, RELEASES, decided(dataset, seed=7), **{"Idempotency-Key": "r1"}) for _time in range(2)
    ]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert Release.objects.count() == 1
    row = answers[0].json()
    assert row["download"] is None and row["options"]["seed"] == 7
    early = client.get(answers[0]["Location"] + "download/", headers={"Accept": "application/zip"})
    assert early.status_code == 404 and early["Content-Type"] == "application/problem+json"
    work()
    row = client.get(answers[0]["Location"]).json()
    file = client.get(row["download"], headers={"Accept": "application/zip"})
    assert file["Content-Type"] == "application/zip" and file.streaming
    content = b"".join(file.streaming_content)
    assert hashlib.sha256(content).hexdigest() == row["sha256"]
    assert zipfile.ZipFile(io.BytesIO(content)).testzip() is None
    assert row["manifest"]["counts"]["pairs"]["total"] == 3


def test_a_named_rule_takes_the_place_of_the_fields(client, dataset, study):
    rule = post(client, RULES, {"study": study.slug, "name": "D", "rule": "adjudicated", "judgements": 0})
    body = {"dataset": dataset.pk, "gold_rule": rule.json()["id"], "rule": "majority"}
    row = post(client, RELEASES, body).json()
    assert (row["rule"], row["gold_rule"]) == ("adjudicated", rule.json()["id"])


@pytest.mark.parametrize(
    ("field", "value"),
    [("train", 50), ("rule", "mine"), ("seed", -1), ("posterior", 0.1), ("dataset", 10**9), ("colour", 1)],
)
def test_choices_that_make_no_sense_are_refused_at_their_field(field, value, client, dataset):
    answer = post(client, RELEASES, decided(dataset) | {field: value})
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["pointer"] == f"#/{field}"
    assert not Release.objects.exists()


def test_a_token_needs_the_scope_release(ada, dataset, token_client):
    writer = token_client(ada, "read", "write")
    assert post(writer, RELEASES, decided(dataset)).status_code == 403
    assert post(writer, RELEASES + "preview/", decided(dataset)).status_code == 200
    assert post(token_client(ada, "read", "release"), RELEASES, decided(dataset)).status_code == 201


def test_others_release_nothing_and_another_studys_rule_is_none(
    client, dataset, study, olaf, ben, token_client
):
    for user in (olaf, ben):
        assert post(token_client(user), RELEASES, decided(dataset)).status_code == 422
    theirs = post(
        token_client(olaf), RULES, {"study": "another-study", "name": "T", "rule": "majority"}
    ).json()
    answer = post(client, RELEASES, {"dataset": dataset.pk, "gold_rule": theirs["id"]})
    assert answer.status_code == 422 and answer.json()["errors"][0]["pointer"] == "#/gold_rule"
    assert not Release.objects.exists()


def test_the_pairs_of_test_questions_are_released_by_nobody(client, study):
    tests = Dataset.objects.create(study=study, name="Tests", kind="tests")
    assert post(client, RELEASES, {"dataset": tests.pk}).status_code == 422
