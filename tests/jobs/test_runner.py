"""A job is a row: claimed by one worker, stored chunk by chunk, taken up again where it stopped."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from apps.jobs import kinds, runner, services
from apps.jobs.kinds import Chunk, Failure, JobDelayed, JobError
from apps.jobs.models import Job

pytestmark = pytest.mark.django_db


class Counting:
    """Counts to ``params['n']`` in chunks of ten; may be told to break before a cursor."""

    def __init__(self) -> None:
        self.stored: list[int] = []
        self.breaks_at: dict[int, Exception] = {}

    def total(self, job: Job) -> int:
        return job.params["n"]

    def work(self, job: Job) -> Chunk | None:
        if (error := self.breaks_at.pop(job.cursor, None)) is not None:
            raise error
        end = min(job.cursor + 10, job.params["n"])
        if job.cursor >= end:
            return None
        bad = [Failure(str(i), f"text {i}", "unlucky") for i in range(job.cursor, end) if i == 13]
        return Chunk(end, end - job.cursor, list(range(job.cursor, end)), bad)

    def store(self, job: Job, chunk: Chunk) -> None:
        self.stored += chunk.payload

    def finish(self, job: Job) -> dict[str, Any]:
        return {"counted": job.done}


@pytest.fixture
def counting(monkeypatch) -> Counting:
    kind = Counting()
    monkeypatch.setitem(kinds._kinds, "count", kind)
    return kind


@pytest.fixture
def job(study, ada, counting) -> Job:
    return services.job_start(study=study, kind="count", title="Count", actor=ada, n=25)


def test_a_job_runs_to_its_end_and_keeps_what_failed(job, counting):
    runner.run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.done, job.total, job.failed) == ("done", 25, 25, 1)
    assert job.result == {"counted": 25}
    assert counting.stored == list(range(25))
    assert [(f.item, f.message) for f in job.failures.all()] == [("13", "unlucky")]


def test_a_job_that_is_over_or_held_is_left_alone(job, counting):
    runner.run(job.pk)
    runner.run(job.pk)
    Job.objects.filter(pk=job.pk).update(state="running", heartbeat_at=timezone.now(), claim="another")
    runner.run(job.pk)
    assert counting.stored == list(range(25))


def test_a_crash_is_tried_again_from_the_last_chunk(job, counting):
    counting.breaks_at[10] = RuntimeError("out of luck")
    runner.run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.done) == ("queued", 10)
    assert "out of luck" in job.error
    runner.run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.done) == ("done", 25)
    assert counting.stored == list(range(25))


def test_what_can_not_go_on_fails_at_once_with_its_reason(job, counting):
    counting.breaks_at[0] = JobError("The model's folder is gone.")
    runner.run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.error) == ("failed", "The model's folder is gone.")


def test_what_has_to_wait_stays_queued_with_its_reason_however_long(job, counting):
    for _ in range(3 * services.MAXIMUM_ATTEMPTS):
        counting.breaks_at[10] = JobDelayed("The model's server does not answer.")
        runner.run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.done, job.error) == ("queued", 10, "The model's server does not answer.")
    runner.run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.done, job.error) == ("done", 25, "")


def test_a_job_that_crashes_every_time_is_given_up(job, counting):
    for _ in range(services.MAXIMUM_ATTEMPTS):
        counting.breaks_at[0] = RuntimeError("always")
        runner.run(job.pk)
    job.refresh_from_db()
    assert job.state == "failed"


def test_a_silent_worker_loses_the_job_and_can_store_nothing_more(job, counting, settings):
    old_claim = runner._claim(job.pk)
    assert runner._claim(job.pk) is None
    silent_since = timezone.now() - timedelta(seconds=settings.JOB_STALL_SECONDS + 1)
    Job.objects.filter(pk=job.pk).update(heartbeat_at=silent_since)
    job.refresh_from_db()
    assert job.is_stalled
    assert runner._claim(job.pk) is not None
    chunk = counting.work(job)
    assert runner._store(job, counting, chunk, old_claim) is False
    assert counting.stored == []


def test_cancel_stops_after_the_present_chunk_and_retry_goes_on(job, counting, ada, monkeypatch):
    stored = counting.store

    def cancel_in_the_middle(held: Job, chunk: Chunk) -> None:
        stored(held, chunk)
        held.cancel_requested = True

    monkeypatch.setattr(counting, "store", cancel_in_the_middle)
    runner.run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.done) == ("cancelled", 10)
    monkeypatch.setattr(counting, "store", stored)
    services.job_retry(job=job, actor=ada)
    runner.run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.done) == ("done", 25)


def test_a_queued_job_is_cancelled_at_once(job, ada):
    services.job_cancel(job=job, actor=ada)
    job.refresh_from_db()
    assert job.state == "cancelled"


def test_the_sweeper_sends_what_nobody_works_on(job, settings, monkeypatch):
    sent: list[int] = []
    monkeypatch.setattr(services, "send", sent.append)
    services.sweep()
    assert sent == []  # just created: its message is on the way
    Job.objects.filter(pk=job.pk).update(created_at=timezone.now() - timedelta(minutes=5))
    services.sweep()
    assert sent == [job.pk]
    runner._claim(job.pk)
    services.sweep()
    assert sent == [job.pk]  # somebody is at it
    Job.objects.filter(pk=job.pk).update(heartbeat_at=timezone.now() - timedelta(minutes=5))
    services.sweep()
    assert sent == [job.pk, job.pk]


@pytest.mark.django_db(transaction=True)
def test_a_job_of_a_transaction_that_rolls_back_is_never_sent(study, ada, monkeypatch):
    sent: list[int] = []
    monkeypatch.setattr(services, "send", sent.append)
    with pytest.raises(RuntimeError), transaction.atomic():
        services.job_start(study=study, kind="count", title="Count", actor=ada, n=1)
        raise RuntimeError
    assert (sent, Job.objects.count()) == ([], 0)
    job = services.job_start(study=study, kind="count", title="Count", actor=ada, n=1)
    assert sent == [job.pk]


def test_a_broker_that_is_down_does_not_fail_the_submit(study, ada, counting, monkeypatch, caplog):
    from celery import current_app

    def down(*args: Any, **kwargs: Any) -> None:
        raise OSError("connection refused")

    monkeypatch.undo()
    monkeypatch.setattr(current_app._get_current_object(), "send_task", down)
    job = Job.objects.create(study=study, kind="count", title="Count")
    services.send(job.pk)
    assert "the sweeper will" in caplog.text


# ---- All or nothing ------------------------------------------------------------------------------
class Whole(Counting):
    """What it stored counts only once all of it is."""

    def take_back(self, job: Job) -> None:
        self.stored.clear()


@pytest.fixture
def whole(job, monkeypatch) -> Whole:
    kind = Whole()
    monkeypatch.setitem(kinds._kinds, "count", kind)
    return kind


def _cancel_after(kind: Whole, job: Job, actor, cursor: int) -> None:
    plain = kind.work

    def work(held: Job) -> Chunk | None:
        if held.cursor == cursor:
            services.job_cancel(job=job, actor=actor)
        return plain(held)

    kind.work = work


def test_what_is_cancelled_half_way_is_taken_back_and_begins_anew(job, whole, ada):
    _cancel_after(whole, job, ada, 10)
    runner.run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.cursor, job.done, whole.stored) == ("cancelled", 0, 0, [])
    del whole.work
    services.job_retry(job=job, actor=ada)
    runner.run(job.pk)
    assert whole.stored == list(range(25))


@pytest.mark.parametrize("error", [JobError("no more"), RuntimeError("crash")])
def test_what_fails_half_way_is_taken_back_once_it_is_given_up(job, whole, error):
    Job.objects.filter(pk=job.pk).update(attempts=services.MAXIMUM_ATTEMPTS - 1)
    whole.breaks_at[0] = error
    whole.stored = [1]
    runner.run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.cursor, whole.stored) == ("failed", 0, [])


def test_a_crash_that_is_tried_again_takes_nothing_back(job, whole):
    whole.breaks_at[10] = RuntimeError("crash")
    runner.run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.cursor, len(whole.stored)) == ("queued", 10, 10)


def test_a_silent_job_that_is_cancelled_is_taken_back_at_once(job, whole, ada):
    whole.stored = [1, 2]
    Job.objects.filter(pk=job.pk).update(state="running", heartbeat_at=None, cursor=2)
    services.job_cancel(job=job, actor=ada)
    job.refresh_from_db()
    assert (job.state, job.cursor, whole.stored) == ("cancelled", 0, [])


def test_a_waiting_job_that_is_cancelled_is_taken_back(job, whole, ada):
    _cancel_after(whole, job, ada, 10)
    whole.breaks_at[10] = JobDelayed("not now")
    runner.run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.cursor, whole.stored) == ("cancelled", 0, [])


# ---- Who comes first --------------------------------------------------------------------------


@pytest.fixture
def order(monkeypatch, counting) -> list[tuple[str, int]]:
    """The chunks that are stored: title of the job, where the chunk ended."""
    seen: list[tuple[str, int]] = []
    monkeypatch.setattr(counting, "store", lambda job, chunk: seen.append((job.title, chunk.next_cursor)))
    return seen


def start(study, title: str, urgency: Job.Urgency, n: int = 20) -> Job:
    return services.job_start(study=study, kind="count", title=title, actor=None, urgency=urgency, n=n)


def test_the_most_urgent_job_comes_first_then_the_oldest(order, study):
    start(study, "labels", Job.Urgency.MACHINE, 1)
    start(study, "release", Job.Urgency.PERSON, 1)
    start(study, "preview", Job.Urgency.PREVIEW, 1)
    start(study, "more labels", Job.Urgency.MACHINE, 1)
    start(study, "reply", Job.Urgency.CARD, 1)
    runner.run_waiting()
    assert [title for title, _end in order] == ["reply", "preview", "release", "labels", "more labels"]


def test_between_two_chunks_what_is_more_urgent_passes(order, study, counting, monkeypatch):
    start(study, "labels", Job.Urgency.MACHINE)
    note = counting.store

    def comes_in(job: Job, chunk: Chunk) -> None:
        note(job, chunk)
        for title, urgency in (("import", Job.Urgency.PERSON), ("reply", Job.Urgency.CARD)):
            if order[-1] == ({"import": "labels", "reply": "import"}[title], 10):
                start(study, title, urgency)
        if order[-1] == ("labels", 10):
            start(study, "more labels", Job.Urgency.MACHINE, 10)

    monkeypatch.setattr(counting, "store", comes_in)
    runner.run_waiting()
    assert order == [
        ("labels", 10), ("import", 10), ("reply", 10), ("reply", 20), ("import", 20), ("labels", 20),
        ("more labels", 10),
    ]  # fmt: skip
    assert set(Job.objects.values_list("state", flat=True)) == {"done"}


def test_what_waits_for_something_outside_holds_nobody_up(order, study, counting, settings):
    late = start(study, "late", Job.Urgency.CARD, 10)
    start(study, "labels", Job.Urgency.MACHINE, 10)
    counting.breaks_at[0] = JobDelayed("The panel does not answer.")
    runner.run_waiting()
    assert [title for title, _end in order] == ["labels"]
    late.refresh_from_db()
    assert (late.state, late.due_at > timezone.now()) == ("queued", True)
    Job.objects.update(due_at=timezone.now())
    runner.run_waiting()
    assert [title for title, _end in order] == ["labels", "late"]


def test_kinds_know_who_waits_for_them():
    urgency = {
        name: kinds.urgency_of(name).name
        for name in ("campaigns.model_reply", "datasets.import_preview", "datasets.import",
                     "datasets.release", "datasets.label", "inference.run", "corpora.parse")
    }  # fmt: skip
    assert urgency == {
        "campaigns.model_reply": "CARD", "datasets.import_preview": "PREVIEW",
        "datasets.import": "PERSON", "datasets.release": "PERSON",
        "datasets.label": "MACHINE", "inference.run": "MACHINE", "corpora.parse": "MACHINE",
    }  # fmt: skip
