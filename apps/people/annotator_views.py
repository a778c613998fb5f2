"""The study's annotators by their pseudonyms; and, for admins, who they are, and erasing them."""

from __future__ import annotations

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from apps.people import erasure, pseudonyms, selectors
from apps.people.forms import MatchForm
from apps.studies.access import ADMINISTRATION, Access, study_view
from apps.studies.models import Participant

ROWS_A_PAGE = 100


@never_cache
@study_view()
def annotators(request: HttpRequest, access: Access) -> HttpResponse:
    page = Paginator(selectors.annotators_in(access.study), ROWS_A_PAGE).get_page(request.GET.get("page"))
    found = selectors.answers_in(access.study)
    answers = found.value or {}
    rows = [(one, answers.get(str(one.pk), 0)) for one in page]
    return render(request, "studies/annotators.html", {"page": page, "rows": rows, "found": found})


@never_cache
@study_view(ADMINISTRATION)
def match(request: HttpRequest, access: Access) -> HttpResponse:
    """Who is behind pseudonyms, or which pseudonym somebody has. Shown in the answer alone, never kept."""
    form = MatchForm(request.POST or None, initial={"names": request.GET.get("name", "")})
    found = None
    if request.method == "POST" and form.is_valid():
        names = form.cleaned_data["names"].splitlines()
        found = pseudonyms.pseudonyms_match(study=access.study, actor=access.user, names=names)
    return render(request, "studies/match.html", {"form": form, "found": found})


@study_view(ADMINISTRATION)
def erase(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """First what goes and what stays; then, with the pseudonym typed, it is done."""
    participant = access.get(Participant, pk)
    typed = request.POST.get("pseudonym", "").strip()
    if request.method == "POST" and not participant.erased_at:
        if typed == participant.pseudonym:
            erasure.participant_erase(participant=participant, actor=access.user)
            messages.success(
                request, _("Erased. Nothing here leads from %(name)s to a person.") % {"name": typed}
            )
            return redirect("members:annotators", access.study.slug)
        messages.error(request, _("Type the pseudonym as it stands here; nothing was erased."))
    outcome = None if participant.erased_at else erasure.outcome_of(participant)
    return render(request, "studies/erase.html", {"participant": participant, "outcome": outcome})
