"""What gives labels away without reading both sentences, on one page."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from apps.comparison.campaign_choice import JudgesForm
from apps.dashboard import artifacts, artifacts_exhibits, counted
from apps.dashboard.addresses import WordAddresses
from apps.dashboard.choices import choices, is_by_program, latest, references
from apps.dashboard.forms import ReferenceForm
from apps.datasets.models import Dataset
from apps.frame.exhibits import exhibit_answer
from apps.studies.access import Access, study_view


@study_view()
def artifacts_page(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """``?against=`` says whose labels."""
    dataset = access.get(Dataset, pk, kind=Dataset.Kind.PAIRS)
    there = choices(dataset)
    form = ReferenceForm(request.GET, references=references(dataset, there))
    judges = JudgesForm(request.GET, dataset=dataset).judges
    context: dict[str, Any] = {
        "dataset": dataset,
        "form": form,
        "judges": judges,
        "simulated": is_by_program(dataset, there),
        "report": artifacts.probe_of(dataset),
    }
    if form.reference is not None:
        runs = latest(there)
        numbers = counted.given_away(dataset, form.reference, judges, runs, wait="as" in request.GET)
        context["counted"] = numbers.found
        if (found := numbers.value) is None:
            return render(request, "dashboard/artifacts.html", context)
        names = artifacts_exhibits.source_names(form.reference, runs)
        addresses = WordAddresses(dataset, judges, form.reference)
        kept = artifacts_exhibits.kept(found, names, addresses)
        if file := exhibit_answer(request, kept, name=f"artifacts-{pk}"):
            return file
        context |= {
            "figure": kept["words-figure"](),
            "rules": kept["rules"](),
            "words": kept["words"](),
            "least": artifacts.LEAST,
        }
    elif "as" in request.GET:
        raise Http404
    return render(request, "dashboard/artifacts.html", context)
