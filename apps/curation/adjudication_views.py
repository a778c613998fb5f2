"""The adjudication queue: one pair at a time, all that is said of it, and one key that decides."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django_htmx.http import HttpResponseClientRedirect

from apps.campaigns.models import Campaign
from apps.comparison.judges import judges_beside
from apps.curation import adjudication
from apps.curation.adjudication_forms import DecisionForm
from apps.curation.selectors import pair_view
from apps.datasets.labels import ADJUDICATION, LABEL_NAMES, UNNATURAL
from apps.datasets.models import Pair
from apps.frame.edit_forms import edit_view
from apps.quality.views import page
from apps.studies.access import Access, study_view


def _kinds(request: HttpRequest) -> tuple[str, ...]:
    wanted = request.GET.get("kind", "")
    return (wanted,) if wanted in adjudication.KINDS else adjudication.KINDS


@study_view()
def queue(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """The next pair that waits, behind ``?after=``; or that none does, or that a job looks for them."""
    campaign = access.get(Campaign, pk)
    after = request.GET.get("after", "")
    found = adjudication.waiting(campaign)
    number = adjudication.next_after(
        campaign,
        _kinds(request),
        int(after) if after.isdecimal() else None,
        found.value if found.is_there else found.before or {},
    )
    if number is None:
        return page(request, "curation/adjudication_done.html", campaign, found=found)
    address = reverse("adjudication:decide", args=[access.study.slug, pk, number])
    kind = request.GET.get("kind", "")
    address = f"{address}?kind={kind}" if kind in adjudication.KINDS else address
    # The part of a page that waited for the count goes on as the page does.
    return HttpResponseClientRedirect(address) if "HX-Request" in request.headers else redirect(address)


@study_view()
@edit_view
def decide(request: HttpRequest, access: Access, pk: int, pair_pk: int) -> HttpResponse:
    campaign = access.get(Campaign, pk)
    pair = access.hold(Pair, pair_pk, items__campaign=campaign, items__is_test=False)
    form = DecisionForm(request.POST, pair=pair) if request.method == "POST" else None
    if form and (form.is_valid() or not form.changed_since):
        try:
            adjudication.pair_adjudicate(pair=pair, actor=access.user, label=request.POST.get("label", ""))
            messages.success(request, _("The label is kept."))
        except ValidationError as error:
            messages.error(request, error.messages[0])
            return redirect(request.get_full_path())
        address = reverse("adjudication:queue", args=[access.study.slug, pk])
        kind = request.GET.get("kind", "")
        return redirect(f"{address}?after={pair_pk}&kind={kind if kind in adjudication.KINDS else ''}")
    view = pair_view(pair)
    form = form or DecisionForm(pair=view.pair, given=view.judgements)
    read = judges_beside(campaign, view.judges)
    waits = adjudication.queue(campaign, among=[pair.pk], judges=read)
    why = waits.values_list("why", flat=True).first()
    found = adjudication.waiting(campaign)
    context = {
        "view": view,
        "pair": view.pair,
        "why": why,
        "kind": request.GET.get("kind", ""),
        "found": found,
        "counts": adjudication.counts(found.value) if found.is_there else None,
        "names": LABEL_NAMES,
        "labels": [(str(n), label) for n, label in enumerate([*pair.dataset.labels, UNNATURAL], start=1)],
        "form": form,
        "by_hand": [gold for gold in view.pair.gold_labels.all() if gold.source == ADJUDICATION],
        "read": read,
    }
    return page(request, "curation/adjudicate.html", campaign, status=form.status, **context)
