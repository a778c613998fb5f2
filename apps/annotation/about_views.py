"""What somebody who is not let in yet does about it: the few questions about themselves, once in a study;
putting right what they said by a slip; the quiz, once more."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from apps.annotation.views import participant_of
from apps.campaigns.models import Campaign
from apps.quality import actions, eligibility
from apps.quality.forms import AboutYouForm
from apps.quality.models import Declaration
from apps.quality.settings import quality_of
from apps.studies.models import Participant


@never_cache
def about_you(request: HttpRequest, pk: int) -> HttpResponse:
    """Asks what the campaign needs to know and the person has not been asked yet; then on to the work."""
    campaign, participant = participant_of(request, pk)
    quality = quality_of(campaign)
    said = Declaration.objects.filter(participant=participant).first() or Declaration()
    if not eligibility.asks_to_declare(quality) or not eligibility.is_incomplete(quality, said):
        return redirect("work:campaign", campaign.pk)
    form = AboutYouForm(request.POST or None, quality=quality, said=said)
    if request.method == "POST" and form.is_valid():
        try:
            eligibility.declaration_record(participant=participant, **form.cleaned_data)
            return redirect("work:campaign", campaign.pk)
        except ValidationError as error:
            form.add_error(None, error)
    return _page(request, campaign, participant, form)


@never_cache
def correct(request: HttpRequest, pk: int) -> HttpResponse:
    """For whoever was refused by what they said: the same questions with their answers, to put right once."""
    campaign, participant = participant_of(request, pk)
    quality = quality_of(campaign)
    said = Declaration.objects.filter(participant=participant).first() or Declaration()
    found = eligibility.refused_by_declaration(quality, said)
    if found is None or found.remedy != eligibility.CORRECT:
        return redirect("work:campaign", campaign.pk)
    form = AboutYouForm(request.POST or None, quality=quality, said=said, corrects=True)
    if request.method == "POST" and form.is_valid():
        try:
            eligibility.declaration_correct(participant=participant, **form.cleaned_data)
            return redirect("work:campaign", campaign.pk)
        except ValidationError as error:
            form.add_error(None, error)
    return _page(request, campaign, participant, form, corrects=True)


@require_POST
def quiz_again(request: HttpRequest, pk: int) -> HttpResponse:
    """One more try of the quiz, where the campaign gives one."""
    campaign, participant = participant_of(request, pk)
    actions.quiz_begin_again(campaign=campaign, participant=participant)
    return redirect("work:campaign", campaign.pk)


def _page(
    request: HttpRequest,
    campaign: Campaign,
    participant: Participant,
    form: AboutYouForm,
    corrects: bool = False,
) -> HttpResponse:
    context = {"campaign": campaign, "participant": participant, "form": form, "corrects": corrects}
    return render(request, "work/about_you.html", context, status=422 if form.errors else 200)
