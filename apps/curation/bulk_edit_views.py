"""Bulk edits that were made, with their undo, and working out rules of probabilities."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from apps.curation import bulk_edits as editing
from apps.curation.flags import FLAG_NAMES
from apps.curation.models import BulkEdit
from apps.datasets.models import Dataset
from apps.releases import rule_outcomes
from apps.releases.models import GoldRule
from apps.studies.access import Access, study_view

EDITS_A_PAGE = 50


@study_view()
def edit_list(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    dataset = access.get(Dataset, pk)
    edits = dataset.bulk_edits.select_related("created_by", "job", "undo_job")
    page = Paginator(edits, EDITS_A_PAGE).get_page(request.GET.get("page"))
    context = {"dataset": dataset, "page": page, "flags": FLAG_NAMES}
    return render(request, "curation/edits.html", context)


@study_view()
def edit_page(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """What an edit was about, how far it is, and which pairs it changed."""
    edit = access.get(BulkEdit, pk)
    page = Paginator(edit.changes.select_related("pair"), EDITS_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "edit": edit,
        "dataset": edit.dataset,
        "page": page,
        "may_undo": editing.may_undo(edit),
        "flags": FLAG_NAMES,
        "job": edit.undo_job or edit.job,
    }
    return render(request, "curation/edit.html", context)


@require_POST
@study_view()
def edit_undo(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    try:
        editing.undo_start(edit=access.get(BulkEdit, pk), actor=access.user)
    except ValidationError as error:
        messages.error(request, error.messages[0])
    return redirect("curation:edit", access.study.slug, pk)


@require_POST
@study_view()
def rule_work_out(request: HttpRequest, access: Access, pk: int, rule: int) -> HttpResponse:
    """Start the job that works a rule of probabilities out for every pair."""
    dataset, chosen = access.get(Dataset, pk), access.get(GoldRule, rule)
    try:
        job = rule_outcomes.outcomes_start(dataset=dataset, rule=chosen, actor=access.user)
    except ValidationError as error:
        messages.error(request, error.messages[0])
        return redirect("curation:dataset", access.study.slug, pk)
    return redirect("jobs:job", access.study.slug, job.pk)
