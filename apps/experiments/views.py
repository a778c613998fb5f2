"""Pages of experiments: choose a protocol, follow it, read its table, take its files."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from apps.experiments import answers, exhibits, services
from apps.experiments.card import card
from apps.experiments.forms import AnswersForm, ExperimentForm
from apps.experiments.models import Cell, Experiment, Split
from apps.experiments.protocols import protocols
from apps.experiments.results import cells_of, progress_of, title_of
from apps.frame.exhibits import exhibit_answer
from apps.inference.folders import missing_libraries
from apps.studies.access import Access, study_view, within

PAPERS = {
    "systematicity": gettext_lazy("Systematicity of monotonicity inference"),
    "transitivity": gettext_lazy("Transitivity through veridicality"),
}


@study_view()
def experiment_list(request: HttpRequest, access: Access) -> HttpResponse:
    """The study's experiments, and the protocols of each paper."""
    by_paper = [
        (title, [protocol for protocol in protocols().values() if protocol.paper == paper])
        for paper, title in PAPERS.items()
    ]
    found = within(Experiment, access.study).select_related("job__study")
    return render(request, "experiments/list.html", {"experiments": found, "papers": by_paper})


@study_view()
def experiment_new(request: HttpRequest, access: Access, protocol: str) -> HttpResponse:
    """What a protocol does, and the form that starts it."""
    chosen = protocols().get(protocol)
    if chosen is None:
        raise Http404
    form = ExperimentForm(
        request.POST or None, study=access.study, protocol=chosen, initial={"name": chosen.title}
    )
    if request.method == "POST" and form.is_valid():
        try:
            made = services.experiment_start(
                study=access.study, actor=access.user, protocol=chosen, **form.asked()
            )
            return redirect("experiments:experiment", access.study.slug, made.pk)
        except ValidationError as error:
            _refuse(form, error)
    context = {
        "form": form,
        "protocol": chosen,
        "missing": [name for name in missing_libraries() if name != "transformers"],
        "presets": [
            (name, preset, [title_of(network) for network in preset.networks])
            for name, preset in chosen.presets.items()
        ],
    }
    return render(request, "experiments/new.html", context)


@study_view()
def experiment_page(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Its figure and table as far as they are there, how far it is, and its files."""
    experiment = access.get(Experiment, pk)
    return _page(request, access, experiment, AnswersForm(experiment=experiment))


def _page(request: HttpRequest, access: Access, experiment: Experiment, form: AnswersForm) -> HttpResponse:
    cells = cells_of(experiment)
    found = exhibits.kept(experiment, cells)
    answer = exhibit_answer(request, found, name=f"{experiment.protocol}-{experiment.preset}")
    if answer is not None:
        return answer
    context = {
        "experiment": experiment,
        "protocol": services.protocol_of(experiment),
        "sizes": experiment.spec["sizes"],
        "roles": experiment.spec["roles"],
        "progress": progress_of(cells),
        "cells": [(cell, title_of(cell.contestant)) for cell in cells if cell.training],
        "splits": experiment.splits.all(),
        "table": found["results"](),
        "figure": found["accuracy"](),
        "goes_on": _goes_on(experiment, cells),
        "form": form,
    }
    return render(request, "experiments/experiment.html", context)


def _goes_on(experiment: Experiment, cells: list[Cell]) -> bool:
    jobs = [experiment.job, experiment.calculus_job, *(cell.training.job for cell in cells if cell.training)]
    return any(job is not None and not job.is_over for job in jobs)


@require_POST
@study_view()
def experiment_cancel(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    services.experiment_cancel(experiment=access.get(Experiment, pk), actor=access.user)
    return redirect("experiments:experiment", access.study.slug, pk)


@require_POST
@study_view()
def experiment_answers(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Answers of a model from elsewhere."""
    experiment = access.get(Experiment, pk)
    form = AnswersForm(request.POST, request.FILES, experiment=experiment)
    if form.is_valid():
        data = form.cleaned_data
        try:
            answers.answers_store(
                split=access.get(Split, int(data["split"]), experiment=experiment),
                actor=access.user,
                contestant=data["contestant"],
                seed=data["seed"],
                data=data["file"].read(answers.LARGEST_FILE + 1),
            )
            return redirect("experiments:experiment", access.study.slug, pk)
        except ValidationError as error:
            _refuse(form, error)
    return _page(request, access, experiment, form)


@study_view()
def experiment_card(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """The card for a paper's appendix, as Markdown."""
    experiment = access.get(Experiment, pk)
    headers = {"Content-Disposition": f'attachment; filename="{experiment.protocol}-{experiment.preset}.md"'}
    return HttpResponse(card(experiment), content_type="text/markdown; charset=utf-8", headers=headers)


@study_view()
def split_archive(request: HttpRequest, access: Access, pk: int, split: int) -> HttpResponse:
    """A split's rows with their manifest."""
    experiment = access.get(Experiment, pk)
    found = access.get(Split, split, experiment=experiment)
    name = f"{experiment.protocol}-{experiment.preset}-split-{found.pk}.zip"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(answers.archive(found), content_type="application/zip", headers=headers)


def _refuse(form: ExperimentForm | AnswersForm, error: ValidationError) -> None:
    """Under the field where the form has it, else over the whole form."""
    if hasattr(error, "error_dict") and set(error.error_dict) <= set(form.fields):
        form.add_error(None, error)
    else:
        form.add_error(None, ValidationError(error.messages))
