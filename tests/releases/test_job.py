"""A release's job: chunk by chunk, from one state of the database, whoever dies on the way."""

from __future__ import annotations

import gc
from datetime import timedelta

import pytest
from django.utils import timezone

from apps.jobs import kinds, signs_of_life
from apps.jobs.models import Job
from apps.jobs.runner import run
from apps.jobs.services import job_cancel
from apps.releases import archive, job, judgements, production, selection, storage
from apps.releases.gold_rules import Options
from apps.releases.job import Releasing
from apps.releases.models import Release
from apps.releases.services import release_create
from apps.releases.snapshot import Snapshot


@pytest.fixture
def small_chunks(monkeypatch):
    monkeypatch.setattr(production, "PAIRS_A_PART", 2)
    monkeypatch.setattr(production, "PARTS_A_STEP", 1)
    monkeypatch.setattr(judgements, "ITEMS_A_BATCH", 2)
    monkeypatch.setattr(job, "TWINS_A_CHUNK", 2)
    monkeypatch.setattr(selection, "BATCH", 2)


@pytest.fixture
def pairs(make):
    return [make(answers, calculus="e") for answers in ("eee", "eee", "een", "eee", "nnn", "eee", "eee")]


@pytest.fixture
def started(dataset, ada):
    def start(**options) -> Release:
        return release_create(dataset=dataset, actor=ada, options=Options(**options))

    return start


def nothing(number: int) -> None:
    """What a worker does that nobody disturbs."""


class Watched(Releasing):
    """Calls ``before(number)`` before each chunk of the worker that it stands for, and ``stored(number)``
    when the chunk is stored, but not yet committed."""

    def __init__(self, before=nothing, stored=nothing) -> None:
        super().__init__()
        self.before, self.stored = before, stored
        self.chunks = 0

    def work(self, job):
        self.chunks += 1
        self.before(self.chunks)
        return super().work(job)

    def store(self, job, chunk):
        super().store(job, chunk)
        self.stored(self.chunks)


@pytest.fixture
def worker(monkeypatch):
    """Run a release's job as a fresh worker does, watched; returns the watched kind."""

    def run_as(release: Release, before=nothing, stored=nothing) -> Watched:
        kind = Watched(before, stored)
        kinds.kind_named("datasets.release")  # registers all
        monkeypatch.setitem(kinds._kinds, "datasets.release", kind)
        run(release.job_id)
        return kind

    return run_as


class Killed(BaseException):
    """What no worker survives."""


def frozen(release: Release) -> bytes:
    release.refresh_from_db()
    assert release.frozen_at, release.job.error
    return storage.final_path(release).read_bytes()


@pytest.mark.django_db
@pytest.mark.both
def test_a_release_is_made_in_chunks_and_says_how_far_it_is(small_chunks, pairs, started, worker):
    release = started()
    seen = []

    def before(number):
        row = Job.objects.get(pk=release.job_id)
        seen.append((row.done, row.total))

    kind = worker(release, before)
    row = Job.objects.get(pk=release.job_id)
    assert kind.chunks > 15
    assert row.state == "done"
    assert row.done == row.total == 3 * 7 + 7 + 1
    assert [done for done, _total in seen] == sorted(done for done, _total in seen)
    assert len({done for done, _total in seen}) > 10


@pytest.mark.parametrize("where", ["before", "stored"])
@pytest.mark.django_db
def test_a_worker_killed_at_any_chunk_leaves_nothing_wrong(small_chunks, make, started, worker, where):
    for answers in ("eee", "een", "eee"):
        make(answers, calculus="e")
    chunks = worker(started()).chunks
    for deadly in range(1, chunks):
        release = started()

        def die(number, deadly=deadly):
            if number == deadly:
                raise Killed

        with pytest.raises(Killed):
            worker(release, **{where: die})
        assert Job.objects.get(pk=release.job_id).state == "running"
        Job.objects.filter(pk=release.job_id).update(heartbeat_at=timezone.now() - timedelta(hours=1))
        worker(release)
        row = Job.objects.get(pk=release.job_id)
        assert (row.state, row.done) == ("done", row.total)
        written = frozen(release)
        again = archive.write(release, claim="again")
        assert written == again.path.read_bytes()
        again.path.unlink()
        left = [path.name for path in storage.final_path(release).parent.iterdir() if path.name[0] == "."]
        assert left == []


@pytest.mark.django_db
def test_what_an_earlier_version_staged_is_read_anew(small_chunks, pairs, started, worker):
    release = started()

    def die(number):
        if Job.objects.get(pk=release.job_id).cursor // job.STAGE == production.Stage.FORMAT:
            raise Killed

    with pytest.raises(Killed):
        worker(release, die)
    for part in (storage.staged_path(release) / "rows").glob("*.arrow"):
        part.unlink()
    Job.objects.filter(pk=release.job_id).update(heartbeat_at=timezone.now() - timedelta(hours=1))
    worker(release)
    row = Job.objects.get(pk=release.job_id)
    assert (row.state, row.done) == ("done", row.total)
    assert frozen(release) == archive.write(release, claim="again").path.read_bytes()


@pytest.mark.django_db
def test_a_worker_that_was_given_up_and_wakes_up_does_no_harm(small_chunks, pairs, started, worker):
    release = started()

    def other_takes_over(number):
        if number == 6:
            Job.objects.filter(pk=release.job_id).update(heartbeat_at=timezone.now() - timedelta(hours=1))
            run(release.job_id)

    worker(release, other_takes_over)
    assert frozen(release) == archive.write(release, claim="again").path.read_bytes()


@pytest.mark.django_db
def test_a_cancelled_release_lets_its_snapshot_go(small_chunks, pairs, started, worker, ada, monkeypatch):
    release, closed = started(), []
    monkeypatch.setattr(Snapshot, "close", lambda self: closed.append(self))

    def cancel(number):
        if number == 6:
            job_cancel(job=release.job, actor=ada)

    worker(release, cancel)
    gc.collect()
    assert Job.objects.get(pk=release.job_id).state == "cancelled"
    assert closed


@pytest.mark.both
@pytest.mark.django_db(transaction=True)
def test_what_others_write_between_chunks_does_not_show(small_chunks, pairs, started, worker, make):
    release, written = started(swaps=False), []

    def others_write(number):
        if number in (2, 5):
            written.append(make("eee", calculus="e"))
            pairs[-1].tags.create(name=f"late-{number}", source="natlog")

    worker(release, others_write)
    release.refresh_from_db()
    assert release.frozen_at, release.job.error
    assert len(written) == 2
    counts = release.manifest["counts"]
    assert (counts["considered"], counts["judgements"], counts["tags"]) == (7, 21, {})


@pytest.mark.both
@pytest.mark.django_db(transaction=True)
def test_the_control_reading_without_a_snapshot_sees_what_others_write(
    small_chunks, pairs, started, worker, make, monkeypatch
):
    monkeypatch.setattr(Snapshot, "__init__", lambda self: setattr(self, "_own", None))
    release = started(swaps=False)
    worker(release, lambda number: make("eee", calculus="e") if number == 2 else None)
    release.refresh_from_db()
    assert release.manifest["counts"]["considered"] == 8


@pytest.mark.django_db
def test_long_steps_give_signs_of_life_to_their_own_claim_alone(make, started, monkeypatch):
    make("eee", calculus="e")
    monkeypatch.setattr(signs_of_life, "BEAT_SECONDS", -1)
    row = started().job
    old = timezone.now() - timedelta(minutes=5)
    for claim, is_taken in (("mine", True), ("another's", False)):
        Job.objects.filter(pk=row.pk).update(claim=claim, heartbeat_at=old)
        row.claim = "mine"
        signs_of_life.heartbeat(row)()
        assert (Job.objects.get(pk=row.pk).heartbeat_at > old) == is_taken
