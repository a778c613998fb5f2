"""A campaign's quality: the overview, who may work, checks of written answers."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from apps.campaigns.gates import is_open_to_others
from apps.campaigns.models import Campaign
from apps.frame.edit_forms import edit_view
from apps.frame.long_lists import is_adding
from apps.people.selectors import annotators_of
from apps.quality import checks
from apps.quality import settings as configuring
from apps.quality.forms import ChecksForm, EligibilityForm
from apps.quality.models import Flag, QualityAction, TestQuestion
from apps.quality.places import country_name, language_name
from apps.quality.reliability import jobs_of
from apps.quality.standing import Standing, of_numbers, of_tests
from apps.quality.waiting import waiting_cards
from apps.studies.access import Access, study_view

ROWS_A_PAGE = 50


def page(
    request: HttpRequest, template: str, campaign: Campaign, status: int = 200, **context: Any
) -> HttpResponse:
    """A page of this room, with the campaign and its settings at hand."""
    shared = {
        "campaign": campaign,
        "quality": SimpleLazyObject(lambda: configuring.quality_of(campaign)),  # few pages say it
        "judges": campaign.task != Campaign.Task.CREATION,
    }
    return render(request, template, shared | context, status=status)


@study_view()
def overview(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """What is set, and what waits for somebody."""
    campaign = access.get(Campaign, pk)
    quality = configuring.quality_of(campaign)
    standing = QualityAction.objects.filter(campaign=campaign, undone_at=None)
    waiting = standing.aggregate(
        paused=Count("participant", filter=Q(kind=QualityAction.Kind.PAUSE), distinct=True),
        review=Count("pk", filter=Q(kind=QualityAction.Kind.REVIEW)),
    )
    context: dict[str, Any] = {
        "waiting": waiting,
        "cards": waiting_cards(campaign),
        "flags": Flag.objects.filter(judgement__item__campaign=campaign)
        .values("judgement")
        .distinct()
        .count(),
        "tests": campaign.test_questions.filter(state=TestQuestion.State.ACTIVE).count(),
        "rules": campaign.rules.filter(is_active=True).count(),
        "standing": {
            "asked": Standing.ENFORCED.label,
            "numbers": of_numbers(quality).label,
            "quiz": of_tests(quality, quality.quiz_size).label,
            "tests": of_tests(quality).label,
        },
        "languages": [language_name(code) for code in quality.languages],
        "countries": [country_name(code) for code in quality.countries],
        "allowed": campaign.allowed_people.count()
        if quality.uses_allow_list or not quality.members_work
        else 0,
    }
    return page(request, "quality/overview.html", campaign, **context)


@study_view()
@edit_view
def eligibility_page(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    campaign = access.hold(Campaign, pk)
    form = EligibilityForm(
        request.POST or None,
        instance=configuring.quality_of(campaign),
        members=list(annotators_of(access.study)),
        listed=list(campaign.allowed_people.values_list("name", flat=True)),
        has_panel=is_open_to_others(campaign),
    )
    if request.method == "POST" and form.is_valid() and not is_adding(request.POST):
        try:
            configuring.eligibility_update(
                campaign=campaign, actor=access.user, names=form.listed(), **form.changes()
            )
        except ValidationError as error:
            form.add_error(None, error)
        else:
            messages.success(request, _("Saved."))
            return redirect("quality:overview", access.study.slug, pk)
    return page(request, "quality/eligibility.html", campaign, status=form.status, form=form)


@study_view()
@edit_view
def checks_page(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """The settings, and what was flagged."""
    campaign = access.hold(Campaign, pk)
    form = ChecksForm(request.POST or None, instance=configuring.quality_of(campaign))
    if request.method == "POST" and form.is_valid():
        configuring.quality_update(campaign=campaign, actor=access.user, **form.changes())
        messages.success(request, _("Saved."))
        return redirect("quality:checks", access.study.slug, pk)
    flags = Flag.objects.filter(judgement__item__campaign=campaign)
    counts = flags.values_list("code").annotate(n=Count("pk")).order_by("-n", "code")
    code = request.GET.get("code", "")
    shown = flags.filter(code=code) if code else flags
    shown = shown.select_related("judgement__participant", "judgement__item__blank__sentence")
    ordered = shown.prefetch_related("judgement__replacements").order_by("-judgement_id", "position")
    flagged = Paginator(ordered, ROWS_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "form": form,
        "counts": [(value, checks.name_of(value), n) for value, n in counts],
        "code": code,
        "page": flagged,
        "rows": [(flag, checks.name_of(flag.code), _text_of(flag)) for flag in flagged],
        "unchecked": checks.unchecked(campaign).count(),
        "job": jobs_of(campaign, checks.CHECK).first(),
    }
    return page(request, "quality/checks.html", campaign, status=form.status, **context)


def _text_of(flag: Flag) -> str:
    texts = {r.position: r.text for r in flag.judgement.replacements.all()}
    return texts.get(flag.position, "")


@require_POST
@study_view()
def checks_start(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    checks.check_start(access.get(Campaign, pk))
    return redirect("quality:checks", access.study.slug, pk)
