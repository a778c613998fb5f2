"""Balance and leakage reports: those of a dataset, a new one, one with its tables, and as CSV."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from apps.campaigns.models import Campaign
from apps.datasets.models import Dataset
from apps.reports.forms import ReportForm
from apps.reports.models import BalanceReport
from apps.reports.presentation import csv_text, sections
from apps.reports.services import report_start
from apps.studies.access import Access, study_view


@study_view()
def report_list(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """The dataset's reports, and the form for another one."""
    dataset = access.get(Dataset, pk, kind=Dataset.Kind.PAIRS)
    form = ReportForm(request.POST or None, dataset=dataset, release=request.GET.get("release", ""))
    if request.method == "POST" and form.is_valid():
        try:
            report = report_start(dataset=dataset, actor=access.user, **form.choice())
            return redirect("reports:report", access.study.slug, report.pk)
        except ValidationError as error:
            form.add_error(None, error.messages)
    reports = dataset.balance_reports.select_related("release__dataset", "job", "created_by")
    page = Paginator(reports, 50).get_page(request.GET.get("page"))
    return render(request, "reports/list.html", {"dataset": dataset, "form": form, "page": page})


@study_view()
def report_page(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    report = access.get(BalanceReport, pk)
    context = {
        "report": report,
        "campaigns": Campaign.objects.filter(pk__in=report.campaigns).order_by("pk"),
        "dataset": report.dataset,
        "job": report.job,
        "sections": sections(report),
    }
    return render(request, "reports/report.html", context)


@study_view()
def report_csv(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    report = access.get(BalanceReport, pk)
    response = HttpResponse(csv_text(report), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="report-{report.pk}.csv"'
    return response
