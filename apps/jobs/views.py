"""A job's page: progress, cancel, retry, and what failed; and what a monitor asks."""

from __future__ import annotations

from dataclasses import asdict

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from apps.jobs import glance, selectors, services
from apps.jobs.models import Job
from apps.studies import soundness
from apps.studies.access import Access, study_view


@study_view()
def job_list(request: HttpRequest, access: Access) -> HttpResponse:
    """``?show=failed`` or ``stalled`` narrows it to what the study's page counts."""
    show = request.GET.get("show", "")
    page = Paginator(glance.jobs_shown(access.study, show), 50).get_page(request.GET.get("page"))
    is_waited_for = any(not job.is_over for job in page)
    nobody = is_waited_for and not selectors.is_work_done()
    return render(
        request, "jobs/list.html", {"page": page, "nobody": nobody, "is_narrowed": show in glance.SHOWN}
    )


@study_view()
def job_page(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    job = access.get(Job, pk)
    failures = Paginator(job.failures.all(), 50).get_page(request.GET.get("page"))
    return render(request, "jobs/job.html", {"job": job, "failures": failures})


@study_view()
def job_progress(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """The moving part of a job's page. 286 tells htmx to stop asking, and reload what waited for it."""
    job = access.get(Job, pk)
    response = render(request, "jobs/_progress.html", {"job": job})
    if job.is_over:
        response.status_code = 286
        response["HX-Trigger"] = "job-over"
        response["HX-Refresh"] = "true"
    return response


@require_POST
@study_view()
def job_cancel(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    job = access.get(Job, pk)
    services.job_cancel(job=job, actor=access.user)
    messages.info(request, _("It stops after its present step, or within seconds if that takes long."))
    return redirect("jobs:job", access.study.slug, pk)


@require_POST
@study_view()
def job_retry(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    job = access.get(Job, pk)
    services.job_retry(job=job, actor=access.user)
    return redirect("jobs:job", access.study.slug, pk)


@login_not_required
def work_health(request: HttpRequest) -> JsonResponse:
    """For a monitor: how background work stands, and 503 with the reasons where a host must see to it, be it
    to files (``soundness.complaints``). Three queries; whether this process lives is another address's
    question (``/health/``)."""
    work = selectors.work_now()
    complaints = [*work.complaints, *soundness.complaints()]
    status = "ok" if not complaints else "unwell"
    body = {"status": status, "complaints": complaints, **asdict(work)}
    return JsonResponse(body, status=200 if status == "ok" else 503, headers={"Cache-Control": "no-store"})
