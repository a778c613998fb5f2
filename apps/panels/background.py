"""Background work of panels: telling one that a visit is over, until it takes notice."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from apps.frame.clock import database_now
from apps.jobs.kinds import Chunk, JobDelayed, JobError, register
from apps.jobs.models import Job
from apps.panels import services, telling
from apps.panels.models import Visit


class Telling:
    """One visit is told. A panel that can't be reached is tried again by the sweeper, ever more rarely.

    A worker that dies between the panel's answer and the storing tells it again, under the same event
    identifier.
    """

    def total(self, job: Job) -> int:
        return 1

    def work(self, job: Job) -> Chunk | None:
        visit = self._visit(job)
        if not visit.is_to_be_told:
            return None
        if visit.tell_after and visit.tell_after > database_now():
            raise JobDelayed(visit.told_error)
        try:
            telling.tell(visit)
        except telling.NotTold as reason:
            services.visit_set_not_told(visit=visit, reason=str(reason))
            raise JobDelayed(str(reason)) from reason
        return Chunk(1, 1, visit)

    def store(self, job: Job, chunk: Chunk) -> None:
        services.visit_set_told(visit=chunk.payload)

    def finish(self, job: Job) -> dict[str, Any]:
        return {}

    @staticmethod
    def _visit(job: Job) -> Visit:
        visits = Visit.objects.select_related("participant", "panel")
        visit = visits.filter(pk=job.params["visit"]).first()
        if visit is None or not visit.session_id:
            raise JobError(_("The visit is gone, or its person was erased."))
        return visit


register("panels.tell", Telling(), Job.Urgency.CARD)
