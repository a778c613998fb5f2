"""The annotator's side: what there is to do, and the card.

Every card (or page of questions) has an address of its own, so that the back button leads to what was
sent, to read or change it, and never to a second answer.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import Any, cast

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from apps.accounts.models import User
from apps.annotation import notices, refusals
from apps.annotation.cards import Sheet, address_of, sent_of, sheet_of, sheet_of_leases
from apps.campaigns import likert, selectors, services
from apps.campaigns.answers import answers_of
from apps.campaigns.card_sql import Where
from apps.campaigns.guidelines import Part, changes_of, instructions_of
from apps.campaigns.models import Assignment, Campaign, Judgement, Tally
from apps.campaigns.reasons import NothingNow
from apps.campaigns.replacements import MAXIMUM_LENGTH
from apps.frame.clock import database_now
from apps.panels import selectors as panels
from apps.studies.models import Participant
from apps.studies.services import participant_for

# A page that sends its answer with this header gets the next sheet in the same answer, without what stands
# around it, and its address in the other. The header holds the version of the instructions that the page
# has: where it is another, they come along.
INLINE, ADDRESS = "Polarlab-Inline", "Polarlab-Address"


@never_cache
def home(request: HttpRequest) -> HttpResponse:
    """The campaigns that the reader may work in, and how much is left for them in each."""
    user = cast(User, request.user)
    return render(request, "work/home.html", {"tasks": selectors.tasks_of(user)})


@never_cache
def next_card(request: HttpRequest, pk: int) -> HttpResponse:
    """On to the next card, or the reason why there is none."""
    campaign, participant = participant_of(request, pk)
    if campaign.task == Campaign.Task.CREATION:
        for text in notices.found_later(campaign, participant):
            messages.info(request, text)
    if _is_first_visit(campaign, participant):
        return _first_page(request, campaign, participant)
    return _onward(request, campaign, participant)


@require_POST
def begin(request: HttpRequest, pk: int) -> HttpResponse:
    """The instructions have been read; on to the first card."""
    campaign, participant = participant_of(request, pk)
    services.instructions_read(campaign=campaign, participant=participant)
    return redirect("work:campaign", pk)


@never_cache
def card(request: HttpRequest, pk: int, assignment_pk: int) -> HttpResponse:
    """One assignment: to answer, or (once sent) to read and change."""
    return _answer_or_show(request, pk, pk=assignment_pk)


@never_cache
def page(request: HttpRequest, pk: int, page: uuid.UUID) -> HttpResponse:
    """A page of questions, sent together."""
    return _answer_or_show(request, pk, page=page)


@require_POST
def keep(request: HttpRequest, pk: int, assignment_pk: int) -> HttpResponse:
    """Sent now and then while the annotator types. 204 while the item is theirs, else 410."""
    campaign, participant = participant_of(request, pk)
    return _keep(_sheet_or_404(campaign, participant, pk=assignment_pk))


@require_POST
def page_keep(request: HttpRequest, pk: int, page: uuid.UUID) -> HttpResponse:
    """The same for a page of questions: 204 while all of them are theirs."""
    campaign, participant = participant_of(request, pk)
    return _keep(_sheet_or_404(campaign, participant, page=page))


@never_cache
def reply(request: HttpRequest, pk: int, assignment_pk: int) -> HttpResponse:
    """What the model in the loop makes of an answer; the page asks again until it is there."""
    campaign, participant = participant_of(request, pk)
    sheet = _sheet_or_404(campaign, participant, pk=assignment_pk)
    if sheet.sent is None or not campaign.show_predictions:
        return redirect(sheet.address)
    return _reply_page(request, campaign, participant, sheet)


def participant_of(request: HttpRequest, pk: int) -> tuple[Campaign, Participant]:
    """The campaign, for a member of its study in any role, and their participant; else 404.

    Under a panel's visit (``request.visit``, see apps/panels/visitors.py) the person is the visit's, and
    the campaign is the one that they came for.
    """
    if visit := getattr(request, "visit", None):
        if visit.panel.campaign_id != pk:
            raise Http404
        return visit.panel.campaign, visit.participant
    user = cast(User, request.user)
    campaign = (
        Campaign.objects.filter(pk=pk, study__memberships__user=user)
        .select_related("study", "dataset")
        .first()
    )
    if campaign is None:
        raise Http404
    return campaign, participant_for(campaign.study, user)


def _is_first_visit(campaign: Campaign, participant: Participant) -> bool:
    """Whether somebody has not been shown the instructions yet, and there is work for them. One query for
    those who have."""
    tally = selectors.tally_of(campaign, participant)
    return not (tally.read_version or tally.sent) and selectors.has_work(campaign, participant)


def _first_page(request: HttpRequest, campaign: Campaign, participant: Participant) -> HttpResponse:
    """At somebody's first visit: the instructions, before anything is leased."""
    context = {
        "campaign": campaign,
        "participant": participant,
        "instructions": instructions_of(campaign.guideline.body),
        "is_trial": selectors.sees_labels(participant),
    }
    return render(request, "work/instructions.html", context)


def _sheet_or_404(campaign: Campaign, participant: Participant, **which: Any) -> Sheet:
    """The participant's own assignments that stand together, as a sheet; else 404."""
    # By its number or page alone, and the rest beside it: a join may begin at all the campaign's items.
    found = Assignment.objects.filter(**which).order_by("pk").prefetch_related("item__blank__sentence")
    assignments = [
        assignment
        for assignment in found
        if assignment.participant_id == participant.pk and assignment.item.campaign_id == campaign.pk
    ]
    if not assignments:
        raise Http404
    for assignment in assignments:
        assignment.item.campaign, assignment.participant = campaign, participant
    return sheet_of(assignments)


def _keep(sheet: Sheet) -> HttpResponse:
    held = [card.assignment for card in sheet.cards if not card.sent]
    kept = services.leases_keep(assignments=held) if held else set()
    return HttpResponse(status=204 if len(kept) == len(held) else 410)


def _answer_or_show(request: HttpRequest, campaign_pk: int, **which: Any) -> HttpResponse:
    """A sheet to answer or to read; where it was posted, on to what comes next.

    An answer goes in first: what its card shows is looked up only where it is refused.
    """
    if request.method == "POST":
        try:
            if response := _exchanged(request, _where(request, campaign_pk, **which)):
                return response
        except ValidationError as error:
            campaign, participant = participant_of(request, campaign_pk)
            sheet = _sheet_or_404(campaign, participant, **which)
            sheet.take(request.POST)
            sheet.refuse(error)
            return _sheet_page(request, selectors.tally_of(campaign, participant), sheet, status=422)
    campaign, participant = participant_of(request, campaign_pk)
    sheet = _sheet_or_404(campaign, participant, **which)
    if sheet.page != which.get("page"):
        return redirect(sheet.address)
    return _sheet_page(request, selectors.tally_of(campaign, participant), sheet)


def _where(request: HttpRequest, campaign_pk: int, **which: Any) -> Where:
    visit = getattr(request, "visit", None)
    if visit is None:
        return Where(campaign_pk, user=request.user.pk, **which)
    if visit.panel.campaign_id != campaign_pk:
        raise Http404
    return Where(campaign_pk, participant=visit.participant_id, **which)


def _exchanged(request: HttpRequest, where: Where) -> HttpResponse | None:
    """The answer taken in, and on to what comes next; None where the address has nothing of the reader's."""
    ends = getattr(request, "visit", None) is not None  # a visit may end with this answer
    exchange = services.work_exchange(
        where=where, read=lambda places: sent_of(places, request.POST), onward=not ends
    )
    if exchange is None:
        return None
    taken = exchange.taken
    campaign, participant = taken[0].item.campaign, taken[0].participant
    messages.success(request, _("Saved."))
    for text in notices.after_sending(taken):
        messages.info(request, text)
    if campaign.show_predictions and not taken[0].skip_reason:
        return redirect("work:reply", campaign.pk, taken[0].assignment_id)
    if exchange.found and not isinstance(exchange.found, NothingNow):
        return _go_to(request, exchange.tally, exchange.found, exchange.at)
    return _onward(request, campaign, participant)


def _onward(request: HttpRequest, campaign: Campaign, participant: Participant) -> HttpResponse:
    """On to what comes next: a redirect, or, for a page that asks so, the next sheet in the same answer."""
    visit = getattr(request, "visit", None)
    if visit and not panels.takes_work(visit):
        return redirect("visit:finish")
    found = services.work_next(campaign=campaign, participant=participant)
    tally = selectors.tally_of(campaign, participant)
    if not isinstance(found, NothingNow):
        return _go_to(request, tally, found, database_now())
    if visit and not refusals.has_remedy(found):  # what they can do something about is not the end
        return redirect("visit:finish")
    if request.method == "POST":
        return redirect("work:campaign", campaign.pk)
    context: dict[str, Any] = {
        "campaign": campaign,
        "participant": participant,
        "nothing": found,
        "done": None if selectors.hides_tests(campaign) else tally.sent,
        "last": address_of(tally.last, campaign.pk) if tally.last else "",
    }
    refused = refusals.page_of(request, campaign, participant, found, context)
    return refused or render(request, "work/nothing.html", context)


def _go_to(request: HttpRequest, tally: Tally, leases: Sequence[Assignment], now: datetime) -> HttpResponse:
    address = address_of(leases[0], tally.campaign_id)
    if request.method != "POST" or INLINE not in request.headers:
        return redirect(address)
    response = _sheet_page(request, tally, sheet_of_leases(leases, now), around="work/alone.html")
    response[ADDRESS] = address
    return response


def _sheet_page(
    request: HttpRequest, tally: Tally, sheet: Sheet, *, status: int = 200, around: str = "base.html"
) -> HttpResponse:
    """A lease that ran out is taken up again where there is room; else the page says so ("late")."""
    campaign, participant = tally.campaign, tally.participant
    late = False
    if waiting := sheet.waiting:
        late = len(services.leases_keep(assignments=waiting)) < len(waiting)
        fresh = Assignment.objects.in_bulk([assignment.pk for assignment in waiting])
        for assignment in waiting:
            assignment.expires_at = fresh[assignment.pk].expires_at
    done, left = tally.sent, selectors.left_for(tally)
    if visit := getattr(request, "visit", None):
        done, left = panels.progress_of(visit, left)
    last = address_of(tally.last, campaign.pk) if tally.last else ""
    version = f"{campaign.guideline.pk}-{get_language()}"
    has_them = around != "base.html" and request.headers.get(INLINE) == version
    context = {
        "campaign": campaign,
        "participant": participant,
        "sheet": sheet,
        "card": sheet.card,
        "late": late,
        "news": _news(tally),
        "is_trial": tally.sees_labels
        if hasattr(tally, "sees_labels")
        else selectors.sees_labels(participant),
        "longest": MAXIMUM_LENGTH,
        "done": done,
        "of": None if left is None else done + left,
        "rough": None if visit and visit.panel.sets_wanted else selectors.rough_of(tally, left),
        "quiz": notices.quiz_line(campaign, participant, sheet.card.assignment.item.is_test),
        "last": "" if last == sheet.address else last,
        "around": around,
        "version": version,
        "instructions": "" if has_them else instructions_of(campaign.guideline.body),
        "answers": answers_of(campaign.dataset),
        "points": likert.POINTS,
        "box": likert.BOX,
        "skip_reasons": Judgement.SkipReason.choices,
        "one_key": cast(User, request.user).one_key_answers,
    }
    template = "questions" if sheet.page else campaign.task
    return render(request, f"work/{template}.html", context, status=status)


def _news(tally: Tally) -> list[list[Part]]:
    """What is new in the instructions since they were put before the tally's holder: told once.

    No query where nothing is.
    """
    campaign, last = tally.campaign, tally.read_version
    if tally.pk is None or last == campaign.guideline.version:
        return []
    Tally.objects.filter(pk=tally.pk).update(read_version=campaign.guideline.version)
    before = campaign.guidelines.filter(version=last).values_list("body", flat=True).first()
    return changes_of(before, campaign.guideline.body) if before else []


def _reply_page(
    request: HttpRequest, campaign: Campaign, participant: Participant, sheet: Sheet
) -> HttpResponse:
    judgement = sheet.sent
    context = {
        "campaign": campaign,
        "participant": participant,
        "sheet": sheet,
        "card": sheet.card,
        "reply": selectors.reply_of(judgement) if judgement else None,
        "tries_left": max(0, campaign.tries - judgement.tries) if judgement else 0,
    }
    template = "_reply" if request.htmx else "reply"  # type: ignore[attr-defined]
    return render(request, f"work/{template}.html", context)
