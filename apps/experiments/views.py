"""Pages of experiments: choose a protocol, follow it, read its table, take its files."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from apps.experiments import answers, elsewhere, exhibits, kept_networks, own_protocols, services
from apps.experiments.card import card
from apps.experiments.forms import AnswersForm, ExperimentForm, ProtocolForm
from apps.experiments.measures import GROUPS
from apps.experiments.models import Cell, Experiment, OwnProtocol, Split
from apps.experiments.plans import Protocol
from apps.experiments.protocols import protocols
from apps.experiments.results import cells_of, progress_of, rows_short, states_of, title_of
from apps.frame.exhibits import Figure, exhibit_answer
from apps.inference.folders import missing_libraries
from apps.jobs.models import Job
from apps.studies.access import Access, study_view, within
from apps.studies.models import Study

PAPERS = {
    "systematicity": gettext_lazy("Systematicity of monotonicity inference"),
    "transitivity": gettext_lazy("Transitivity through veridicality"),
    "med": gettext_lazy("MED: can neural networks understand monotonicity reasoning?"),
    "sygns": gettext_lazy("SyGNS: systematic generalisation of natural language semantics"),
}


@study_view()
def experiment_list(request: HttpRequest, access: Access) -> HttpResponse:
    """The study's experiments, and the protocols of each paper."""
    by_paper = [
        (title, [protocol for protocol in protocols().values() if protocol.paper == paper])
        for paper, title in PAPERS.items()
    ]
    archived = "archived" in request.GET
    every = within(Experiment, access.study)
    experiments = list(every.filter(archived_at__isnull=not archived))
    states = states_of(experiments)
    context = {
        "experiments": [(experiment, states[experiment.pk]) for experiment in experiments],
        "archived": archived,
        "others": every.filter(archived_at__isnull=archived).count(),
        "papers": by_paper,
        "own": _own(access),
    }
    return render(request, "experiments/list.html", context)


def _own(access: Access) -> list[tuple[OwnProtocol, Protocol | None, str]]:
    """The study's own, each as it is opened, or why it can't be any more: an earlier version took it."""
    found: list[tuple[OwnProtocol, Protocol | None, str]] = []
    for own in within(OwnProtocol, access.study):
        try:
            found.append((own, own_protocols.protocol_read(own), ""))
        except ValidationError as error:
            found.append((own, None, "; ".join(error.messages)))
    return found


@study_view()
def protocol_new(request: HttpRequest, access: Access) -> HttpResponse:
    """A researcher's own protocol, as a file."""
    form = ProtocolForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        try:
            own = own_protocols.protocol_add(study=access.study, actor=access.user, **form.asked())
            return redirect("experiments:new", access.study.slug, own.name)
        except ValidationError as error:
            for field, texts in error.message_dict.items():
                form.add_error("file" if field == "text" else field, texts)
    return render(request, "experiments/protocol.html", {"form": form})


@study_view()
def protocol_file(request: HttpRequest, access: Access, protocol: str) -> HttpResponse:
    """The text of a protocol, the program's or the study's own: to read, and to begin another from."""
    shipped = protocols().get(protocol)
    own = within(OwnProtocol, access.study).filter(name=protocol).first()
    if shipped is None and own is None:
        raise Http404
    return _toml(shipped.text if shipped else own.text if own else "", protocol)


@require_POST
@study_view()
def own_remove(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    own_protocols.protocol_remove(protocol=access.get(OwnProtocol, pk), actor=access.user)
    messages.info(request, _("Removed. Experiments made of it keep its text."))
    return redirect("experiments:list", access.study.slug)


@study_view()
def experiment_protocol(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """The text that an experiment runs."""
    experiment = access.get(Experiment, pk)
    return _toml(experiment.spec["text"], experiment.protocol)


def _toml(text: str, name: str) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{name}.toml"'}
    return HttpResponse(text, content_type="application/toml; charset=utf-8", headers=headers)


@study_view()
def experiment_new(request: HttpRequest, access: Access, protocol: str) -> HttpResponse:
    """What a protocol does, and the form that starts it."""
    try:
        chosen = own_protocols.protocol_named(access.study, protocol)
    except ValidationError as error:
        messages.error(request, "; ".join(error.messages))
        return redirect("experiments:list", access.study.slug)
    if chosen is None:
        raise Http404
    form = ExperimentForm(
        request.POST or None,
        study=access.study,
        protocol=chosen,
        initial={"name": _free_name(access.study, chosen.title)},
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
        "own": within(OwnProtocol, access.study).filter(name=protocol).first(),
        "missing": [name for name in missing_libraries() if name != "transformers"],
        "presets": list(chosen.presets.items()),
    }
    return render(request, "experiments/new.html", context)


def _free_name(study: Study, title: str) -> str:
    """The title, or with the first number that no experiment has."""
    taken = set(within(Experiment, study).values_list("name", flat=True))
    return next(
        name for name in (title, *(f"{title} ({n})" for n in range(2, len(taken) + 3))) if name not in taken
    )


@study_view()
def experiment_page(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Its figure and table as far as they are there, how far it is, and its files."""
    if request.headers.get("HX-Request") and not within(Experiment, access.study).filter(pk=pk).exists():
        # Of a page that is open; somebody else has deleted what it shows.
        messages.info(request, _("This experiment was deleted."))
        experiments = reverse("experiments:list", args=[access.study.slug])
        return HttpResponse(headers={"HX-Redirect": experiments})
    experiment = access.get(Experiment, pk)
    return _page(request, access, experiment, AnswersForm(experiment=experiment))


def _page(request: HttpRequest, access: Access, experiment: Experiment, form: AnswersForm) -> HttpResponse:
    cells = cells_of(experiment)
    found = exhibits.kept(experiment, cells)
    answer = exhibit_answer(request, found, name=f"{experiment.protocol}-{experiment.preset}")
    if answer is not None:
        return answer
    jobs, progress = _jobs(experiment, cells), progress_of(cells)
    going = [job for job in jobs if not job.is_over]
    runs = kept_networks.runs_of(
        cell.training.model for cell in cells if cell.training and cell.training.model
    )
    context = {
        "experiment": experiment,
        "protocol": services.protocol_of(experiment),
        "sizes": experiment.spec["sizes"],
        "roles": experiment.spec["roles"],
        "progress": progress,
        "version": progress.done + (experiment.calculus_job.done if experiment.calculus_job else 0),
        "short": rows_short(experiment),
        "cells": [
            (cell, title_of(cell.contestant), runs.get(cell.training.model_id or 0, []))
            for cell in cells
            if cell.training
        ],
        "keeps": experiment.spec["keeps"],
        "splits": experiment.splits.all(),
        "table": found["results"](),
        "more": [(key, found[key]()) for key in (*GROUPS, "errors", "examples") if key in found],
        "figure": (figure := found["accuracy"]()),
        # A refused form stands below the picture, and the browser is led to it before the picture is there.
        "size": figure.size() if isinstance(figure, Figure) and form.errors else None,
        "goes_on": bool(going),
        # One training that somebody cancels by itself ends alone.
        "cancelling": bool(going) and all(job.cancel_requested for job in going),
        "stopped": any(job.state in (Job.State.CANCELLED, Job.State.FAILED) for job in jobs),
        "brought": elsewhere.models_brought(experiment),
        "form": form,
    }
    response = render(request, "experiments/experiment.html", context)
    if "dealing" in request.GET and experiment.job and experiment.job.is_over:
        # A page that was open while rows were dealt has neither splits nor trainings below its live part.
        response["HX-Refresh"] = "true"
    return response


def _jobs(experiment: Experiment, cells: list[Cell]) -> list[Job]:
    jobs = [experiment.job, experiment.calculus_job, *(cell.training.job for cell in cells if cell.training)]
    return [job for job in jobs if job is not None]


@require_POST
@study_view()
def experiment_cancel(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    services.experiment_cancel(experiment=access.get(Experiment, pk), actor=access.user)
    return redirect("experiments:experiment", access.study.slug, pk)


@require_POST
@study_view()
def experiment_go_on(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    services.experiment_go_on(experiment=access.get(Experiment, pk), actor=access.user)
    return redirect("experiments:experiment", access.study.slug, pk)


@study_view()
def experiment_answers(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Answers of a model from elsewhere. A page with a refused file stands at this address: the picture and
    the files that it leads to are the experiment's."""
    experiment = access.get(Experiment, pk)
    page = reverse("experiments:experiment", args=[access.study.slug, pk])
    if request.method != "POST":
        return redirect(f"{page}?{request.GET.urlencode()}" if request.GET else page)
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
            messages.success(request, _("Brought in: “%(name)s”.") % {"name": data["contestant"]})
            # A browser that is led on keeps the fragment of the form's address where it is given no other.
            return redirect(f"{page}#main")
        except ValidationError as error:
            _refuse(form, error)
    return _page(request, access, experiment, form)


@require_POST
@study_view()
def answers_remove(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Take back what was brought in of one model."""
    experiment, name = access.get(Experiment, pk), request.POST.get("contestant", "")
    try:
        elsewhere.answers_remove(experiment=experiment, actor=access.user, contestant=name)
        messages.info(request, _("Taken back: “%(name)s”.") % {"name": name})
    except ValidationError as error:
        messages.error(request, "; ".join(error.messages))
    return redirect("experiments:experiment", access.study.slug, pk)


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
