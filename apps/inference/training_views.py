"""Training sets, trainings and learning curves: made, followed, compared."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from apps.inference import training_selectors as selectors
from apps.inference import training_sets, trainings, trying
from apps.inference.folders import missing_libraries
from apps.inference.forms import TrySentenceForm
from apps.inference.models import LearningCurve, Training, TrainingSet
from apps.inference.networks import labelling_networks, networks
from apps.inference.training_forms import CurveForm, MixForm, TrainForm, TrainingSetForm, options_told
from apps.jobs.models import Job
from apps.studies.access import Access, study_view


@study_view()
def training_list(request: HttpRequest, access: Access) -> HttpResponse:
    context = {
        "sets": Paginator(selectors.sets_of(access.study), 50).get_page(request.GET.get("page")),
        "trainings": selectors.trainings_of(access.study)[:100],
        "curves": selectors.curves_of(access.study)[:100],
    }
    return render(request, "models/training_list.html", context)


@study_view()
def set_new(request: HttpRequest, access: Access) -> HttpResponse:
    """Ask for a set; a job mixes it."""
    form = TrainingSetForm(request.POST or None, study=access.study)
    if request.method == "POST" and form.is_valid():
        try:
            job = training_sets.training_set_start(
                study=access.study, actor=access.user, name=form.cleaned_data["name"], spec=form.spec()
            )
        except ValidationError as error:
            _refuse(form, error)
        else:
            return redirect("jobs:job", access.study.slug, job.pk)
    return render(request, "models/set_new.html", {"form": form})


@study_view()
def set_page(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """A set with its counts and overlap, and a form to train a network on it."""
    training_set = access.get(TrainingSet, pk)
    form = TrainForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            training = trainings.training_start(
                training_set=training_set,
                actor=access.user,
                name=form.cleaned_data["name"],
                **form.training(),
            )
        except ValidationError as error:
            _refuse(form, error)
        else:
            return redirect("models:training", access.study.slug, training.pk)
    context = {
        "training_set": training_set,
        "split": training_set.splits.select_related("experiment").first(),
        "form": form,
        "trainings": training_set.trainings.select_related("job__study"),
        "networks": labelling_networks(),
        "missing": [name for name in missing_libraries() if name != "transformers"],
    }
    return render(request, "models/set.html", context)


@study_view()
def training_page(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    return render(request, "models/training.html", _told(access.get(Training, pk)))


@study_view()
def training_moving(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """What moves on a training's page while it goes on."""
    return render(request, "models/_training.html", _told(access.get(Training, pk)))


@study_view()
def training_try(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """A sentence in, its meaning out, beside the grammar's: on the training's page. The page with a refused
    sentence stands at this address: read again, it is the training's."""
    training, page = access.get(Training, pk), reverse("models:training", args=[access.study.slug, pk])
    if request.method != "POST":
        return redirect(page)
    form = TrySentenceForm(request.POST)
    if form.is_valid():
        try:
            trying.sentence_try(training=training, actor=access.user, **form.cleaned_data)
            return redirect(f"{page}#tried")
        except ValidationError as error:
            _refuse(form, error)
    return render(request, "models/training.html", _told(training, form))


def _told(training: Training, refused: TrySentenceForm | None = None) -> dict[str, object]:
    """A training's page; with a sentence that was ``refused``, no verdict of another."""
    tried = None if refused else trying.latest_try(training)
    epochs = list(
        training.epochs.values("run", "number", "loss", "train_accuracy", "validation_accuracy", "seconds")
    )
    runs = list(training.runs.all())
    return {
        "training": training,
        "epochs": epochs,
        "charts": selectors.epoch_charts(epochs),
        "runs": runs,
        "scores": selectors.scores_of(training, runs),
        "network": networks().get(training.network),
        "options": options_told(training.options),
        "tried": tried,
        "try_form": refused or _try_form(training, tried),
    }


def _try_form(training: Training, tried: Job | None) -> TrySentenceForm | None:
    """It holds the sentence tried last, so that a variation need not be typed anew."""
    if trying.run_kept(training) is None:
        return None
    return TrySentenceForm(initial=tried.params if tried else None)


@study_view()
def curve_new(request: HttpRequest, access: Access) -> HttpResponse:
    """MED's Figure 2 as one form."""
    form = CurveForm(request.POST or None, study=access.study)
    if request.method == "POST" and form.is_valid():
        try:
            curve = trainings.curve_start(study=access.study, actor=access.user, **form.curve())
        except ValidationError as error:
            _refuse(form, error)
        else:
            return redirect("models:curve", access.study.slug, curve.pk)
    return render(request, "models/curve_new.html", {"form": form})


@study_view()
def curve_page(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    curve = access.get(LearningCurve, pk)
    points, charts = selectors.curve_points(curve)
    return render(request, "models/curve.html", {"curve": curve, "points": points, "charts": charts})


def _refuse(form: MixForm | TrainForm | TrySentenceForm, error: ValidationError) -> None:
    """Under the field where the form has it, else over the whole form."""
    if hasattr(error, "error_dict") and set(error.error_dict) <= set(form.fields):
        form.add_error(None, error)
    else:
        form.add_error(None, ValidationError(error.messages))
