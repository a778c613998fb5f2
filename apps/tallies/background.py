"""Counting in the background: one job for each number that is kept, taken up again each time."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from apps.jobs.kinds import Chunk, JobError, register
from apps.jobs.models import Job
from apps.tallies import services
from apps.tallies.models import KeptTally


def _tally(job: Job) -> KeptTally:
    found = KeptTally.objects.select_related("study").filter(pk=job.params["tally"], study=job.study).first()
    if found is None:
        raise JobError(_("Nobody has looked at these numbers for long; they are counted when somebody does."))
    return found


class Counting:
    """All of it is one chunk: a statement of the database can't be cut."""

    def total(self, job: Job) -> int:
        return 1

    def work(self, job: Job) -> Chunk | None:
        return None if job.cursor else Chunk(1, 1, services.count(_tally(job)))

    def store(self, job: Job, chunk: Chunk) -> None:
        services.tally_keep(tally=_tally(job), counted=chunk.payload)

    def finish(self, job: Job) -> dict[str, Any]:
        return {}


register(services.JOB, Counting(), Job.Urgency.PERSON)
