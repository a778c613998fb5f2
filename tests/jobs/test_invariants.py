"""Background work that nobody does is seen."""

from datetime import timedelta

import pytest
from django.utils import timezone

from apps.jobs import invariants
from apps.jobs.models import Job, Worker

pytestmark = [pytest.mark.django_db, pytest.mark.both]


@pytest.fixture
def job(study) -> Job:
    return Job.objects.create(study=study, kind="corpora.parse", title="Parse")


def lines() -> list[str]:
    return [str(fault) for fault in invariants.at_work(None)]


def test_work_that_has_just_begun_is_no_fault(job):
    assert lines() == []
    Job.objects.update(state="running", heartbeat_at=timezone.now())
    assert lines() == []


def test_a_running_job_that_is_silent(job):
    Job.objects.update(state="running", heartbeat_at=timezone.now() - timedelta(minutes=10))
    (line,) = lines()
    assert f"job {job.pk} (corpora.parse) is running, and silent since" in line and "start a worker" in line


def test_a_job_that_nobody_takes(job):
    Job.objects.update(created_at=timezone.now() - timedelta(hours=2))
    (line,) = lines()
    assert line.startswith("fault") and f"job {job.pk} (corpora.parse) has waited since" in line


def test_a_job_that_waits_for_something_outside_is_a_note(job):
    Job.objects.update(created_at=timezone.now() - timedelta(hours=2), error="no answer from example.org")
    (line,) = lines()
    assert line.startswith("note") and "no answer from example.org" in line


def test_a_job_that_ended_at_no_time(job):
    Job.objects.update(state="done")
    (line,) = lines()
    assert f"job {job.pk} is done without a time at which it ended" in line


def test_a_worker_that_fell_silent():
    Worker.objects.create(name="lab:17:ab12cd", seen_at=timezone.now())
    assert list(invariants.workers(None)) == []
    Worker.objects.update(seen_at=timezone.now() - timedelta(minutes=10))
    (fault,) = invariants.workers(None)
    assert str(fault).startswith("note") and "worker lab:17:ab12cd is silent since" in str(fault)
