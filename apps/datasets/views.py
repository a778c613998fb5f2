"""Pairs: datasets, the list of a dataset's pairs, a pair's page, calculus labels."""

from __future__ import annotations

from urllib.parse import urlencode

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from apps.datasets import selectors, services, typed_pairs
from apps.datasets.forms import DatasetForm, LabellingForm, TypedPairForm
from apps.datasets.labels import LABEL_NAMES
from apps.datasets.models import Dataset
from apps.datasets.sureness import sureness
from apps.studies.access import Access, study_view

PAIRS_A_PAGE = 50
LAST_TYPED = 10
REASONS_SHOWN = 10


@study_view()
def dataset_list(request: HttpRequest, access: Access) -> HttpResponse:
    archived = "archived" in request.GET
    page = Paginator(selectors.datasets_of(access.study, archived=archived), 50)
    shown = page.get_page(request.GET.get("page"))
    sizes, found = selectors.sizes_of(access.study)
    context = {
        "page": shown,
        "rows": [(dataset, sizes(dataset)) for dataset in shown],
        "found": found,
        "archived": archived,
        "others": selectors.datasets_of(access.study, archived=not archived).count(),
    }
    return render(request, "datasets/list.html", context)


@study_view()
def dataset_new(request: HttpRequest, access: Access) -> HttpResponse:
    form = DatasetForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            dataset = services.dataset_create(study=access.study, actor=access.user, **form.cleaned_data)
            return redirect("curation:dataset", access.study.slug, dataset.pk)
        except ValidationError as error:
            form.add_error(None if "name" not in error.message_dict else "name", error.messages[0])
    return render(request, "datasets/new.html", {"form": form})


@study_view()
def pair_new(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Type single pairs in, one after the other; source and genre stay for the next."""
    dataset = access.get(Dataset, pk)
    if dataset.kind != Dataset.Kind.PAIRS:
        raise Http404
    kept = {name: request.GET.get(name, "") for name in ("source", "genre")}
    form = TypedPairForm(request.POST or None, dataset=dataset, initial=kept)
    if request.method == "POST" and form.is_valid():
        try:
            pair = typed_pairs.pair_type_in(dataset=dataset, actor=access.user, **form.cleaned_data)
        except ValidationError as error:
            form.add_error(None, error)
        else:
            messages.success(request, _("Pair %(n)d is stored.") % {"n": pair.pk})
            address = reverse("datasets:pair_new", args=[access.study.slug, pk])
            return redirect(f"{address}?{urlencode({'source': pair.source, 'genre': pair.genre})}")
    last = typed_pairs.typed_last(dataset)[:LAST_TYPED]
    context = {"dataset": dataset, "form": form, "last": last, "names": LABEL_NAMES}
    return render(request, "datasets/pair_new.html", context)


@study_view()
def labels_page(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """The calculus labels of a dataset: which sets there are, what changed, and a new labelling."""
    dataset = access.get(Dataset, pk)
    form = LabellingForm(request.POST or None, initial={"convention": selectors.convention_of(dataset)})
    if request.method == "POST" and form.is_valid():
        job = services.labelling_start(
            dataset=dataset, actor=access.user, convention=form.cleaned_data["convention"]
        )
        return redirect("jobs:job", access.study.slug, job.pk)
    sets = selectors.label_sets(dataset)
    earlier = [item for item in sets if item.current < item.labels]
    chosen, changes = None, None
    if earlier:
        try:
            chosen = earlier[int(request.GET.get("before", 0))]
        except (ValueError, IndexError) as error:
            raise Http404 from error
        found = selectors.label_changes(dataset, chosen.key)
        changes = Paginator(found, PAIRS_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "dataset": dataset,
        "form": form,
        "sets": sets,
        "earlier": earlier,
        "chosen": chosen,
        "changes": changes,
        "names": LABEL_NAMES,
        "sure": sureness(dataset.pairs.order_by().values("pk")),
        "unread": (unread := selectors.not_read(dataset))[:REASONS_SHOWN],
        "unread_count": sum(n for _reason, n in unread),
        "job": selectors.jobs_of(dataset, "datasets.label").first(),
    }
    return render(request, "datasets/labels.html", context)
