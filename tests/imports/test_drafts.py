"""Two phases: a file is looked at, then stored once; large files in the background."""

from __future__ import annotations

import gzip

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from apps.datasets.models import Dataset, Pair
from apps.imports import background, drafts, services, uploads
from apps.jobs.models import Job
from apps.jobs.runner import run

pytestmark = [pytest.mark.django_db, pytest.mark.both]

HEADER = "sentence1\tsentence2\tgold_label\n"


def rows(count: int, start: int = 0) -> str:
    return "".join(f"No dog {n} ran.\tNo small dog {n} ran.\tneutral\n" for n in range(start, start + count))


def test_a_preview_counts_and_stores_nothing(drafted):
    preview = drafted(HEADER + rows(3) + rows(1) + "One.\n").preview
    found = {name: preview[name] for name in ("rows", "pairs", "new", "twice", "known", "bad")}
    assert found == {"rows": 5, "pairs": 4, "new": 3, "twice": 1, "known": 0, "bad": 1}
    assert preview["errors"] == [
        {"row": 5, "line": 6, "column": "", "message": "Cells in this row: 1; in the first row: 3."}
    ]
    assert not Dataset.objects.exists()


def test_a_preview_knows_what_is_stored_already(drafted, ada):
    services.draft_commit(draft=drafted(HEADER + rows(2)), actor=ada)
    preview = drafted(HEADER + rows(3)).preview
    assert (preview["known"], preview["new"]) == (2, 1)


def test_a_second_commit_changes_nothing(drafted, ada):
    draft = drafted(HEADER + rows(2))
    for _time in range(2):
        services.draft_commit(draft=draft, actor=ada)
    assert Pair.objects.count() == 2


def test_a_bad_row_refuses_the_file_unless_it_is_skipped(drafted, ada):
    draft = drafted(HEADER + "One.\n" + rows(2))
    with pytest.raises(ValidationError, match="1 rows are bad"):
        services.draft_commit(draft=draft, actor=ada)
    services.draft_commit(draft=draft, actor=ada, skip_bad=True)
    draft.refresh_from_db()
    assert (Pair.objects.count(), draft.result["skipped"]) == (2, 1)


def test_a_file_that_is_not_looked_at_is_not_stored(study, ada):
    draft = services.draft_create(
        study=study, actor=ada, file_name="x.tsv", chunks=[(HEADER + rows(1)).encode()]
    )
    with pytest.raises(ValidationError, match="Look at the file"):
        services.draft_commit(draft=draft, actor=ada)


def test_a_file_that_is_too_large_leaves_nothing(study, ada, monkeypatch, settings):
    monkeypatch.setattr(uploads, "MAXIMUM_UPLOAD", 10)
    with pytest.raises(ValidationError, match="more than"):
        services.draft_create(study=study, actor=ada, file_name="x.tsv", chunks=[b"123456", b"789012"])
    assert list((settings.MEDIA_ROOT / "imports").iterdir()) == []


@pytest.fixture
def all_in_the_background(monkeypatch):
    monkeypatch.setattr(uploads, "BYTES_A_REQUEST", 10)
    monkeypatch.setattr(drafts, "ROWS_A_REQUEST", 2)
    monkeypatch.setattr(drafts, "SECONDS_A_LOOK", 0)
    monkeypatch.setattr(background, "ROWS_A_CHUNK", 4)
    monkeypatch.setattr(background, "SECONDS_A_CHUNK", 0.0005)


@pytest.mark.usefixtures("all_in_the_background")
@pytest.mark.parametrize("pack", [str.encode, lambda text: gzip.compress(text.encode())])
def test_a_large_file_is_read_and_stored_by_jobs(drafted, ada, work, pack):
    draft = drafted(pack(HEADER + rows(11) + rows(1)))
    assert draft.preview == {"so_far": 1, "bad": 0, "errors": []}
    with pytest.raises(ValidationError, match="Look at the file"):
        services.draft_commit(draft=draft, actor=ada)
    work()
    draft.refresh_from_db()
    assert (draft.preview["new"], draft.preview["twice"]) == (11, 1)
    read = Job.objects.get()
    assert (read.done, read.total) == (12, 12)
    job = services.draft_commit(draft=draft, actor=ada)
    assert services.draft_commit(draft=draft, actor=ada) == job
    work()
    draft.refresh_from_db()
    job.refresh_from_db()
    assert (job.state, job.done, job.total, Pair.objects.count()) == ("done", 12, 12, 11)
    assert draft.committed_at and draft.result["new"] == 11


@pytest.mark.usefixtures("all_in_the_background")
def test_a_worker_that_takes_the_job_up_in_the_middle_loses_and_doubles_nothing(
    drafted, ada, work, monkeypatch
):
    """The first worker dies after two chunks; the next one has none of its memory."""
    draft = drafted(HEADER + rows(11))
    work()
    draft.refresh_from_db()
    job = services.draft_commit(draft=draft, actor=ada)
    first = background.StoreFile()
    chunks = []

    def dying(held):
        if len(chunks) == 2:
            raise KeyboardInterrupt
        chunks.append(first.work(held))
        return chunks[-1]

    class Dying(background.StoreFile):
        work = staticmethod(dying)

    monkeypatch.setattr("apps.jobs.runner.kind_named", lambda name: Dying())
    with pytest.raises(KeyboardInterrupt):
        run(job.pk)
    assert Pair.objects.count() == 8
    monkeypatch.setattr("apps.jobs.runner.kind_named", lambda name: background.StoreFile())
    Job.objects.filter(pk=job.pk).update(heartbeat_at=None)
    run(job.pk)
    job.refresh_from_db()
    draft.refresh_from_db()
    assert (job.state, job.done, Pair.objects.count(), draft.result["new"]) == ("done", 11, 11, 11)


@pytest.mark.usefixtures("all_in_the_background")
def test_a_large_file_that_breaks_off_says_so(drafted, work, monkeypatch):
    monkeypatch.setattr("apps.imports.records.tables.SAMPLE_LINES", 3)
    draft = drafted(HEADER + rows(8) + "One.\0\tTwo.\tneutral\n")
    work()
    draft.refresh_from_db()
    assert Job.objects.get().state == "failed"
    assert draft.preview["problem"].startswith("line 10: the line holds a NUL")


@pytest.mark.usefixtures("all_in_the_background")
def test_what_is_wrong_with_the_first_row_shows_before_the_rest_is_read(
    drafted, work, client_of, rosa, study
):
    draft = drafted(HEADER + "One.\n" + rows(11) + "Two.\n")
    assert draft.preview["errors"][0]["message"].startswith("Cells in this row: 1")
    page = client_of(rosa).get(reverse("imports:draft", args=[study.slug, draft.pk])).content.decode()
    assert (
        "1 of the first 1 rows is bad; the rest is still being read" in page
        and "Cells in this row: 1" in page
    )
    seen = client_of(rosa).get(reverse("api:pair-draft-detail", args=[draft.pk])).json()
    assert (seen["state"], seen["so_far"]["errors"][0]["row"], seen["preview"]) == ("reading", 1, None)
    work()
    draft.refresh_from_db()
    assert (draft.preview["rows"], draft.preview["bad"]) == (13, 2)
