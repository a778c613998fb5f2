"""Pages for people whom a campaign's quality settings keep from working: polite, and with the reason."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from apps.annotation.notices import missed_by
from apps.campaigns.answers import answers_of
from apps.campaigns.models import Campaign
from apps.campaigns.reasons import NothingNow
from apps.quality import eligibility
from apps.studies.models import Participant

_PAGES = {
    eligibility.QUIZ_FAILED: "work/quiz_failed.html",
    eligibility.PAUSED: "work/paused.html",
    eligibility.NOT_ELIGIBLE: "work/not_eligible.html",
}


def has_remedy(found: NothingNow) -> bool:
    """Whether a refused person can do something about it: answer the questions, correct a slip, try the
    quiz again."""
    return found.reason == eligibility.DECLARE or (
        isinstance(found, eligibility.Refused) and bool(found.remedy)
    )


def page_of(
    request: HttpRequest,
    campaign: Campaign,
    participant: Participant,
    found: NothingNow,
    context: dict[str, Any],
) -> HttpResponse | None:
    """The page for this refusal (with ``context``), or None where quality has nothing to do with it.

    Whoever failed the quiz or is paused sees which test questions they got wrong, and why.
    """
    if found.reason == eligibility.DECLARE:
        return redirect("work:about_you", campaign.pk)
    if found.reason not in _PAGES:
        return None
    if found.reason != eligibility.NOT_ELIGIBLE:
        words = {answer.value: answer.title for answer in answers_of(campaign.dataset)}
        context = context | {"missed": missed_by(campaign, participant), "words": words}
    return render(request, _PAGES[found.reason], context)
