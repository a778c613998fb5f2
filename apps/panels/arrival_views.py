"""The pages of somebody from a panel: arriving, agreeing, finishing; and the platform's own events."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import cast

from django.contrib.auth.decorators import login_not_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import get_script_prefix
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_POST

from apps.campaigns.guidelines import blocks_of, instructions_of
from apps.panels import selectors, services
from apps.panels.models import Panel, Visit
from apps.panels.platforms import (
    LONGEST_EVENT,
    ArrivalError,
    arrival_of,
    external_submit,
    is_preview,
    return_link,
)
from apps.panels.visitors import address_of, let_be_framed


@login_not_required
@never_cache
@require_GET
def arrive(request: HttpRequest, public_id: str) -> HttpResponse:
    """Somebody follows the study link: on to their visit. A worker who only looks gets an example."""
    panel = _panel_or_404(public_id)
    if is_preview(panel, request.GET):
        response = _example(request, panel)
    else:
        try:
            arrival = arrival_of(panel, request.GET)
        except ArrivalError as error:
            response = render(request, "panels/no_arrival.html", {"reason": error}, status=400)
        else:
            visit = services.visit_open(panel=panel, arrival=arrival)
            response = HttpResponseRedirect(address_of(visit, "panel/consent/"))
    if panel.is_framed:
        let_be_framed(response)
    return response


def _example(request: HttpRequest, panel: Panel) -> HttpResponse:
    """The instructions and a card that can't be answered. Nothing is leased, nobody is stored."""
    campaign = panel.campaign
    items = campaign.items.filter(is_test=False).select_related("blank__sentence", "pair")
    context = {
        "campaign": campaign,
        "item": items.order_by("position").first(),
        "instructions": instructions_of(campaign.guideline.body),
    }
    return render(request, "panels/example.html", context)


@csrf_exempt
@login_not_required
@require_POST
def events(request: HttpRequest, public_id: str) -> HttpResponse:
    """What a platform says, signed. 200 also for what was taken before, so that it is not sent again."""
    panel = _panel_or_404(public_id)
    if int(request.META.get("CONTENT_LENGTH") or 0) > LONGEST_EVENT:
        return JsonResponse({"detail": "The body is too long."}, status=413)
    try:
        event = services.event_receive(panel=panel, headers=request.headers, body=request.body)
    except services.EventRefused as error:
        return JsonResponse({"detail": str(error)}, status=401)
    except ValidationError as error:
        return JsonResponse({"detail": error.messages[0]}, status=400)
    return JsonResponse({"status": "taken" if event else "known"})


def _panel_or_404(public_id: str) -> Panel:
    panels = Panel.objects.select_related("campaign__study", "campaign__dataset")
    return get_object_or_404(panels, public_id=public_id)


def visit_view(view: Callable[[HttpRequest, Visit], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Turn ``view(request, visit)`` into a view that is there under ``/visit/<token>/`` alone."""

    @never_cache
    @wraps(view)
    def inner(request: HttpRequest) -> HttpResponse:
        visit = getattr(request, "visit", None)
        if visit is None:
            raise Http404
        return view(request, cast(Visit, visit))

    return inner


@visit_view
def consent(request: HttpRequest, visit: Visit) -> HttpResponse:
    """What people agree to before any work; who has agreed goes on."""
    if visit.returned_at:
        return render(request, "panels/returned.html", _context(visit))
    if visit.finished_at:
        return redirect("visit:finish")
    if visit.consent_id:
        return redirect("work:campaign", visit.panel.campaign_id)
    text = selectors.consent_of(visit.panel)
    if request.method == "POST":
        if "disagree" in request.POST:
            return render(request, "panels/declined.html", _context(visit))
        # What they saw may have been replaced meanwhile; then they are asked again.
        if request.POST.get("version") == str(text.version):
            services.visit_consent(visit=visit, consent=text)
            return redirect("work:campaign", visit.panel.campaign_id)
    context = {**_context(visit), "text": text, "blocks": blocks_of(text.body)}
    return render(request, "panels/consent.html", context)


@visit_view
def finish(request: HttpRequest, visit: Visit) -> HttpResponse:
    """The end: why there is no more, the button that ends the visit, and then the code."""
    if visit.returned_at:
        return render(request, "panels/returned.html", _context(visit))
    if not visit.consent_id:
        return redirect("visit:consent")
    if request.method == "POST":
        try:
            services.visit_finish(visit=visit)
        except ValidationError:
            return redirect("work:campaign", visit.panel.campaign_id)
        return redirect("visit:finish")
    if visit.finished_at:
        return render(request, "panels/finished.html", _finished(visit))
    standing = selectors.standing_of(visit)
    return render(request, "panels/finish.html", {**_context(visit), "standing": standing})


@visit_view
def language(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Another language for the pages of this visit; then back to the page where it was chosen."""
    if request.method == "POST":
        services.visit_speak(visit=visit, language=request.POST.get("language", ""))
    onward = request.POST.get("next", "")
    # The pages of this visit stand below the prefix that it gives to every address.
    return redirect(onward if onward.startswith(get_script_prefix()) else "visit:consent")


def _context(visit: Visit) -> dict[str, object]:
    return {
        "visit": visit,
        "panel": visit.panel,
        "campaign": visit.panel.campaign,
        "participant": visit.participant,
    }


def _finished(visit: Visit) -> dict[str, object]:
    done = selectors.sets_of(visit)
    return {
        **_context(visit),
        "sets": done.sent,
        "quiz": done.quiz,
        "return_link": return_link(visit.panel, code=visit.code, session=visit.session_id),
        "external_submit": external_submit(visit.submit_to),
    }
