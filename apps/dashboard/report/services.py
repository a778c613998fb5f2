"""A report's writes: beginning it, keeping its parts, finishing it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_noop

from apps.accounts.models import User
from apps.dashboard.models import StudyReport, StudyReportFile
from apps.dashboard.report.chapters import parts_of
from apps.datasets.models import Dataset
from apps.frame.clock import database_now
from apps.jobs.models import Job
from apps.jobs.services import job_start
from apps.jobs.wording import wording
from apps.studies import audit
from apps.studies.models import Study

KIND = "dashboard.report"


@transaction.atomic
def study_report_start(*, study: Study, actor: User, dataset: Dataset | None = None) -> Job:
    """Make the report of a study, or of one dataset of it, in the background; where that is being done
    already, the job that does it. The report as it was is there until the new one is."""
    made, _new = StudyReport.objects.get_or_create(study=study, dataset=dataset)
    report = StudyReport.objects.select_for_update(of=("self",)).select_related("job").get(pk=made.pk)
    if report.job is not None and not report.job.is_over:
        return report.job
    report.job = job_start(
        study=study,
        kind=KIND,
        title=wording(gettext_noop("Report on %(name)s"), name=(dataset or study).name[:180]),
        actor=actor,
        report=report.pk,
        parts=parts_of(study, dataset),
    )
    report.draft, report.created_by = {}, actor
    report.save(update_fields=["draft", "created_by", "job"])
    audit.record("studyreport.started", study=study, actor=actor, subject=report)
    return report.job


def part_store(*, report: StudyReport, number: int, chapters: Mapping[str, list[Any]]) -> None:
    """Keep the chapters of a part, by language; storing them again replaces them."""
    report.draft = {**report.draft, str(number): chapters}
    report.save(update_fields=["draft"])


def files_store(*, report: StudyReport, files: Mapping[str, bytes]) -> None:
    """Keep the PDF of each language in place of the one before."""
    for language, content in files.items():
        StudyReportFile.objects.update_or_create(
            report=report, language=language, defaults={"content": content}
        )


def study_report_finish(*, report: StudyReport) -> None:
    """What was made takes the place of the report before."""
    report.content, report.draft, report.made_at = drafted(report), {}, database_now()
    report.save(update_fields=["content", "draft", "made_at"])


def drafted(report: StudyReport) -> dict[str, list[Any]]:
    """The chapters of the draft in order, by language."""
    found: dict[str, list[Any]] = {}
    for number in sorted(report.draft, key=int):
        for language, chapters in report.draft[number].items():
            found.setdefault(language, []).extend(chapters)
    return found
