"""Pages of machine-made pairs: choose, look at examples, make them, see what came of it; contrast sets."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from apps.datasets.labels import LABEL_NAMES
from apps.datasets.models import Dataset
from apps.generation import contrast_sets, selectors, services
from apps.generation.forms import ContrastForm, MachineForm
from apps.generation.models import MachineBatch
from apps.generation.options import OPERATIONS
from apps.studies.access import Access, study_view


@study_view()
def machine_new(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Choose a corpus and operations, then see examples. ``?batch=`` begins with another batch's choice."""
    dataset = access.get(Dataset, pk)
    form = MachineForm(request.POST or None, study=access.study, initial=_initial(request, access))
    if request.method == "POST" and form.is_valid():
        try:
            batch = services.machine_batch_create(
                dataset=dataset, corpus=form.cleaned_data["corpus"], actor=access.user, options=form.options()
            )
            return redirect("generation:batch", access.study.slug, batch.pk)
        except ValidationError as error:
            form.add_error(None, error)
    context = {"dataset": dataset, "form": form, "batches": selectors.batches_of(dataset)}
    return render(request, "generation/new.html", context)


def _initial(request: HttpRequest, access: Access) -> dict[str, Any]:
    number = request.GET.get("batch", "")
    if not number.isdecimal():
        return {}
    batch = access.get(MachineBatch, int(number))
    return {**batch.options, "corpus": batch.corpus_id}


@study_view()
def machine_page(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """A batch: its examples, then the progress and the counts."""
    batch = access.get(MachineBatch, pk)
    context = {
        "batch": batch,
        "dataset": batch.dataset,
        "job": batch.job if batch.started_at else selectors.preview_job_of(batch),
        "names": LABEL_NAMES,
        "operations": OPERATIONS,
        "rejected": sorted(batch.rejected.items(), key=lambda item: -item[1]),
    }
    return render(request, "generation/batch.html", context)


@require_POST
@study_view()
def machine_start(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    batch = access.get(MachineBatch, pk)
    try:
        services.machine_batch_start(batch=batch, actor=access.user)
    except ValidationError as error:
        messages.error(request, error.messages[0])
    return redirect("generation:batch", access.study.slug, pk)


@study_view()
def contrasts_new(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Choose contrasts of a dataset's pairs, of which the first are counted, and make them."""
    dataset = access.get(Dataset, pk, kind=Dataset.Kind.PAIRS)
    name = _("%(name)s: contrasts") % {"name": dataset.name}
    form = ContrastForm(request.POST or None, initial={"name": name[:200]})
    if request.method == "POST" and form.is_valid():
        try:
            _made, job = contrast_sets.contrast_set_create(
                dataset=dataset,
                actor=access.user,
                name=form.cleaned_data["name"],
                wanted=form.cleaned_data["contrasts"],
            )
            return redirect("jobs:job", access.study.slug, job.pk)
        except ValidationError as error:
            form.add_error(None, error)
    looked_at, found = contrast_sets.first_look(dataset)
    chosen = (
        form["contrasts"].value() or [] if form.is_bound else [name for name, count, _ex in found if count]
    )
    context = {"dataset": dataset, "form": form, "looked_at": looked_at, "found": found, "chosen": chosen}
    return render(request, "generation/contrasts.html", context)
