"""What a study's page says of its jobs: those whose worker fell silent, and those that failed."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import Count, Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import ngettext

from apps.jobs.models import Job
from apps.jobs.selectors import is_silent
from apps.studies.access import within
from apps.studies.glance import Problem, Reading, Urgency
from apps.studies.models import Study

#: A failed job is a problem for so long; whoever has not queued it again by then did something else.
FAILED_DAYS = 14


def stalled() -> Q:
    return is_silent()


def failed() -> Q:
    return Q(state=Job.State.FAILED, finished_at__gte=timezone.now() - timedelta(days=FAILED_DAYS))


#: What ``?show=`` narrows the list of jobs to.
SHOWN = {"stalled": stalled, "failed": failed}


def jobs_shown(study: Study, show: str) -> QuerySet[Job]:
    """The study's jobs, or those of :data:`SHOWN`."""
    jobs = within(Job, study)
    return jobs.filter(SHOWN[show]()) if show in SHOWN else jobs


def problems(study: Study, reading: Reading) -> list[Problem]:
    """One query."""
    counts = within(Job, study).aggregate(
        stalled=Count("pk", filter=stalled()), failed=Count("pk", filter=failed())
    )
    address = reverse("jobs:list", args=[study.slug])
    texts = {
        "stalled": ngettext("job whose worker is silent", "jobs whose workers are silent", counts["stalled"]),
        "failed": ngettext(
            "job that failed in the last 14 days", "jobs that failed in the last 14 days", counts["failed"]
        ),
    }
    return [
        Problem(f"jobs-{show}", Urgency.STANDSTILL, counts[show], text, f"{address}?show={show}")
        for show, text in texts.items()
        if counts[show]
    ]
