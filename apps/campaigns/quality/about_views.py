"""The few questions that somebody answers about themselves, once in a study, before any work."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache

from apps.campaigns.models import Declaration
from apps.campaigns.quality import eligibility
from apps.campaigns.quality.configuring import quality_of
from apps.campaigns.quality.forms import AboutYouForm
from apps.campaigns.work_views import participant_of


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
    context = {"campaign": campaign, "participant": participant, "form": form}
    return render(request, "work/about_you.html", context, status=422 if form.errors else 200)
