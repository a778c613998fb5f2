"""Two sides of a dataset on one page: what they say alike, what changed from the one to the other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode

from apps.dashboard import changes, changes_exhibits, listed
from apps.dashboard.choices import choices, is_by_program
from apps.dashboard.forms import SidesForm
from apps.dashboard.sides import sides_of
from apps.datasets.models import Dataset
from apps.frame.exhibits import Figure, Table, exhibit_answer
from apps.studies.access import Access, study_view

SHOWN = 50


@study_view()
def changes_page(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """``?one=`` and ``?two=`` say which sides; ``?first=``, ``?second=``, ``?direction=`` which of the pairs
    that changed are listed."""
    dataset = access.get(Dataset, pk, kind=Dataset.Kind.PAIRS)
    there = choices(dataset)
    form = SidesForm(request.GET, sides=sides_of(dataset, there.labels))
    chosen = form.chosen
    context: dict[str, Any] = {"dataset": dataset, "form": form, "simulated": is_by_program(dataset, there)}
    context["chosen"] = chosen
    if chosen is not None:
        kept = listed.changed(dataset, *chosen, wait="as" in request.GET)
        context["counted"] = kept.found
        if (found := kept.value) is None:
            return render(request, "dashboard/changes.html", context)
        here = reverse("dashboard:changes", args=[access.study.slug, pk])

        def address(first: str, second: str, direction: str) -> str:
            only = {"first": first, "second": second, "direction": direction}
            said = {name: value for name, value in only.items() if value}
            return f"{here}?{urlencode({'one': found.one.key, 'two': found.two.key, **said})}#changed"

        exhibits: dict[str, Callable[[], Figure | Table | None]] = {
            "labels": lambda: changes_exhibits.transitions_figure(found),
            "agreement": lambda: changes_exhibits.agreement_table(found, address),
            "each": lambda: changes_exhibits.transitions_table(found, address),
        }
        if file := exhibit_answer(request, exhibits, name=f"compare-{pk}"):
            return file
        page = Paginator(form.listed(found), SHOWN).get_page(request.GET.get("page"))
        context |= {
            "found": found,
            "figure": exhibits["labels"](),
            "agreement": exhibits["agreement"](),
            "each": exhibits["each"](),
            "page": page,
            "rows": changes.changed_pairs(found, list(page)),
            "narrowed": any(form.cleaned_data[name] for name in ("first", "second", "direction")),
        }
    elif "as" in request.GET:
        raise Http404
    return render(request, "dashboard/changes.html", context)


@study_view()
def changes_csv(request: HttpRequest, access: Access, pk: int) -> StreamingHttpResponse:
    """The pairs that the page lists."""
    dataset = access.get(Dataset, pk, kind=Dataset.Kind.PAIRS)
    form = SidesForm(request.GET, sides=sides_of(dataset, choices(dataset).labels))
    chosen = form.chosen
    if chosen is None:
        raise Http404
    found = listed.changed(dataset, *chosen, wait=True).there
    headers = {"Content-Disposition": f'attachment; filename="changed-{pk}.csv"'}
    lines = changes.as_csv(found, form.listed(found))
    return StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8", headers=headers)
