"""What is read of a report."""

from __future__ import annotations

from django.conf import settings

from apps.dashboard.models import StudyReport
from apps.dashboard.report.document import Chapter, read
from apps.datasets.models import Dataset
from apps.studies.models import Study


def report_of(study: Study, dataset: Dataset | None) -> StudyReport | None:
    """The report of a study, or of one dataset of it; None where none was ever asked for. One query."""
    found = StudyReport.objects.filter(study=study, dataset=dataset).defer("draft")
    return found.select_related("job", "study").first()


def chapters_of(report: StudyReport | None, language: str | None) -> list[Chapter]:
    """As they were made in a language, or in the server's; none before it was made. No query."""
    content = report.content if report else {}
    return read(content.get(language or "") or content.get(settings.LANGUAGE_CODE) or [])
