"""Bringing pairs in on the pages, step by step, with JavaScript off."""

from __future__ import annotations

import io
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from apps.datasets.models import Pair
from apps.imports.models import PairDraft

pytestmark = pytest.mark.django_db

MED = (
    "sentence1\tsentence2\tgold_label\tgenre\n"
    "No dog ran.\tNo small dog ran.\tentailment\tcrowd:downward_monotone:npi\n"
)


@pytest.fixture
def client(client_of, rosa):
    return client_of(rosa)


@pytest.fixture
def upload(client, study):
    """Send a file; returns the page that follows."""

    def send(content: str | bytes, name: str = "pairs.tsv", **fields) -> str:
        data = content if isinstance(content, bytes) else content.encode()
        file = SimpleUploadedFile(name, data)
        url = reverse("imports:new", args=[study.slug])
        response = client.post(url, {"file": file, "name": "In", **fields}, follow=True)
        assert response.status_code == 200
        return response.content.decode()

    return send


@pytest.fixture
def post(client, study):
    """Send a step of the only draft; returns the page that follows."""

    def send(step: str, status: int = 200, **fields) -> str:
        url = reverse(f"imports:{step}", args=[study.slug, PairDraft.objects.get().pk])
        response = client.post(url, fields, follow=True)
        assert response.status_code == status
        return response.content.decode()

    return send


def test_upload_preview_and_commit(upload, post):
    page = upload(MED)
    assert (
        "Nothing is stored yet." in page
        and "Store 1 new pair" in page
        and '<bdi translate="no">downward</bdi> 1' in page
    )
    assert not Pair.objects.exists()
    page = post("commit")
    assert '<bdi translate="no">pairs.tsv</bdi> is in' in page
    assert Pair.objects.get().tags.get().name == "npi"


def test_bad_rows_are_listed_and_stop_the_commit(upload, post):
    page = upload(MED + "<b>One.\n")
    assert "Cells in this row: 1" in page
    assert "Nothing was stored: 1 rows are bad" in post("commit")
    assert not Pair.objects.exists()
    post("commit", skip_bad="on")
    assert Pair.objects.count() == 1


def test_unknown_columns_are_mapped(upload, post):
    page = upload("first\tsecond\tthird\nOne.\tTwo.\t0\n")
    assert "Say what each column holds" in page
    assert "Say which column holds a premise" in post("columns", 422, column_0="premises")
    page = post("columns", column_0="premises", column_1="hypothesis", column_2="label")
    assert "What “0” stands for" in page and "Store 1 new pair" not in page
    assert "Store 1 new pair" in post("labels", label_0="entailment")
    post("commit")
    assert Pair.objects.get().gold_labels.get().label == "entailment"


def test_labels_that_nobody_knows_are_asked_about(upload, post):
    page = upload(
        "sentence1\tsentence2\tlabel\nA.\tB.\t0\nC.\tD.\t-1\nE.\tF.\tcontradictory\nG.\tH.\tno\nI.\tJ.\tneutral\n"
    )
    assert "Is it “contradiction”? Say what it stands for" in page
    assert page.count(" selected>contradiction<") == 2 and " selected>no label<" in page
    page = post(
        "labels", label_0="entailment", label_1="none", label_2="contradiction", label_3="contradiction"
    )
    assert "Store 5 new pairs" in page and "Bad rows</h2>" not in page
    post("commit")
    pairs = Pair.objects.order_by("pk")
    assert [[gold.label for gold in pair.gold_labels.all()] for pair in pairs] == [
        ["entailment"],
        [],
        ["contradiction"],
        ["contradiction"],
        ["non-entailment"],
    ]


def test_what_a_label_stands_for_can_be_said_anew(upload, post):
    upload("sentence1\tsentence2\tlabel\nA.\tB.\t0\nC.\tD.\t1\n")
    page = post("labels", label_0="entailment", label_1="neutral")
    assert page.count(" selected>") == 2 and "Store 2 new pairs" in page
    page = post("labels", label_0="entailment", label_1="")
    assert "Nobody knows these labels" in page and "Store the 1 good pair" in page


def test_the_first_row_may_be_a_pair(upload, post):
    upload("One.\tTwo.\n")
    page = post("columns", turn_header="1")
    assert "column 1" in page
    post("columns", column_0="premises", column_1="hypothesis")
    post("commit")
    assert Pair.objects.get().premise == "One."


def test_another_encoding_is_shown_and_accepted(upload, post):
    page = upload(MED.replace("dog", "chién").encode("cp1252"))
    assert "Read as CP1252" in page and "No chién ran." in page
    assert "Store 1 new pair" in post("choose", encoding="cp1252")


def test_a_file_of_an_archive_is_chosen(upload, post):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("dev.tsv", MED)
        archive.writestr("test.tsv", MED.replace("dog", "cat"))
    page = upload(file.getvalue(), "both.zip")
    assert "dev.tsv" in page and "test.tsv" in page
    post("choose", member="test.tsv")
    post("commit")
    assert Pair.objects.get().premise == "No cat ran."


def test_a_file_that_can_t_be_read_says_why(upload):
    assert "no readable Parquet" in upload(b"PAR1 nothing")


def test_a_file_is_thrown_away(upload, post, settings):
    upload(MED)
    assert "nothing was stored" in post("discard")
    assert not PairDraft.objects.exists()


def test_a_large_file_shows_its_job(upload, post, work, client, study, monkeypatch):
    monkeypatch.setattr("apps.imports.uploads.BYTES_A_REQUEST", 10)
    monkeypatch.setattr("apps.imports.drafts.ROWS_A_REQUEST", 0)
    assert "The file is being read" in upload(MED)
    work()
    assert "The pairs are being stored" in post("commit")
    work()
    url = reverse("imports:draft", args=[study.slug, PairDraft.objects.get().pk])
    assert "is in" in client.get(url).content.decode()


def test_the_pair_s_page_shows_source_and_facts(upload, post, client, study):
    upload(
        MED.replace("gold_label\tgenre", "gold_label\tpairID").replace("crowd:downward_monotone:npi", "p-17")
    )
    post("commit")
    page = client.get(reverse("curation:pair", args=[study.slug, Pair.objects.get().pk])).content.decode()
    assert "pairID" in page and "p-17" in page


def test_others_drafts_are_not_there(upload, client_of, olaf, ben, study):
    upload(MED)
    url = reverse("imports:draft", args=[study.slug, PairDraft.objects.get().pk])
    assert client_of(olaf).get(url).status_code == 404
    assert client_of(ben).get(url).status_code == 403
