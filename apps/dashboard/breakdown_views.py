"""People, calculus and models by direction, genre, tag, or whatever else tells pairs apart; models beside
people's soft labels."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from apps.comparison.campaign_choice import JudgesForm
from apps.comparison.pairs import predicted
from apps.dashboard import breakdown, counted, norms, soft_exhibits
from apps.dashboard.addresses import BreakdownAddresses
from apps.dashboard.breakdown_exhibits import Exhibits, judge_names
from apps.dashboard.choices import choices, is_by_program, latest, references
from apps.dashboard.forms import BreakdownForm
from apps.dashboard.hard_pairs import REFERENCES
from apps.dashboard.models import Norm
from apps.dashboard.norm_exhibits import correlation_table
from apps.datasets.models import Dataset
from apps.frame.exhibits import Table, exhibit_answer
from apps.studies.access import Access, study_view, within


@study_view()
def breakdown_page(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """``?by=``, ``?against=``, and ``?one=&two=`` for the difference between two runs."""
    dataset = access.get(Dataset, pk, kind=Dataset.Kind.PAIRS)
    there = choices(dataset)
    runs = latest(there)
    form = BreakdownForm(
        request.GET,
        ways=breakdown.ways_with(there.facts),
        references=references(dataset, there),
        runs=runs,
        norms=list(within(Norm, access.study).defer("numbers")),
    )
    judges = JudgesForm(request.GET, dataset=dataset)
    context: dict[str, Any] = {"dataset": dataset, "form": form, "simulated": is_by_program(dataset, there)}
    context["judges"] = judges.judges
    if form.reference is not None:
        by, reference, wait = form.by_what, form.reference, "as" in request.GET
        kept = counted.broken_down(dataset, by, reference, judges.judges, runs, form.pair, wait=wait)
        context["counted"] = kept.found
        if (found := kept.value) is None:
            return render(request, "dashboard/breakdown.html", context)
        numbers = {predicted(run): run.pk for run in runs}
        addresses = BreakdownAddresses(dataset, judges.judges, by, reference, there.tags, numbers)
        norm = access.get(Norm, number) if (number := form.said("norm")) is not None else None
        names = judge_names(found, {predicted(run): run.model.name for run in runs})
        exhibits = Exhibits(
            found,
            names,
            str(form.ways[by]),
            str(REFERENCES[reference]),
            addresses,
            (predicted(form.pair[0]), predicted(form.pair[1])) if form.pair else None,
            (norm.name, norm.numbers) if norm else None,
        )

        def correlated() -> Table | None:
            rows = norms.correlations(found, norm.numbers) if norm else []
            return correlation_table(rows, names, norm.name) if norm else None

        files = {**exhibits.kept(), "norm": correlated}
        if file := exhibit_answer(request, files, name=f"breakdown-{pk}"):
            return file
        context |= {
            "found": found,
            "figure": exhibits.figure(),
            "table": exhibits.table(),
            "each": exhibits.each(),
            "norm": norm,
            "correlated": correlated(),
        }
    elif "as" in request.GET:
        raise Http404
    return render(request, "dashboard/breakdown.html", context)


@study_view()
def soft_page(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """How near models are to people's soft labels."""
    dataset = access.get(Dataset, pk, kind=Dataset.Kind.PAIRS)
    judges = JudgesForm(request.GET, dataset=dataset).judges
    there = choices(dataset)
    kept_numbers = counted.foresight(dataset, judges, latest(there), wait="as" in request.GET)
    context = {
        "dataset": dataset,
        "judges": judges,
        "simulated": is_by_program(dataset, there),
        "counted": kept_numbers.found,
    }
    if (found := kept_numbers.value) is None:
        return render(request, "dashboard/soft.html", context)

    def address(run: int) -> str:
        return reverse("models:run", args=[access.study.slug, run])

    kept = soft_exhibits.kept(found, address)
    if file := exhibit_answer(request, kept, name=f"soft-labels-{pk}"):
        return file
    context |= {"found": found, "figure": kept["curve"](), "table": kept["table"]()}
    return render(request, "dashboard/soft.html", context)
