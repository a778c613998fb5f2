"""The printable report of a study, or of one of its datasets: the page, its files, making it anew."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language

from apps.dashboard.models import StudyReportFile
from apps.dashboard.report import selectors
from apps.dashboard.report.chapters import MOST
from apps.dashboard.report.document import Shown, grouped
from apps.dashboard.report.services import study_report_start
from apps.datasets.models import Dataset
from apps.frame.exhibits import Figure, Table, exhibit_answer
from apps.studies.access import Access, study_view, within


@study_view()
def report_page(request: HttpRequest, access: Access) -> HttpResponse:
    """The report of the study, or of the dataset in the address (``?dataset=``); POST makes it anew."""
    dataset = _dataset(request, access)
    if request.method == "POST":
        study_report_start(study=access.study, actor=access.user, dataset=dataset)
        return redirect(request.get_full_path())
    report = selectors.report_of(access.study, dataset)
    chapters = selectors.chapters_of(report, get_language())
    exhibits = {one.key: partial(_made, one) for chapter in chapters for one in chapter.exhibits}
    if file := exhibit_answer(request, exhibits, name=f"report-{access.study.slug}"):
        return file
    datasets = (
        within(Dataset, access.study).filter(kind=Dataset.Kind.PAIRS, archived_at=None).order_by("name")
    )
    context: dict[str, Any] = {
        "dataset": dataset,
        "datasets": list(datasets),
        "most": MOST,
        "report": report,
        "job": report.job if report else None,
        "groups": grouped(chapters),
    }
    return render(request, "dashboard/report.html", context)


@study_view()
def report_pdf(request: HttpRequest, access: Access) -> HttpResponse:
    """In the reader's language; 404 where none was made yet."""
    dataset = _dataset(request, access)
    report = selectors.report_of(access.study, dataset)
    file = StudyReportFile.objects.filter(report=report, language=get_language() or "en").first()
    if file is None:
        raise Http404
    of = f"-{dataset.pk}" if dataset else ""
    headers = {"Content-Disposition": f'attachment; filename="report-{access.study.slug}{of}.pdf"'}
    return HttpResponse(bytes(file.content), content_type="application/pdf", headers=headers)


def _made(shown: Shown) -> Figure | Table:
    return shown.exhibit


def _dataset(request: HttpRequest, access: Access) -> Dataset | None:
    asked = request.GET.get("dataset", "")
    if not asked:
        return None
    if not asked.isdecimal() or len(asked) > 18:
        raise Http404
    return access.get(Dataset, int(asked), kind=Dataset.Kind.PAIRS)
