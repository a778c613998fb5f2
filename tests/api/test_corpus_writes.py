"""Sentences in, parses, blanks: what the pages do, through the API."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from apps.corpora.models import Blank, CorpusDraft, Parse, Sentence, StopExpression
from apps.jobs.models import Job

pytestmark = pytest.mark.both

ORIGIN = {"licence": "CC0", "source": "ourselves"}
SENTENCES = """\
Every small dog chased some cat in the garden.
No student in this town reads old books.
Every small dog chased some cat in the garden.
"""


@pytest.fixture
def client(ada, study, token_client):
    return token_client(ada)


@pytest.fixture
def send(client):
    def send(method, address, body=None, status=200):
        answer = getattr(client, method)(f"/api/v1/{address}", body or {}, content_type="application/json")
        assert answer.status_code == status, answer.content
        return answer.json() if answer.content else None

    return send


@pytest.fixture
def upload(client, study):
    def upload(content, name="dogs.txt", **fields):
        file = SimpleUploadedFile(name, content if isinstance(content, bytes) else content.encode())
        answer = client.post(
            "/api/v1/corpus-drafts/", {"study": study.slug, "file": file, **ORIGIN, **fields}
        )
        assert answer.status_code == 201, answer.content
        return answer.json()

    return upload


def test_a_text_is_looked_at_and_then_stored_once(send, study):
    body = {"study": study.slug, "name": "Dogs", "text": SENTENCES, **ORIGIN}
    draft = send("post", "corpus-drafts/", body, 201)
    assert draft["state"] == "ready"
    counts = {name: draft["preview"][name] for name in ("new", "duplicates", "stored", "bad")}
    assert counts == {"new": 2, "duplicates": 1, "stored": 0, "bad": 0}
    assert not Sentence.objects.exists()
    for _time in range(2):
        done = send("post", f"corpus-drafts/{draft['id']}/commit/")
        assert (done["state"], done["result"]["new"]) == ("committed", 2)
    assert Sentence.objects.filter(corpus=done["corpus"]).count() == 2


def test_bad_rows_are_numbered_and_store_nothing_unless_left_out(send, upload):
    """CASES: all or nothing, by row."""
    draft = upload("A good dog.\n" + "x" * 20_001 + "\nAnother dog.\n")
    (error,) = draft["preview"]["errors"]
    assert error["row"] == 2
    refused = send("post", f"corpus-drafts/{draft['id']}/commit/", {}, 422)
    assert "1 row is bad" in refused["detail"]
    assert not Sentence.objects.exists()
    done = send("post", f"corpus-drafts/{draft['id']}/commit/", {"skip_bad": True})
    assert (done["result"]["new"], done["result"]["skipped"]) == (2, 1)


def test_a_table_waits_for_its_column(send, upload):
    draft = upload("id,sentence\n1,A dog barked.\n2,A cat slept.\n", "dogs.csv")
    assert draft["state"] == "column"
    assert [column["header"] for column in draft["columns"]] == ["id", "sentence"]
    ready = send("post", f"corpus-drafts/{draft['id']}/column/", {"column": 1, "id_column": 0})
    assert (ready["state"], ready["preview"]["new"]) == ("ready", 2)
    assert send("post", f"corpus-drafts/{draft['id']}/column/", {"column": 9}, 422)


def test_another_encoding_waits_to_be_accepted(send, upload):
    draft = upload("Ein Hündchen bellt über die Straße.\n".encode("cp1252"))
    assert (draft["state"], draft["preview"]) == ("encoding", None)
    ready = send("post", f"corpus-drafts/{draft['id']}/encoding/", {"encoding": "cp1252"})
    assert ready["preview"]["rows"][0]["text"] == "Ein Hündchen bellt über die Straße."


def test_a_draft_is_thrown_away(client, send, upload):
    draft = upload(SENTENCES)
    send("delete", f"corpus-drafts/{draft['id']}/", status=204)
    assert not CorpusDraft.objects.exists()


def test_a_form_sent_again_with_its_key_is_the_same_request(client, study):
    """The boundary of a form is drawn anew each time."""

    def post():
        body = {"study": study.slug, "file": SimpleUploadedFile("dogs.txt", b"A dog barked."), **ORIGIN}
        return client.post("/api/v1/corpus-drafts/", body, headers={"Idempotency-Key": "k"})

    first, second = post(), post()
    assert (first.status_code, second.status_code) == (201, 201)
    assert first.json() == second.json()
    assert CorpusDraft.objects.count() == 1


@pytest.fixture
def parsed(send, upload, work):
    """A corpus that came in and was parsed, all through the API."""
    draft = upload(SENTENCES, name="dogs.txt")
    corpus = send("post", f"corpus-drafts/{draft['id']}/commit/")["corpus"]
    job = send("post", f"corpora/{corpus}/parse/", {"convention": "default"}, 202)
    assert job["state"] == "queued"
    work()
    return corpus


def test_a_corpus_is_parsed_by_one_job_at_a_time(send, upload):
    draft = upload(SENTENCES)
    corpus = send("post", f"corpus-drafts/{draft['id']}/commit/")["corpus"]
    first = send("post", f"corpora/{corpus}/parse/", {}, 202)
    assert send("post", f"corpora/{corpus}/parse/", {}, 202)["id"] == first["id"]
    assert Job.objects.count() == 1
    refused = send("post", f"corpora/{corpus}/parse/", {"convention": "none"}, 422)
    assert "none" in refused["detail"]


def test_parses_are_drawn_and_checked(send, parsed):
    (group,) = send("get", f"corpora/{parsed}/markings/")
    sample = send("post", f"corpora/{parsed}/samples/", {"size": 2, "seed": 3, "group": group["key"]}, 201)
    first, second = send("get", f"parse-checks/?sample={sample['id']}")["results"]
    assert first["tokens"][0]["sign"] in "↑↓="
    send("patch", f"parse-checks/{first['id']}/", {"verdict": "right"})
    send("patch", f"parse-checks/{second['id']}/", {"verdict": "wrong", "note": "no"})
    found = send("get", f"parse-samples/{sample['id']}/")
    assert (found["right"], found["wrong"]) == (1, 1)
    assert send("post", f"corpora/{parsed}/samples/", {"size": 3}, 422)["errors"]


def test_blanks_of_a_doubtful_parse_are_counted_and_left_out_unless_asked_for(send, study, parsed):
    Parse.objects.filter(sentence__text__startswith="No student").update(confidence=0.6)

    def preview(**filters):
        return send("post", "blank-sets/preview/", {"study": study.slug, "filters": filters})

    without, with_them = preview(), preview(doubtful=True)
    assert without["doubtful"]["sentences"] == with_them["sentences"] - without["sentences"] == 1
    assert with_them["total"] == without["total"] + without["doubtful"]["blanks"]
    body = {"study": study.slug, "name": "All", "filters": {"doubtful": True}}
    made = send("post", "blank-sets/", body, 201)
    found = send("get", "blanks/", {"blank_set": made["id"], "parse_sure": 0.75})["results"]
    assert {row["sentence_text"] for row in found} == {"Every small dog chased some cat in the garden."}


def test_what_would_be_a_blank_is_counted_before_it_is_picked(send, study, parsed):
    body = {"study": study.slug, "filters": {"direction": "down"}}
    found = send("post", "blank-sets/preview/", body)
    assert found["total"] == found["directions"]["down"] > 0
    assert {item["polarity"] for item in found["sample"]} == {"down"}
    assert not Blank.objects.exists()
    made = send("post", "blank-sets/", {**body, "name": "Downward"}, 201)
    assert made["blank_count"] == found["total"]
    taken = send("post", "blank-sets/", {**body, "name": "Downward"}, 422)
    assert taken["errors"][0]["pointer"] == "#/name"
    pilot = send("post", f"blank-sets/{made['id']}/pilots/", {"size": 1}, 201)
    assert (pilot["pilot_of"], pilot["blank_count"]) == (made["id"], 1)


def test_a_wrong_filter_is_pointed_at(send, study):
    body = {"study": study.slug, "name": "x", "filters": {"minimum": 5, "maximum": 2}}
    refused = send("post", "blank-sets/", body, 422)
    assert [error["pointer"] for error in refused["errors"]] == ["#/filters/maximum"]


def test_the_stop_list_is_kept(send, study):
    body = {"study": study.slug, "expression": "No  TIME"}
    entry = send("post", "stop-expressions/", body, 201)
    assert entry["expression"] == "no time"
    assert send("post", "stop-expressions/", body, 201)["id"] == entry["id"]
    send("delete", f"stop-expressions/{entry['id']}/", status=204)
    assert not StopExpression.objects.exists()
