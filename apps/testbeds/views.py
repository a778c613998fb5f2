"""Pages of testbeds: make one, look at it, give a sample of it to people, see who is right where."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from apps.comparison.judges import judges_of
from apps.datasets.labels import FILE, LABEL_NAMES
from apps.datasets.models import Dataset, Meaning, Pair
from apps.datasets.selectors import unlabelled
from apps.inference.selectors import latest_runs
from apps.studies.access import Access, study_view
from apps.testbeds import licensed, proofs, sampling, selectors, services
from apps.testbeds.forms import LicensedForm, SampleForm, TestbedForm
from apps.testbeds.grammars import derived, grammar_view
from apps.testbeds.models import Testbed
from natlog.fragments.testbeds import TESTBEDS

ANSWERS = {
    "confirmed": gettext_lazy("confirmed"),
    "refuted": gettext_lazy("refuted"),
    "unknown": gettext_lazy("not decided"),
    "yes": gettext_lazy("yes"),
    "no": gettext_lazy("no"),
}
# What a paper's own tables are broken down by comes first.
FIRST = ("cell", "depth", "kind")


@study_view()
def testbed_list(request: HttpRequest, access: Access) -> HttpResponse:
    """The study's testbeds, and the form that makes another."""
    form = TestbedForm(request.POST or None, study=access.study)
    if request.method == "POST" and form.is_valid():
        try:
            made = services.testbed_create(
                study=access.study, actor=access.user, name=form.cleaned_data["name"], options=form.options()
            )
            return redirect("testbeds:testbed", access.study.slug, made.pk)
        except ValidationError as error:
            form.add_error(None, error)
    depths = [(name, TESTBEDS[kind].depths) for kind, name in Testbed.Kind.choices if kind in TESTBEDS]
    context = {"form": form, "testbeds": selectors.testbeds_of(access.study), "depths": depths}
    return render(request, "testbeds/list.html", context)


@study_view()
def testbed_page(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Its grammar, counts and rows; of pairs also who is right where, by a column of the address."""
    return _page(request, access, access.get(Testbed, pk))


def _page(
    request: HttpRequest,
    access: Access,
    testbed: Testbed,
    sample: SampleForm | None = None,
    pairs: LicensedForm | None = None,
) -> HttpResponse:
    dataset = testbed.dataset
    factors, factor = _chosen(request, dataset)
    is_pairs = dataset.kind == Dataset.Kind.PAIRS
    context: dict[str, Any] = {
        "testbed": testbed,
        "dataset": dataset,
        "stored": (dataset.pairs if is_pairs else dataset.meanings).count(),
        "proved": [(ANSWERS[name], n) for name, n in testbed.proved.items() if name in ANSWERS],
        "job": testbed.job if testbed.job and not testbed.job.is_over else None,
        "failed": testbed.job if testbed.job and testbed.job.is_over and not testbed.finished_at else None,
        "columns": TESTBEDS[testbed.kind].columns.items(),
        "grammar": grammar_view(testbed.kind),
        "factors": list(factors),
        "factor": factor,
        "counts": selectors.counts_by(dataset, factor) if factor else [],
        "items": selectors.some_rows(dataset, factor, factors.get(factor, [])),
        "names": LABEL_NAMES,
    }
    if dataset.kind == Dataset.Kind.MEANINGS and testbed.finished_at:
        name = _("%(name)s, pairs") % {"name": dataset.name}
        context["pairs"] = pairs or LicensedForm(initial={"name": name[:200]})
    elif testbed.finished_at:
        judges = judges_of(dataset)
        runs = latest_runs(dataset)
        context |= {
            "cells": selectors.cells(dataset, factor, judges, runs) if factor else None,
            "runs": runs,
            "differences": selectors.differences(dataset),
            "waiting": unlabelled(dataset).count(),
            "sample": sample or SampleForm(factors=factors, initial=_sample_initial(testbed, factor)),
        }
    return render(request, "testbeds/testbed.html", context)


def _chosen(request: HttpRequest, dataset: Dataset) -> tuple[dict[str, list[str]], str]:
    """What can be counted by, and which of these the address asks for ("" where there is none)."""
    factors = selectors.factors(dataset)
    factor = request.GET.get("by", "")
    if factor and factor not in factors:
        raise Http404
    return factors, factor or next((name for name in FIRST if name in factors), next(iter(factors), ""))


def _sample_initial(testbed: Testbed, factor: str) -> dict[str, str]:
    return {"name": _("%(name)s, sample") % {"name": testbed.dataset.name}, "factor": factor}


@require_POST
@study_view()
def testbed_prove(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    try:
        services.proving_start(testbed=access.get(Testbed, pk), actor=access.user)
    except ValidationError as error:
        messages.error(request, error.messages[0])
    return redirect("testbeds:testbed", access.study.slug, pk)


@require_POST
@study_view()
def testbed_sample(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """A sample of each value of a column, as a draft of a campaign."""
    testbed = access.get(Testbed, pk)
    form = SampleForm(request.POST, factors=selectors.factors(testbed.dataset))
    if form.is_valid():
        try:
            campaign = sampling.sample_begin(testbed=testbed, actor=access.user, **form.cleaned_data)
            return redirect("campaigns:campaign", access.study.slug, campaign.pk)
        except ValidationError as error:
            form.add_error(None, error)
    return _page(request, access, testbed, form)


@require_POST
@study_view()
def testbed_pairs(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """The pairs that its sentences license, in the background."""
    testbed = access.get(Testbed, pk)
    form = LicensedForm(request.POST)
    if form.is_valid():
        try:
            _made, job = licensed.licensed_begin(testbed=testbed, actor=access.user, **form.cleaned_data)
            return redirect("jobs:job", access.study.slug, job.pk)
        except ValidationError as error:
            form.add_error(None, error)
    return _page(request, access, testbed, pairs=form)


@study_view()
def item_page(request: HttpRequest, access: Access, pk: int, item: int) -> HttpResponse:
    """One row: its forms, the derivation of its sentences step by step, and its proof."""
    testbed = access.get(Testbed, pk)
    context: dict[str, Any] = {
        "testbed": testbed,
        "dataset": testbed.dataset,
        "names": LABEL_NAMES,
        "answers": ANSWERS,
    }
    if testbed.dataset.kind == Dataset.Kind.MEANINGS:
        meaning = access.get(Meaning, item, dataset=testbed.dataset)
        context |= {"meaning": meaning, "derived": [derived(testbed.kind, meaning.text)]}
    else:
        pair = access.get(Pair, item, dataset=testbed.dataset)
        sentences = [*(premise.text for premise in pair.premises.all()), pair.hypothesis]
        label = pair.gold_labels.filter(source=FILE).first()
        ways = [derived(testbed.kind, sentence) for sentence in sentences]
        context |= {"pair": pair, "label": label, "derived": ways}
        if all(way.steps for way in ways):
            context["proofs"] = proofs.of_sentences(testbed.kind, *sentences)
    return render(request, "testbeds/item.html", context)
