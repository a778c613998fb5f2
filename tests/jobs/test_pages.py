"""A job's page shows progress, stops asking when it is over, and cancels."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from apps.jobs.models import Job, Worker


@pytest.fixture
def job(study):
    return Job.objects.create(study=study, kind="count", title="Count", state="running", done=3, total=12)


def test_progress_is_asked_for_until_the_job_is_over(job, study, rosa, client_of):
    client = client_of(rosa)
    url = reverse("jobs:progress", args=[study.slug, job.pk])
    response = client.get(url)
    assert response.status_code == 200
    assert b"3 of 12" in response.content
    assert b"hx-trigger" in response.content
    Job.objects.filter(pk=job.pk).update(state="done")
    response = client.get(url)
    assert response.status_code == 286
    assert b"hx-trigger" not in response.content


def test_the_page_says_what_failed(job, study, rosa, client_of):
    job.failures.create(item="7", text="<b>odd</b>", message="no verb")
    page = client_of(rosa).get(reverse("jobs:job", args=[study.slug, job.pk])).content.decode()
    assert "no verb" in page
    assert "&lt;b&gt;odd&lt;/b&gt;" in page


def test_cancel_needs_a_post_and_the_study(job, study, rosa, olaf, client_of):
    url = reverse("jobs:cancel", args=[study.slug, job.pk])
    assert client_of(rosa).get(url).status_code == 405
    assert client_of(olaf).post(url).status_code == 404
    assert client_of(rosa).post(url).status_code == 302
    job.refresh_from_db()
    assert job.cancel_requested


def test_a_silent_worker_is_named_in_the_list_and_on_the_page(job, study, rosa, client_of):
    client = client_of(rosa)
    pages = [reverse("jobs:list", args=[study.slug]), reverse("jobs:job", args=[study.slug, job.pk])]
    Job.objects.update(heartbeat_at=timezone.now())
    assert not any(b"silent since" in client.get(page).content for page in pages)
    Job.objects.update(heartbeat_at=timezone.now() - timedelta(minutes=10))
    assert all(b"its worker is silent since" in client.get(page).content for page in pages)


def test_a_job_that_goes_item_by_item_says_so(job, study, rosa, client_of):
    Job.objects.update(heartbeat_at=timezone.now(), singly=3)
    page = client_of(rosa).get(reverse("jobs:job", args=[study.slug, job.pk])).content.decode()
    assert "running, item by item, 3 of 12" in page and "one at a time" in page


def test_that_no_worker_lives_is_said_where_something_waits_for_one(job, study, rosa, client_of):
    client, address = client_of(rosa), reverse("jobs:list", args=[study.slug])
    assert b"No worker gives a sign of life" in client.get(address).content
    Worker.objects.create(name="lab:17:ab12cd", seen_at=timezone.now())
    assert b"No worker gives a sign of life" not in client.get(address).content
    Worker.objects.all().delete()
    Job.objects.update(state="done")
    assert b"No worker gives a sign of life" not in client.get(address).content


# ---- What a monitor asks ----------------------------------------------------------------------


@pytest.fixture
def asked(client, job):
    """A worker lives and is at the job; asks the monitor's address, without signing in."""
    Worker.objects.create(name="lab:17:ab12cd", seen_at=timezone.now())
    Job.objects.update(heartbeat_at=timezone.now())

    def ask() -> tuple[int, dict]:
        response = client.get("/health/work/")
        return response.status_code, response.json()

    return ask


LONG_AGO = timezone.now() - timedelta(hours=2)


def test_a_monitor_is_told_that_all_is_well(asked, study):
    Job.objects.create(
        study=study, kind="count", title="Wait", queued_at=timezone.now() - timedelta(seconds=90)
    )
    status, told = asked()
    assert (status, told["status"], told["complaints"]) == (200, "ok", [])
    assert (told["queued"], told["running"], told["workers"]) == (1, 1, 1)
    assert 90 <= told["oldest_queued_seconds"] < 120
    assert "lab" not in str(told), "nobody's data"


@pytest.mark.parametrize(
    ("change", "field", "value", "complaint"),
    [
        (lambda: Job.objects.update(heartbeat_at=LONG_AGO), "silent_jobs", 1, "1 job(s) run without"),
        (lambda: Worker.objects.all().delete(), "workers", 0, "no worker gives a sign of life"),
        (
            lambda: Worker.objects.create(name="lab:9:ef", seen_at=LONG_AGO),
            "silent_workers",
            1,
            "1 worker(s) fell silent",
        ),
        (lambda: Job.objects.update(state="queued", queued_at=LONG_AGO), "queued", 1, "a job has waited for"),
    ],
    ids=["silent job", "no worker", "silent worker", "long queue"],
)
def test_a_monitor_is_told_what_a_host_must_see_to(change, field, value, complaint, asked):
    change()
    status, told = asked()
    assert (status, told["status"], told[field]) == (503, "unwell", value)
    (said,) = told["complaints"]
    assert complaint in said


def test_what_waits_for_something_outside_is_no_long_queue(asked):
    Job.objects.update(state="queued", queued_at=LONG_AGO, due_at=timezone.now() + timedelta(seconds=9))
    status, told = asked()
    assert (status, told["queued"], told["oldest_queued_seconds"]) == (200, 1, None)


def test_whether_the_web_process_lives_is_another_question(client, job):
    assert client.get("/health/").status_code == 200
    assert client.get("/health/work/").status_code == 503


def test_the_answer_takes_four_queries(asked, django_assert_num_queries):
    """Jobs, workers, and whether the files of releases are there."""
    with django_assert_num_queries(4):
        asked()
