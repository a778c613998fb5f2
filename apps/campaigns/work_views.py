"""The annotator's side: what there is to do, and the card.

Every card has an address of its own (its assignment's), so that the back button leads to what was
sent, to read or change it, and never to a second answer.
"""

from __future__ import annotations

from typing import cast

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from apps.accounts.models import User
from apps.campaigns import selectors, services
from apps.campaigns.answers import answers_of
from apps.campaigns.cards import Card, card_of
from apps.campaigns.guidelines import blocks_of
from apps.campaigns.models import Assignment, Campaign, Judgement
from apps.panels.selectors import takes_work
from apps.studies.models import Participant
from apps.studies.services import participant_for


@never_cache
def home(request: HttpRequest) -> HttpResponse:
    """The campaigns that the reader may work in, and how much is left for them in each."""
    user = cast(User, request.user)
    return render(request, "work/home.html", {"tasks": selectors.tasks_of(user)})


@never_cache
def next_card(request: HttpRequest, pk: int) -> HttpResponse:
    """On to the next card, or the reason why there is none."""
    campaign, participant = participant_of(request, pk)
    return _onward(request, campaign, participant)


@never_cache
def card(request: HttpRequest, pk: int, assignment_pk: int) -> HttpResponse:
    """One assignment: to answer, or (once sent) to read and change."""
    campaign, participant = participant_of(request, pk)
    shown = _card_or_404(campaign, participant, assignment_pk)
    if request.method != "POST":
        return _card_page(request, campaign, participant, shown)
    try:
        services.judgement_submit(assignment=shown.assignment, **shown.take(request.POST))
    except ValidationError as error:
        shown.refuse(error)
        return _card_page(request, campaign, participant, shown, status=422)
    messages.success(request, _("Saved."))
    return _onward(request, campaign, participant)


@require_POST
def keep(request: HttpRequest, pk: int, assignment_pk: int) -> HttpResponse:
    """Sent now and then while the annotator types. 204 while the item is theirs, else 410."""
    campaign, participant = participant_of(request, pk)
    shown = _card_or_404(campaign, participant, assignment_pk)
    return HttpResponse(status=204 if services.lease_keep(assignment=shown.assignment) else 410)


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


def _card_or_404(campaign: Campaign, participant: Participant, assignment_pk: int) -> Card:
    assignment = (
        Assignment.objects.filter(pk=assignment_pk, participant=participant, item__campaign=campaign)
        .select_related("item__blank__sentence", "item__pair", "participant")
        .first()
    )
    if assignment is None:
        raise Http404
    assignment.item.campaign = campaign
    return card_of(assignment)


def _onward(request: HttpRequest, campaign: Campaign, participant: Participant) -> HttpResponse:
    visit = getattr(request, "visit", None)
    if visit and not takes_work(visit):
        return redirect("visit:finish")
    found = services.assignment_next(campaign=campaign, participant=participant)
    if isinstance(found, Assignment):
        return redirect("work:card", campaign.pk, found.pk)
    if visit:
        return redirect("visit:finish")
    if request.method == "POST":
        return redirect("work:campaign", campaign.pk)
    done, _left = selectors.progress_of(campaign, participant)
    context = {
        "campaign": campaign,
        "participant": participant,
        "nothing": found,
        "done": done,
        "last": selectors.last_judgement(campaign, participant),
    }
    return render(request, "work/nothing.html", context)


def _card_page(
    request: HttpRequest, campaign: Campaign, participant: Participant, shown: Card, status: int = 200
) -> HttpResponse:
    """A lease that ran out is taken up again where there is room; else the page says so ("late")."""
    late = False
    if not shown.sent and shown.has_run_out:
        late = not services.lease_keep(assignment=shown.assignment)
        shown.assignment.refresh_from_db(fields=["state", "leased_at", "shown_at", "expires_at"])
    done, left = selectors.progress_of(campaign, participant)
    last = selectors.last_judgement(campaign, participant)
    context = {
        "campaign": campaign,
        "participant": participant,
        "card": shown,
        "late": late,
        "first": not (done or shown.sent or shown.errors),
        "done": done,
        "of": done + left,
        "last": last if last and last.assignment_id != shown.assignment.pk else None,
        "instructions": blocks_of(selectors.guideline_of(campaign).body),
        "answers": answers_of(campaign.dataset),
        "skip_reasons": Judgement.SkipReason.choices,
        "one_key": cast(User, request.user).one_key_answers,
    }
    return render(request, f"work/{campaign.task}.html", context, status=status)
