"""The list of a dataset's pairs under filters, with bulk edits, and a pair's own page."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from apps.comparison.judges import is_simulated
from apps.curation import adjudication, counted, download, flags, selectors
from apps.curation.adjudication_forms import DecisionForm
from apps.curation.bulk_edit_forms import ALL, BulkEditForm
from apps.curation.bulk_edits import edit_start
from apps.curation.correction_forms import CorrectionForm
from apps.curation.filters import PairFilters
from apps.datasets import corrections
from apps.datasets.labels import LABEL_NAMES, NO_LABEL
from apps.datasets.models import Dataset, Pair
from apps.frame.edit_forms import edit_view
from apps.studies.access import Access, study_view

PAIRS_A_PAGE = 50


@study_view()
def dataset_page(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """A dataset's pairs under the filters of the address; sent, the form shows them under others, or edits
    in bulk what stands on it."""
    dataset = access.get(Dataset, pk)
    if request.method == "POST" and dataset.kind == Dataset.Kind.PAIRS:
        return _bulk_edit(request, access, dataset)
    return _pairs(request, dataset, PairFilters(request.GET, dataset=dataset), BulkEditForm())


def _bulk_edit(request: HttpRequest, access: Access, dataset: Dataset) -> HttpResponse:
    filters = PairFilters(request.POST, dataset=dataset)
    ticked = [
        int(number) for number in request.POST.getlist("pair") if number.isdecimal() and len(number) < 19
    ]
    address = f"{reverse('curation:dataset', args=[access.study.slug, dataset.pk])}?{filters.address}"
    if "edit" not in request.POST:
        if not ticked and not request.POST.get("edit-tag"):
            return redirect(address)
        return _pairs(request, dataset, filters, BulkEditForm.kept(request.POST), ticked)
    bulk = BulkEditForm(request.POST)
    if bulk.is_valid():
        everything = bulk.cleaned_data["which"] == ALL
        try:
            edit = edit_start(
                dataset=dataset,
                actor=access.user,
                action=bulk.cleaned_data["action"],
                tag=bulk.name,
                filters=filters.said if everything else None,
                ticked=None if everything else ticked,
            )
            return redirect("curation:edit", access.study.slug, edit.pk)
        except ValidationError as error:
            bulk.add_error(None, error.messages)
    return _pairs(request, dataset, filters, bulk, ticked)


def _pairs(
    request: HttpRequest,
    dataset: Dataset,
    filters: PairFilters,
    bulk: BulkEditForm,
    ticked: Sequence[int] = (),
) -> HttpResponse:
    sent = request.POST if request.method == "POST" else request.GET
    found = counted.counting(filters, wait=request.method == "POST")
    passing = counted.passing_of(found)
    page = Paginator(passing.numbers, PAIRS_A_PAGE).get_page(sent.get("page"))
    if request.method == "POST":
        request.GET = QueryDict(filters.address)  # what the page links to
    pairs = selectors.pairs_shown(list(page.object_list), filters.judges)
    context = {
        "dataset": dataset,
        "filters": filters,
        "filtered": bool(set(request.GET) - {"page"}),
        "page": page,
        "pairs": pairs,
        "filed": any(pair.file_label != NO_LABEL for pair in pairs),
        "judges": filters.judges,
        "names": LABEL_NAMES,
        "found": found,
        "sure": passing.sure,
        "steps": [(step, n, filters.address_but(sure_from=step)) for step, n in passing.sure.reaching],
        "contents": filters.contents,
        "editable": dataset.kind == Dataset.Kind.PAIRS,
        "bulk": bulk,
        "ticked": ticked,
        "simulated": is_simulated(dataset),
        "downloads": [("csv", "CSV"), ("jsonl", "JSON lines"), ("parquet", "Parquet")],
    }
    return render(request, "curation/dataset.html", context)


@study_view()
def dataset_download(request: HttpRequest, access: Access, pk: int, form: str) -> HttpResponseBase:
    """The pairs under the filters of the address, all of them, as CSV, JSON lines or Parquet. Where a filter
    is refused, the page that says so."""
    dataset = access.get(Dataset, pk, kind=Dataset.Kind.PAIRS)
    if form not in download.FORMATS:
        raise Http404
    filters = PairFilters(request.GET, dataset=dataset, shown=False)
    if not filters.is_valid():
        return redirect(f"{reverse('curation:dataset', args=[access.study.slug, pk])}?{filters.address}")
    return download.answer(dataset, filters, form)


@study_view()
def pair_page(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    return _pair(request, access.get(Pair, pk))


def _pair(
    request: HttpRequest,
    pair: Pair,
    form: DecisionForm | None = None,
    correction: CorrectionForm | None = None,
) -> HttpResponse:
    view = selectors.pair_in_full(pair)
    form = form or DecisionForm(pair=view.pair, given=view.judgements)
    correction = correction or CorrectionForm(pair=view.pair)
    context = {
        "view": view,
        "pair": view.pair,
        "names": LABEL_NAMES,
        "flags": flags.FLAG_NAMES,
        "form": form,
        "correction": correction,
    }
    return render(request, "curation/pair.html", context, status=max(form.status, correction.status))


@require_POST
@study_view()
@edit_view
def pair_correct(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Correct the calculus' direction and tags, or take the correction back."""
    pair = access.hold(Pair, pk)
    form = CorrectionForm(request.POST, pair=pair)
    try:
        if "undo" in request.POST:
            corrections.correction_undo(pair=pair, actor=access.user)
            messages.success(request, _("The correction is taken back."))
        elif not form.is_valid():
            return _pair(request, pair, correction=form)
        else:
            corrections.pair_correct(pair=pair, actor=access.user, **form.cleaned_data)
            messages.success(request, _("The correction is kept beside what the calculus says."))
    except ValidationError as error:
        messages.error(request, error.messages[0])
    return redirect(f"{reverse('curation:pair', args=[access.study.slug, pk])}#correction")


@require_POST
@study_view()
@edit_view
def pair_adjudicate(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    pair = access.hold(Pair, pk)
    form = DecisionForm(request.POST, pair=pair)
    if not form.is_valid() and form.changed_since:
        return _pair(request, pair, form)
    try:
        adjudication.pair_adjudicate(pair=pair, actor=access.user, label=request.POST.get("label", ""))
        messages.success(request, _("The label is kept."))
    except ValidationError as error:
        messages.error(request, error.messages[0])
    return redirect("curation:pair", access.study.slug, pk)


@require_POST
@study_view()
def pair_set_swappable(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    pair = access.get(Pair, pk)
    flags.pair_set_swappable(pair=pair, actor=access.user, swappable=request.POST.get("swappable") == "yes")
    return redirect("curation:pair", access.study.slug, pk)
