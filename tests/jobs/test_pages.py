"""A job's page shows progress, stops asking when it is over, and cancels."""

import pytest
from django.urls import reverse

from apps.jobs.models import Job


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
