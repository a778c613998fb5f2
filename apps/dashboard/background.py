"""The job that makes a study's report: a chapter a chunk, and the files at last."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import override

from apps.dashboard.models import StudyReport
from apps.dashboard.report import services
from apps.dashboard.report.chapters import part_written
from apps.dashboard.report.document import read
from apps.dashboard.report.typeset import pdf
from apps.jobs.kinds import Chunk, JobError, register
from apps.jobs.models import Job
from apps.jobs.signs_of_life import heartbeat


class Reporting:
    """Each chunk is a part of ``params``; the numbers that pages keep are taken or counted then."""

    def total(self, job: Job) -> int:
        return len(job.params["parts"]) + 1

    def work(self, job: Job) -> Chunk | None:
        parts, beat = job.params["parts"], heartbeat(job)
        if job.cursor > len(parts):
            return None
        report = self._report(job)
        if job.cursor == len(parts):
            return Chunk(job.cursor + 1, 1, self._files(report))
        name, dataset = parts[job.cursor]
        return Chunk(job.cursor + 1, 1, part_written(report.study, name, dataset, beat))

    def store(self, job: Job, chunk: Chunk) -> None:
        report = self._report(job)
        if job.cursor == len(job.params["parts"]):
            services.files_store(report=report, files=chunk.payload)
        else:
            services.part_store(report=report, number=job.cursor, chapters=chunk.payload)

    def finish(self, job: Job) -> dict[str, Any]:
        services.study_report_finish(report=self._report(job))
        return {}

    @staticmethod
    def _files(report: StudyReport) -> dict[str, bytes]:
        drafted = services.drafted(report)
        files = {}
        for language, _name in settings.LANGUAGES:
            with override(language):
                files[language] = pdf(report, read(drafted.get(language, [])))
        return files

    @staticmethod
    def _report(job: Job) -> StudyReport:
        found = StudyReport.objects.filter(pk=job.params["report"], study=job.study)
        report = found.select_related("study", "dataset").first()
        if report is None:
            raise JobError(_("The report is not there any more."))
        return report


register(services.KIND, Reporting(), Job.Urgency.PERSON)
