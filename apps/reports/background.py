"""The job that makes a report: a section a chunk, over the same pairs."""

from __future__ import annotations

import weakref
from typing import Any

from django.utils.translation import gettext as _

from apps.jobs.kinds import Chunk, JobError, register
from apps.jobs.models import Job
from apps.jobs.signs_of_life import heartbeat
from apps.reports import services
from apps.reports.models import BalanceReport
from apps.reports.rows import Row, rows_of
from apps.reports.sections import SECTIONS


class Reporting:
    """Each chunk is one section, at most half a minute for 100,000 pairs; ``facts`` hold it."""

    def __init__(self) -> None:
        # The runner forgets a job that is over, and its pairs with it.
        self._rows: weakref.WeakKeyDictionary[Job, list[Row]] = weakref.WeakKeyDictionary()

    def total(self, job: Job) -> int:
        return len(SECTIONS)

    def work(self, job: Job) -> Chunk | None:
        if job.cursor >= len(SECTIONS):
            return None
        report = self._report(job)
        if job not in self._rows:
            try:
                self._rows[job] = rows_of(report, heartbeat(job))
            except FileNotFoundError as error:
                raise JobError(_("The release's archive is not there any more.")) from error
        kind = SECTIONS[job.cursor]
        facts = kind.facts(report, self._rows[job], heartbeat(job))
        return Chunk(job.cursor + 1, 1, (kind.name, facts))

    def store(self, job: Job, chunk: Chunk) -> None:
        name, facts = chunk.payload
        services.section_store(report=self._report(job), name=name, facts=facts)

    def finish(self, job: Job) -> dict[str, Any]:
        report = self._report(job)
        services.report_finish(report=report)
        return {"pairs": report.facts["balance"]["pairs"]}

    @staticmethod
    def _report(job: Job) -> BalanceReport:
        found = BalanceReport.objects.filter(pk=job.params["report"], dataset__study=job.study)
        report = found.select_related("dataset__study", "release", "other").first()
        if report is None:
            raise JobError(_("The report is not there any more."))
        return report


register(services.REPORT_KIND, Reporting())
