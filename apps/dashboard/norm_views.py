"""The outside norms of a study: one beside what is said of its words' pairs, one more from a file, removing
one."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from apps.comparison.campaign_choice import JudgesForm
from apps.comparison.pairs import predicted
from apps.dashboard import counted, norms
from apps.dashboard.addresses import pairs_address
from apps.dashboard.breakdown_exhibits import judge_names
from apps.dashboard.choices import choices, is_by_program, latest
from apps.dashboard.models import Norm
from apps.dashboard.norm_exhibits import NormExhibits
from apps.dashboard.norm_forms import NormForm, NormShownForm
from apps.datasets.models import Dataset
from apps.frame.exhibits import exhibit_answer
from apps.studies.access import Access, study_view, within


@study_view()
def norms_page(request: HttpRequest, access: Access) -> HttpResponse:
    """``?norm=``, ``?dataset=`` and ``?fact=`` say what is shown. What is wrong with a file is said with its
    row, and nothing is kept of it."""
    form = NormForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        said = form.cleaned_data
        try:
            norm = norms.norm_create(
                study=access.study,
                actor=access.user,
                name=said["name"],
                source=said["source"],
                numbers=said["found"],
            )
        except ValidationError as error:
            form.add_error(None, error)
        else:
            text = ngettext("%(n)d word has a number.", "%(n)d words have a number.", norm.size)
            messages.success(request, text % {"n": norm.size})
            return redirect("dashboard:norms", access.study.slug)
    kept = list(within(Norm, access.study).defer("numbers"))
    context: dict[str, Any] = {"form": form, "norms": kept}
    shown = _shown(request, access, kept, context) if kept else None
    if shown is not None and (file := exhibit_answer(request, shown.kept(), name=access.study.slug)):
        return file
    if shown is None and "as" in request.GET:
        raise Http404
    return render(request, "dashboard/norms.html", context)


def _shown(
    request: HttpRequest, access: Access, kept: list[Norm], context: dict[str, Any]
) -> NormExhibits | None:
    """The exhibits of the norm that is asked for, or the first, and what the page says of it; None where
    there is nothing to hold it against."""
    pairs = within(Dataset, access.study).filter(kind=Dataset.Kind.PAIRS, archived_at=None)
    datasets = list(pairs.select_related("study").order_by("name"))
    largest = counted.largest(access.study, datasets)
    form = NormShownForm(request.GET, norms=kept, datasets=datasets, largest=largest)
    context["shown"], dataset = form, form.dataset_chosen
    if dataset is None:
        return None
    norm, there = form.norm_chosen, choices(dataset)
    fact = form.fact_chosen(there.facts, norms.best_fact(there.facts, norm.numbers))
    context |= {"norm": norm, "dataset": dataset, "fact": fact, "simulated": is_by_program(dataset, there)}
    if fact is None:
        return None
    judges, runs = JudgesForm(request.GET, dataset=dataset).judges, latest(there)
    found = counted.entailed_by(dataset, fact, judges, runs, wait="as" in request.GET)
    context |= {"counted": found.found, "judges": judges}
    if found.value is None:
        return None
    names = judge_names(found.value, {predicted(run): run.model.name for run in runs})

    def address(word: str) -> str:
        return pairs_address(dataset, judges, fact=fact, fact_is=f'"{word}"')

    exhibits = NormExhibits(found.value, norm.name, norm.numbers, fact, names, address)
    context |= {
        "figure": exhibits.figure(),
        "correlated": exhibits.correlated(),
        "words": exhibits.words(),
        "both": len(exhibits.both),
        "without": exhibits.without,
    }
    return exhibits


@require_POST
@study_view()
def norm_remove(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    norms.norm_remove(norm=access.get(Norm, pk), actor=access.user)
    messages.success(request, _("Removed."))
    return redirect("dashboard:norms", access.study.slug)
