"""The queue of disagreements: one pair at a time with all that is said of it, and one key that marks it."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from apps.comparison.campaign_choice import JudgesForm
from apps.comparison.judges import Judges
from apps.curation.bulk_edits import edit_start
from apps.curation.flags import FLAG_NAMES
from apps.curation.models import BulkEdit
from apps.curation.selectors import pair_shown
from apps.dashboard import disagreements, listed
from apps.dashboard.choices import Choices, choices, is_by_program, latest
from apps.dashboard.forms import DisagreementsForm
from apps.datasets.labels import LABEL_NAMES
from apps.datasets.models import Dataset, Pair
from apps.datasets.tags import NEEDS_REVIEW, TO_ADJUDICATE
from apps.inference.models import Run
from apps.studies.access import Access, study_view

LISTED = 50


@study_view()
def queue_page(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """``?pair=`` is the pair on the card, the first of the queue where it is left out."""
    dataset = access.get(Dataset, pk, kind=Dataset.Kind.PAIRS)
    form, judges, runs, there = _asked(request, dataset)
    kept = listed.queue(dataset, judges, runs, form.chosen)
    context: dict[str, Any] = {
        "dataset": dataset,
        "simulated": is_by_program(dataset, there),
        "form": form,
        "judges": judges,
        "found": kept.found,
    }
    if (places := kept.value) is None:
        return render(request, "dashboard/disagreements.html", context)
    asked = request.GET.get("pair", "")
    here, before, after = places.beside(int(asked) if asked.isdecimal() else None)
    view = pair_shown(dataset, places.pairs[here], judges) if places else None
    context |= {
        "read": judges,
        "places": [places.place(number) for number in range(min(LISTED, len(places)))],
        "total": len(places),
        "here": here + 1,
        "place": places.place(here) if places else None,
        "before": before,
        "after": after,
        "view": view,
        "pair": view.pair if view else None,
        "names": LABEL_NAMES,
        "flags": FLAG_NAMES,
        "tags": there.tags,
    }
    return render(request, "dashboard/disagreements.html", context)


@study_view()
def queue_csv(request: HttpRequest, access: Access, pk: int) -> StreamingHttpResponse:
    dataset = access.get(Dataset, pk, kind=Dataset.Kind.PAIRS)
    form, judges, runs, _there = _asked(request, dataset)
    places = listed.queue(dataset, judges, runs, form.chosen, wait=True).there.places
    headers = {"Content-Disposition": f'attachment; filename="disagreements-{pk}.csv"'}
    lines = disagreements.as_csv(dataset, judges, runs, places)
    return StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8", headers=headers)


@require_POST
@study_view()
def pair_mark(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Send a pair to adjudication, flag it, or tag it; on to the next, under the same filters."""
    dataset = access.get(Dataset, pk, kind=Dataset.Kind.PAIRS)
    number = request.POST.get("pair", "")
    pair = access.get(Pair, int(number) if number.isdecimal() else 0, dataset=dataset)
    form, judges, runs, _there = _asked(request, dataset)
    places = listed.queue(dataset, judges, runs, form.chosen).value
    after = places.beside(pair.pk)[2] if places else None
    do = request.POST.get("do", "")
    tag = {"adjudicate": TO_ADJUDICATE, "flag": NEEDS_REVIEW}.get(do) or request.POST.get("tag", "").strip()
    to = after
    if do not in ("adjudicate", "flag", "tag"):
        messages.error(request, _("Send it to adjudication, flag it, or tag it."))
        to = pair.pk
    else:
        try:
            edit = edit_start(
                dataset=dataset, actor=access.user, action=BulkEdit.Action.ADD, tag=tag, ticked=[pair.pk]
            )
            _tell(request, access, edit, pair.pk)
        except ValidationError as error:
            messages.error(request, error.messages[0])
            to = pair.pk
    query = {name: request.GET.getlist(name) for name in request.GET if name != "pair"}
    address = reverse("dashboard:disagreements", args=[access.study.slug, pk])
    return redirect(f"{address}?{urlencode(query | ({'pair': to} if to else {}), doseq=True)}")


def _tell(request: HttpRequest, access: Access, edit: BulkEdit, pair: int) -> None:
    name = FLAG_NAMES.get(edit.tag, edit.tag)
    if not edit.changed:
        messages.info(request, _("Pair %(n)d had it already: %(tag)s.") % {"n": pair, "tag": name})
        return
    undo = reverse("curation:edit", args=[access.study.slug, edit.pk])
    said = _("Pair %(n)d: %(tag)s.") % {"n": pair, "tag": name}
    messages.success(request, format_html('{} <a href="{}">{}</a>', said, undo, _("Take it back")))


def _asked(request: HttpRequest, dataset: Dataset) -> tuple[DisagreementsForm, Judges, list[Run], Choices]:
    there = choices(dataset)
    runs = latest(there)
    form = DisagreementsForm(request.GET, tags=there.tags, runs=runs)
    return form, JudgesForm(request.GET, dataset=dataset).judges, runs, there
