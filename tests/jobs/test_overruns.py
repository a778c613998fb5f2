"""What a job's row learns when the process that worked on it was killed, or died."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.jobs import kinds, overruns, runner, selectors, services, signs_of_life
from apps.jobs.kinds import Chunk, Failure
from apps.jobs.models import Job

pytestmark = [pytest.mark.django_db, pytest.mark.both]

CHUNK = 4


class Killed(BaseException):
    """Stands for the end of the process: the runner doesn't catch it."""


class Items:
    """Items 0 to 9 in chunks of four; to work on 6 ends the process."""

    items_a_chunk = CHUNK

    def __init__(self) -> None:
        self.deadly = {6}
        self.chunks: list[list[int]] = []

    def total(self, job: Job) -> int:
        return 10

    def work(self, job: Job) -> Chunk | None:
        items = list(range(job.cursor, min(job.cursor + job.at_most(CHUNK), 10)))
        if not items:
            return None
        self.chunks.append(items)
        if self.deadly & set(items):
            raise Killed
        return Chunk(items[-1] + 1, len(items), items)

    def skipped(self, job: Job, why: str) -> Chunk | None:
        return Chunk(job.cursor + 1, 1, [], [Failure(str(job.cursor), f"text {job.cursor}", why)])

    def store(self, job: Job, chunk: Chunk) -> None:
        """Nothing is stored."""

    def finish(self, job: Job) -> dict[str, Any]:
        return {"done": job.done}


class Whole:
    """Has no items, and is killed."""

    taken_back = 0

    def total(self, job: Job) -> int:
        return 1

    def work(self, job: Job) -> Chunk | None:
        raise Killed

    def store(self, job: Job, chunk: Chunk) -> None:
        raise AssertionError

    def finish(self, job: Job) -> dict[str, Any]:
        raise AssertionError

    def take_back(self, job: Job) -> None:
        self.taken_back += 1


@pytest.fixture
def items(monkeypatch) -> Items:
    kind = Items()
    monkeypatch.setitem(kinds._kinds, "items", kind)
    return kind


@pytest.fixture
def whole(monkeypatch) -> Whole:
    kind = Whole()
    monkeypatch.setitem(kinds._kinds, "whole", kind)
    return kind


@pytest.fixture
def start(study, ada):
    def make(kind: str) -> Job:
        return services.job_start(study=study, kind=kind, title=kind, actor=ada)

    return make


def killed(job: Job) -> tuple[int, str]:
    """Run the job until its process is gone; what its keeper knows of it."""
    with pytest.raises(Killed):
        runner.run(job.pk)
    job.refresh_from_db()
    assert job.state == "running"
    return job.pk, job.claim


def overran(job: Job, *, is_item: bool = True, seconds: float = 20) -> Job:
    pk, claim = killed(job)
    overruns.job_overran(pk=pk, claim=claim, seconds=seconds, is_item=is_item)
    job.refresh_from_db()
    return job


def test_one_at_a_time_past_the_culprit_and_in_chunks_again(items, start):
    job = overran(start("items"), is_item=False, seconds=120)
    assert (job.state, job.done, job.singly, job.passing_over) == ("queued", 4, CHUNK, "")
    job = overran(job)
    assert (job.state, job.done, job.passing_over) == ("queued", 6, "took longer than 20 s")
    runner.run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.done, job.failed, job.singly) == ("done", 10, 1, 0)
    assert items.chunks == [[0, 1, 2, 3], [4, 5, 6, 7], [4], [5], [6], [7], [8, 9]]
    assert [(f.item, f.text, f.message) for f in job.failures.all()] == [
        ("6", "text 6", "took longer than 20 s")
    ]


def test_culprits_without_end_are_no_reason_to_give_up(items, start):
    items.deadly = set(range(10))
    job = start("items")
    for _ in range(3 + 10):  # three chunks and ten items
        job = overran(job)
    runner.run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.failed) == ("done", 10)


def test_what_is_no_item_s_fault_fails_the_job(items, start):
    """The pipeline is loaded without end, say: to pass over one item after another would help nobody."""
    job = overran(overran(start("items")), is_item=False, seconds=120)
    assert (job.state, job.error) == ("failed", "It was ended: took longer than 120 s.")
    assert job.finished_at


def test_a_kind_without_items_fails_at_once_and_what_it_stored_is_taken_back(whole, start):
    job = overran(start("whole"), seconds=120)
    assert (job.state, job.error) == ("failed", "It was ended: took longer than 120 s.")
    assert whole.taken_back == 1


def test_what_can_t_be_taken_back_ends_all_the_same_and_says_so(whole, start, monkeypatch):
    def broken(job: Job) -> None:
        raise KeyError("draft")

    monkeypatch.setattr(whole, "take_back", broken)
    job = overran(start("whole"))
    assert job.state == "failed"
    assert job.error.endswith("What it had stored could not be taken back: KeyError: 'draft'")


def test_a_job_that_was_to_be_cancelled_is(whole, items, start, ada):
    for kind in ("whole", "items"):
        job = start(kind)
        pk, claim = killed(job)
        services.job_cancel(job=job, actor=ada)
        job.refresh_from_db()
        assert job.state == "running"
        assert selectors.cancelled_of([(pk, claim)]) == {(pk, claim)}
        overruns.jobs_cancelled(held=[(pk, claim)])
        job.refresh_from_db()
        assert (job.state, job.finished_at is not None) == ("cancelled", True)
    assert whole.taken_back == 1


def test_nothing_is_written_into_a_row_that_is_somebody_else_s_now(items, start):
    job = start("items")
    pk, _claim = killed(job)
    for word in (overruns.job_overran, overruns.job_died):
        word(
            pk=pk, claim="another's", is_item=True, **({"seconds": 9} if word is overruns.job_overran else {})
        )
    overruns.jobs_put_back(held=[(pk, "another's")])
    job.refresh_from_db()
    assert (job.state, job.singly) == ("running", 0)


def test_a_process_that_dies_is_the_item_s_fault_only_when_it_dies_again_and_again(items, start):
    job = start("items")
    for attempt in range(1, services.MAXIMUM_ATTEMPTS + 2):
        pk, claim = killed(job)
        assert job.passing_over == "", attempt
        overruns.job_died(pk=pk, claim=claim, is_item=job.singly > 0)
        job.refresh_from_db()
        if job.passing_over:
            break
    assert job.passing_over == "the process that worked on it died, 5 times"
    runner.run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.failed) == ("done", 1)


def test_whoever_takes_a_job_up_from_a_silent_worker_does_not_fall_silent_of_the_same_item(items, start):
    """Keeper and all are gone (the machine was): nobody has written down what it was."""
    job = start("items")
    killed(job)
    Job.objects.update(heartbeat_at=timezone.now() - timedelta(minutes=5))
    killed(job)
    assert (job.singly, job.done) == (2, 6)
    assert items.chunks[-3:] == [[4], [5], [6]]


def test_a_retry_begins_with_whole_chunks(items, start, ada):
    job = overran(overran(start("items")), is_item=False)
    services.job_retry(job=job, actor=ada)
    job.refresh_from_db()
    assert (job.state, job.singly, job.passing_over) == ("queued", 0, "")


# ---- What the process says beforehand ---------------------------------------------------------


@pytest.fixture
def said(monkeypatch) -> list[dict[str, Any]]:
    words: list[dict[str, Any]] = []
    monkeypatch.setattr(signs_of_life, "_say", words.append)
    return words


def test_it_says_what_it_begins_with_whom_it_holds(said, items, start, settings):
    settings.CHUNK_SECONDS, settings.ITEM_SECONDS = 120, 20
    job = start("items")
    killed(job)
    assert {tuple(map(tuple, word["held"])) for word in said} == {((job.pk, job.claim),)}
    assert all(word["is_chunk"] and word["seconds"] == 120 for word in said)


@pytest.mark.parametrize(("count", "seconds", "is_item"), [(1, 20, True), (3, 60, False), (40, 120, False)])
def test_the_times_of_items_add_up_to_a_chunk_s(count, seconds, is_item, said, settings):
    settings.CHUNK_SECONDS, settings.ITEM_SECONDS = 120, 20
    with signs_of_life.holding(Job(pk=1), "claim"):
        signs_of_life.item_begins(count)
    (word,) = said
    assert (word["is_item"], word["is_chunk"]) == (is_item, False)
    assert word["seconds"] == seconds
