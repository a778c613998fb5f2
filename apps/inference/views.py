"""Models and runs: the registry, a model's page, a run with its progress, accuracy and predictions."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, QueryDict, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from apps.datasets.models import Dataset, Direction
from apps.inference import folder_models, selectors, services, trying
from apps.inference.chat.budgets import budget_set
from apps.inference.chat.configs import ChatConfig
from apps.inference.chat.forms import BudgetForm, ChatForm, ChatRunForm
from apps.inference.chat.registration import EXAMPLE, prompt_of
from apps.inference.chat.spending import reasons_of, usage_of
from apps.inference.downloads import FORMATS, pairs_to_predict
from apps.inference.forms import (
    HubForm,
    PredictionFilterForm,
    RunForm,
    TryPairForm,
)
from apps.inference.hub import hub_fetch_start
from apps.inference.kinds import KINDS, ModelKind, kinds_by_group
from apps.inference.models import Model, Run
from apps.inference.pairs_left import pairs_pending
from apps.inference.training_selectors import epoch_charts
from apps.inference.verdicts import reads_hypothesis_alone, verdicts_of
from apps.jobs.models import Job
from apps.studies.access import Access, study_view
from apps.tallies.selectors import Found


@study_view()
def model_list(request: HttpRequest, access: Access) -> HttpResponse:
    context = {
        "models": selectors.models_of(access.study),
        "page": Paginator(selectors.runs_of(access.study), 50).get_page(request.GET.get("page")),
        "groups": kinds_by_group(),
    }
    return render(request, "models/list.html", context)


@study_view()
def model_new(request: HttpRequest, access: Access, kind: str) -> HttpResponse:
    """Register a model of one kind; a learnt classifier by the job that trains it, a Hugging Face folder by
    the job that reads its weights."""
    if kind not in KINDS:
        raise Http404
    found = KINDS[kind]
    form = _form_of(found, request, access)
    if request.method == "POST" and form is not None and form.is_valid():
        try:
            if "preview" in request.POST and isinstance(form, ChatForm):
                prompt = prompt_of(study=access.study, **form.cleaned_data)
                return render(
                    request, "models/new.html", {"form": form, "kind": Model.Kind(kind), "prompt": prompt}
                )
            made = found.register(study=access.study, actor=access.user, **form.cleaned_data)
        except ValidationError as error:
            form.add_error(None, _known_fields(error, form))
        else:
            room = "jobs:job" if isinstance(made, Job) else "models:model"
            return redirect(room, access.study.slug, made.pk)
    context = {"form": form, "kind": Model.Kind(kind), "missing": found.missing()}
    return render(request, "models/new.html", context)


@study_view()
def model_fetch(request: HttpRequest, access: Access) -> HttpResponse:
    """Fetch a model of the hub into the models' directory, where the host allows one."""
    form = HubForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            job = hub_fetch_start(study=access.study, actor=access.user, **form.cleaned_data)
        except ValidationError as error:
            form.add_error(None, _known_fields(error, form))
        else:
            return redirect("jobs:job", access.study.slug, job.pk)
    return render(request, "models/fetch.html", {"form": form, "hub": settings.MODEL_HUB})


@study_view()
def model_page(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    return _model_page(request, access, access.get(Model, pk))


def _model_page(
    request: HttpRequest, access: Access, model: Model, refused: TryPairForm | None = None
) -> HttpResponse:
    """A model with its runs; with a pair that was ``refused``, no verdict of another."""
    tried = None if refused else trying.latest_try(model)
    runs: Any = selectors.runs_of(access.study).filter(model=model)
    page = Paginator(runs, 50).get_page(request.GET.get("page"))
    latest = page.object_list if page.number == 1 else runs[:20]
    newest = next((run for run in latest if run.prediction_count), None)
    figures = selectors.run_figures(newest)[0] if newest else None
    form = _run_form(None, model, access)
    context = {
        "is_blind": reads_hypothesis_alone(model),
        "newest": newest,
        "verdicts": verdicts_of(figures) if figures else [],
        "model": model,
        "page": page,
        "form": form,
        "charts": epoch_charts(model.config.get("card", {}).get("curves", [])),
        "datasets": form.there,
        "tried": tried,
        "try_form": refused or _try_form(model, tried),
    }
    if model.kind == Model.Kind.CHAT:
        config = ChatConfig.read(model.config)
        context |= {"chat": config, "prompt": config.messages(*EXAMPLE)}
    return render(request, "models/model.html", context)


@study_view()
def model_try(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """A pair in, probabilities out, beside the calculus' verdict: on the model's page. The page with a
    refused pair stands at this address: read again, it is the model's."""
    model, page = access.get(Model, pk), reverse("models:model", args=[access.study.slug, pk])
    if request.method != "POST":
        return redirect(f"{page}?{request.GET.urlencode()}" if request.GET else page)
    form = TryPairForm(request.POST)
    if form.is_valid():
        try:
            trying.pair_try(model=model, actor=access.user, **form.cleaned_data)
            return redirect(f"{page}#tried")
        except ValidationError as error:
            form.add_error(None, _known_fields(error, form))
    return _model_page(request, access, model, form)


@require_POST
@study_view()
def labels_confirm(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """The researcher has looked at which output is which label."""
    folder_models.labels_confirm(model=access.get(Model, pk), actor=access.user)
    return redirect("models:model", access.study.slug, pk)


@require_POST
@study_view()
def run_start(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    model = access.get(Model, pk)
    form = _run_form(request.POST, model, access)
    if not form.is_valid():
        _say_errors(request, form)
        return redirect("models:model", access.study.slug, pk)
    try:
        run = services.run_start(model=model, actor=access.user, **form.cleaned_data)
    except ValidationError as error:
        messages.error(request, "; ".join(error.messages))
        return redirect("models:model", access.study.slug, pk)
    return redirect("models:run", access.study.slug, run.pk)


@study_view()
def pairs_download(request: HttpRequest, access: Access, pk: int, format: str) -> StreamingHttpResponse:
    """A dataset's pairs for a model that is run elsewhere; ``?but=`` leaves out what a run has predicted."""
    dataset = access.get(Dataset, pk, kind=Dataset.Kind.PAIRS)
    if format not in FORMATS:
        raise Http404
    content_type, written = FORMATS[format]
    but = request.GET.get("but", "")
    if but and not (but.isdecimal() and len(but) < 19):
        raise Http404
    pairs = pairs_to_predict(dataset, access.get(Run, int(but), dataset=dataset) if but else None)
    headers = {"Content-Disposition": f'attachment; filename="pairs-to-predict-{pk}.{format}"'}
    return StreamingHttpResponse(written(pairs), content_type=content_type, headers=headers)


@study_view()
def run_page(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """A run: how far it is, how often it agrees with calculus, people and gold, what it left pending, and its
    predictions."""
    run, figures, found = _run_with_figures(access, pk)
    form = PredictionFilterForm(
        request.GET,
        references=[(reference.key, reference.title) for reference in figures.references],
        labels=run.dataset.labels,
    )
    chosen = form.cleaned_data if form.is_valid() else {}
    paginator = Paginator(figures.numbers(**chosen), 50)
    paginator.count = figures.number(**chosen)  # known already
    page = paginator.get_page(request.GET.get("page"))
    is_at_work = run.job is not None and not run.job.is_over
    context = {
        **_figures_shown(run, figures, found),
        "pending": [] if is_at_work or not run.left else pairs_pending(run)[:10],
        "filters": form,
        "page": page,
        "rows": figures.rows(list(page)),
    }
    if usage := usage_of(run):
        budget = BudgetForm(budget=usage.budget, config=usage.config)
        context |= {"usage": usage, "budget": budget, "left_out": reasons_of(run)}
    return render(request, "models/run.html", context)


@require_POST
@study_view()
def run_budget(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    access.get(Run, pk)
    run = selectors.runs_of(access.study).get(pk=pk)
    usage = usage_of(run)
    if usage is None:
        raise Http404
    form = BudgetForm(request.POST, budget=usage.budget, config=usage.config)
    if form.is_valid():
        given = {"tokens": None, "cost": None, **form.cleaned_data}
        budget_set(run=run, actor=access.user, **given)
    else:
        _say_errors(request, form)
    return redirect("models:run", access.study.slug, pk)


@study_view()
def run_figures(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """The part of a run's page that moves while it is at work: how many are predicted, and how well."""
    return render(request, "models/_figures.html", _figures_shown(*_run_with_figures(access, pk)))


@study_view()
def run_pending(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """All pairs that a run has no prediction of, and why."""
    run = selectors.run_counted(access.study, pk)
    paginator = Paginator(pairs_pending(run), 50)
    paginator.count = run.left
    page = paginator.get_page(request.GET.get("page"))
    return render(request, "models/pending.html", {"run": run, "page": page})


def _run_with_figures(access: Access, pk: int) -> tuple[Any, selectors.Figures, Found]:
    run = selectors.run_counted(access.study, pk)
    return run, *selectors.run_figures(run)


def _figures_shown(run: Any, figures: selectors.Figures, found: Found) -> dict[str, Any]:
    return {
        "run": run,
        "found": found,
        "scores": figures.scores,
        "verdicts": verdicts_of(figures),
        "directions": Direction,
        "references": figures.references,
    }


def _form_of(kind: ModelKind, request: HttpRequest, access: Access) -> forms.Form | None:
    return None if kind.missing() else kind.form(request.POST or None, study=access.study)


def _run_form(data: QueryDict | None, model: Model, access: Access) -> RunForm:
    if model.kind == Model.Kind.CHAT:
        return ChatRunForm(data, study=access.study, config=ChatConfig.read(model.config))
    return RunForm(data, study=access.study)


def _try_form(model: Model, tried: Job | None) -> TryPairForm | None:
    """It holds the pair tried last, so that a variation need not be typed anew."""
    if model.kind in trying.NOT_TRIED:
        return None
    return TryPairForm(initial=tried.params if tried else None)


def _say_errors(request: HttpRequest, form: forms.Form) -> None:
    messages.error(request, "; ".join(str(e) for errors in form.errors.values() for e in errors))


def _known_fields(error: ValidationError, form: forms.Form) -> ValidationError:
    """The error by field where the form has the field, else for the whole form."""
    if hasattr(error, "error_dict") and set(error.error_dict) <= set(form.fields):
        return error
    return ValidationError(error.messages)
