"""What a job says: its title in the language of its reader, its errors in that of who started it."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils.translation import gettext, gettext_noop, override

from apps.jobs import kinds, runner, services
from apps.jobs.kinds import Chunk, JobError
from apps.jobs.models import Job
from apps.jobs.wording import wording

pytestmark = pytest.mark.django_db


class Failing:
    """Fails at once, in words."""

    def total(self, job: Job) -> int:
        return 1

    def work(self, job: Job) -> Chunk | None:
        raise JobError(gettext("The corpus is gone."))

    def store(self, job: Job, chunk: Chunk) -> None:
        raise AssertionError("nothing is stored")

    def finish(self, job: Job) -> dict[str, Any]:
        raise AssertionError("it does not end")


def start(study, actor) -> Job:
    title = wording(gettext_noop("Calculus labels of %(name)s"), name="100 % dogs")
    return services.job_start(study=study, kind="fail", title=title, actor=actor)


@pytest.fixture(autouse=True)
def failing(monkeypatch) -> None:
    monkeypatch.setitem(kinds._kinds, "fail", Failing())


def test_the_title_is_said_to_each_reader_in_their_language_and_kept_in_english(study, ada):
    with override("de"):
        job = start(study, ada)
    assert job.title == "Calculus labels of 100 % dogs"
    assert Job.objects.get(pk=job.pk).heading == "Calculus labels of 100 % dogs"
    with override("de"):
        assert Job.objects.get(pk=job.pk).heading == "Kalkül-Labels von 100 % dogs"


def test_a_title_of_plain_text_stays_as_it_is(study, ada):
    job = services.job_start(study=study, kind="fail", title="A × B", actor=ada)
    with override("de"):
        assert job.heading == "A × B"


@pytest.mark.parametrize(
    ("language", "error"), [("en", "The corpus is gone."), ("de", "Das Korpus gibt es nicht mehr.")]
)
def test_errors_are_in_the_language_of_who_started_the_job(language, error, study, ada):
    with override(language):
        job = start(study, ada)
    runner.run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.error) == ("failed", error)


def test_a_job_that_nobody_asked_for_speaks_english(study):
    """An annotator's answer starts jobs, and researchers read what they say."""
    with override("de"):
        job = start(study, None)
    runner.run(job.pk)
    job.refresh_from_db()
    assert job.error == "The corpus is gone."
