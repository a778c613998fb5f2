"""The dashboard: people, calculus and models side by side, and how far the campaigns are."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy

from apps.comparison.campaign_choice import JudgesForm
from apps.comparison.judges import Judges, is_simulated
from apps.comparison.sureness_choice import SurenessForm
from apps.dashboard import (
    agreement,
    comparison_exhibits,
    composition,
    composition_exhibits,
    counted,
    selectors,
    tables,
)
from apps.dashboard.addresses import CompositionAddresses, Source
from apps.dashboard.agreement_exhibits import Exhibits, why_low
from apps.dashboard.choices import choices
from apps.dashboard.kept import Counted
from apps.datasets.models import Dataset
from apps.frame.exhibits import exhibit_answer
from apps.inference.selectors import latest_runs
from apps.studies.access import Access, study_view, within

CAMPAIGNS_SHOWN = 50
# Each two of a hundred annotators are five thousand rows, and what nine judges say together may be as
# many: the files have them.
RATERS_SHOWN = TOGETHER_SHOWN = 50


@study_view()
def home(request: HttpRequest, access: Access) -> HttpResponse:
    """The dataset in the address (``?dataset=``), or the one with most pairs."""
    open_now = within(Dataset, access.study).filter(archived_at=None)
    datasets = list(open_now.exclude(kind=Dataset.Kind.TESTS).order_by("name"))
    dataset = _chosen(request, access, datasets)
    campaigns = list(selectors.campaigns_of(access.study)[:CAMPAIGNS_SHOWN])
    file_asked = "as" in request.GET
    context: dict[str, Any] = {
        "datasets": datasets,
        "dataset": dataset,
        "progress": counted.progress(access.study, campaigns),
    }
    if dataset is not None:
        judges = JudgesForm(request.GET, dataset=dataset)
        sure = SurenessForm(request.GET)
        runs = latest_runs(dataset)
        kept_numbers = counted.comparison(dataset, judges.judges, runs, sure.said, wait=file_asked)
        context["found"] = kept_numbers.found
        if kept_numbers.value is None:
            return render(request, "dashboard/home.html", context)
        comparison, how_sure = kept_numbers.value
        numbers = tables.numbers_of_judgements(comparison)
        number = _number(request, "judgements", tables.usual_number(comparison), numbers)
        sources = tables.sources(comparison)
        reference = _reference(request, sources)
        model = _model(request, sources)
        kept = comparison_exhibits.kept(comparison, reference, number)
        if file := exhibit_answer(request, kept, name=f"comparison-{dataset.pk}"):
            return file
        whole = comparison_exhibits.together_table(comparison)
        shown = replace(whole, rows=whole.rows[:TOGETHER_SHOWN]) if whole else None
        context |= {
            "judges_table": kept["judges"](),
            "together": shown,
            "together_left": len(whole.rows) - len(shown.rows) if whole and shown else 0,
            "together_figure": kept["together-figure"](),
            "accuracy_table": kept["accuracy"](),
            "accuracy_figure": kept["accuracy-figure"](),
            "each_two_models": kept["models"](),
            "comparison": comparison,
            "judges": comparison.judges,
            "judges_form": judges,
            "sure_form": sure,
            "sure": how_sure,
            "simulated": is_simulated(dataset),
            "matches": tables.matches(comparison, number),
            "numbers": numbers,
            "confusions": tables.confusions(comparison, model),
            "models": [source for source in sources if source.run is not None],
            "model": model,
            "sources": sources,
            "reference": reference,
            "accuracy": tables.accuracy(comparison, reference) if reference else None,
            "agreement_url": tables.pairs_url(comparison, judgements_from=2),
            "undecided_url": tables.pairs_url(comparison, agreement="undecided"),
            "differ_url": tables.pairs_url(comparison, agreement="differ"),
        }
    return render(request, "dashboard/home.html", context)


@study_view()
def agreement_page(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """How far a dataset's annotators agree; its figures and tables by ``?as=``."""
    dataset = access.get(Dataset, pk, kind=Dataset.Kind.PAIRS)
    form = JudgesForm(request.GET, dataset=dataset)
    kept_report = counted.report(dataset, form.judges, wait="as" in request.GET)
    found = kept_report.value
    if found is None:
        waiting = {"dataset": dataset, "judges": form.judges, "counted": kept_report.found}
        return render(request, "dashboard/agreement.html", waiting)
    exhibits = Exhibits(dataset, form.judges, found)
    kept = exhibits.kept()
    if file := exhibit_answer(request, kept, name=f"agreement-{pk}"):
        return file
    raters = exhibits.raters()
    context = {
        "dataset": dataset,
        "judges": form.judges,
        "judges_form": form,
        "simulated": is_simulated(dataset),
        "found": found,
        "counted": kept_report.found,
        "figures": [(key, figure) for key in ("slices", "time", "heat-map") if (figure := kept[key]())],
        "skewed": why_low(found.whole),
        "scale": exhibits.scale(),
        "tables": [(f"by-{by}", table) for by in agreement.BY if (table := exhibits.table(by))],
        "whole": exhibits.table(""),
        "raters": replace(raters, rows=raters.rows[:RATERS_SHOWN]) if raters else None,
        "raters_left": max(0, len(raters.rows) - RATERS_SHOWN) if raters else 0,
    }
    return render(request, "dashboard/agreement.html", context)


@study_view()
def composition_page(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """MED's Table 5 of a dataset; ``?labels=`` says whose labels, ``?twins=yes`` counts twins in."""
    dataset, judges, kept = _composition(request, access, pk, wait="as" in request.GET)
    found = kept.value
    if found is None:
        return render(request, "dashboard/composition.html", {"dataset": dataset, "counted": kept.found})
    addresses = CompositionAddresses(dataset, judges, found)
    exhibits = composition_exhibits.kept(found, addresses)
    if file := exhibit_answer(request, exhibits, name=f"composition-{pk}"):
        return file
    table = composition_exhibits.composition_table(found, addresses)
    rows = table.rows if table else []
    context = {
        "counted": kept.found,
        "dataset": dataset,
        "judges": judges,
        "found": found,
        "figure": exhibits["composition-figure"](),
        "groups": [
            (place, total, addresses.of(place) if total else "", rows[2 * number : 2 * number + 2])
            for number, (place, total) in enumerate(found.places.items())
        ],
        "totals": rows[-1] if rows else [],
        "origins": [composition.ORIGIN_NAMES[name] for name in found.origins],
        "sources": _SOURCE_NAMES,
        "simulated": is_simulated(dataset),
    }
    return render(request, "dashboard/composition.html", context)


@study_view()
def composition_csv(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    _dataset, _judges, kept = _composition(request, access, pk, wait=True)
    found = kept.there
    name = f"composition-{pk}-{found.labels}.csv"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(composition.as_csv(found), content_type="text/csv; charset=utf-8", headers=headers)


_SOURCE_NAMES = {
    "file": gettext_lazy("file"),
    "human": gettext_lazy("people"),
    "calculus": gettext_lazy("calculus"),
    "adjudicated": gettext_lazy("adjudicated"),
}


def _composition(
    request: HttpRequest, access: Access, pk: int, *, wait: bool = False
) -> tuple[Dataset, Judges, Counted[composition.Composition]]:
    dataset = access.get(Dataset, pk)
    judges = JudgesForm(request.GET, dataset=dataset).judges
    asked = request.GET.get("labels", "")
    usual = "file" if "file" in choices(dataset).stored else "human"
    labels = asked if asked in composition.LABEL_SOURCES else usual
    twins = request.GET.get("twins") == "yes"
    kept = counted.composed(dataset, judges, labels=labels, twins=twins, wait=wait)
    return dataset, judges, kept


def _chosen(request: HttpRequest, access: Access, datasets: list[Dataset]) -> Dataset | None:
    asked = request.GET.get("dataset")
    if asked is None:
        return counted.largest(access.study, datasets)
    if not asked.isdecimal() or len(asked) > 18:
        raise Http404
    return access.get(Dataset, int(asked))


def _number(request: HttpRequest, name: str, usual: int, allowed: list[int]) -> int:
    asked = request.GET.get(name, "")
    return int(asked) if asked.isdecimal() and len(asked) < 6 and int(asked) in allowed else usual


def _reference(request: HttpRequest, sources: list[Source]) -> Source | None:
    """What accuracy is measured against: as asked for, else the usual one."""
    asked = request.GET.get("against", "")
    chosen = (source for source in sources if source.run is None and source.key == asked)
    return next(chosen, None) or tables.usual_reference(sources)


def _model(request: HttpRequest, sources: list[Source]) -> Source | None:
    """The model run in the address, else the first there is."""
    models = [source for source in sources if source.run is not None]
    asked = request.GET.get("run", "")
    return next((source for source in models if str(source.run) == asked), models[0] if models else None)
