"""Pages on what models do with a dataset: contrasts before and after, the pairs that they get wrong."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render

from apps.dashboard import contrasts, hard_pairs, listed
from apps.dashboard.choices import Choices, choices, is_by_program, latest, references
from apps.dashboard.forms import ContrastFilters, HardPairsForm
from apps.datasets.labels import LABEL_NAMES
from apps.datasets.models import Dataset
from apps.studies.access import Access, study_view

SHOWN = 50


@study_view()
def contrast_page(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """A contrast set: what models and the calculus say before and after. Of a dataset that is none: the sets
    that were made of it, or the button that makes one."""
    dataset = access.get(Dataset, pk, kind=Dataset.Kind.PAIRS)
    there = choices(dataset)
    context: dict[str, Any] = {
        "dataset": dataset,
        "simulated": is_by_program(dataset, there),
        "names": LABEL_NAMES,
    }
    if not there.has_contrasts:
        return render(request, "dashboard/no_contrasts.html", context | {"sets": contrasts.sets_of(dataset)})
    models = [run.model for run in latest(there)]
    kept = listed.contrast_counts(dataset, models)
    context["counted"] = kept.found
    if (whole := kept.value) is None:
        return render(request, "dashboard/contrasts.html", context)
    filters = ContrastFilters(request.GET, contrasts=list(whole.by_contrast), models=models)
    chosen = filters.chosen
    counts = listed.contrast_counts(dataset, models, chosen.contrast).value if chosen.contrast else whole
    numbers = listed.contrast_numbers(dataset, chosen)
    page = Paginator(numbers.value or [], SHOWN).get_page(request.GET.get("page"))
    shown = [model for model in models if chosen.model in (None, model.pk)]
    context |= {
        "filters": filters,
        "chosen": chosen,
        "counts": counts or whole,
        "listed": numbers.found,
        "by_contrast": whole.by_contrast,
        "page": page,
        "shown": shown,
        "rows": contrasts.contrast_rows(dataset, list(page), shown),
    }
    return render(request, "dashboard/contrasts.html", context)


@study_view()
def hard_page(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """The pairs that every model (or so many of them) gets wrong."""
    dataset = access.get(Dataset, pk, kind=Dataset.Kind.PAIRS)
    there = choices(dataset)
    form = _hard_form(request, dataset, there)
    asked = form.asked
    kept = listed.hard_numbers(asked) if asked else None
    page = Paginator((kept.value if kept else None) or [], SHOWN).get_page(request.GET.get("page"))
    context = {
        "dataset": dataset,
        "simulated": is_by_program(dataset, there),
        "form": form,
        "found": kept.found if kept else None,
        "asked": asked,
        "reference": hard_pairs.REFERENCES[asked.reference] if asked else "",
        "page": page,
        "rows": hard_pairs.hard_rows(asked, list(page)) if asked else [],
        "names": LABEL_NAMES,
    }
    return render(request, "dashboard/hard.html", context)


@study_view()
def hard_csv(request: HttpRequest, access: Access, pk: int) -> StreamingHttpResponse:
    dataset = access.get(Dataset, pk, kind=Dataset.Kind.PAIRS)
    asked = _hard_form(request, dataset, choices(dataset)).asked
    if asked is None:
        raise Http404
    lines = hard_pairs.as_csv(asked, listed.hard_numbers(asked, wait=True).value or [])
    headers = {"Content-Disposition": f'attachment; filename="hard-pairs-{pk}.csv"'}
    return StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8", headers=headers)


def _hard_form(request: HttpRequest, dataset: Dataset, there: Choices) -> HardPairsForm:
    return HardPairsForm(
        request.GET,
        dataset=dataset,
        references=references(dataset, there),
        runs=latest(there),
    )
