"""Campaigns: the researcher's side."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.db.models import prefetch_related_objects
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from apps.campaigns import selectors, services
from apps.campaigns.conditions import asked_by, asked_in, is_changed
from apps.campaigns.forms import CreationForm, GuidelineForm, PairsForm, SettingsForm
from apps.campaigns.guidelines import blocks_of
from apps.campaigns.models import Campaign, Judgement
from apps.campaigns.presets import Preset, presets, presets_for
from apps.campaigns.readiness import doubts_before_opening
from apps.campaigns.services.lifecycle import TRANSITIONS
from apps.corpora.models import BlankSet
from apps.datasets.models import Dataset
from apps.frame.edit_forms import edit_view
from apps.studies.access import Access, study_view, within
from apps.tallies.selectors import read

ANSWERS_A_PAGE = 25


@study_view()
def campaign_list(request: HttpRequest, access: Access) -> HttpResponse:
    archived = "archived" in request.GET
    every = within(Campaign, access.study)
    shown = every.filter(archived_at__isnull=not archived).select_related("dataset")
    page = Paginator(shown, 50).get_page(request.GET.get("page"))
    progress, found = selectors.progress_kept(access.study, list(page.object_list))
    rows = [(campaign, progress.get(campaign.pk)) for campaign in page.object_list]
    context = {
        "page": page,
        "rows": rows,
        "found": found,
        "archived": archived,
        "others": every.filter(archived_at__isnull=archived).count(),
        "has_blank_sets": within(BlankSet, access.study).exists(),
        "has_datasets": within(Dataset, access.study).exists(),
    }
    return render(request, "campaigns/list.html", context)


@study_view()
def campaign_new(request: HttpRequest, access: Access) -> HttpResponse:
    """Where ``?blank_set=`` or ``?dataset=`` says the task, on to its form; else the choice."""
    if "blank_set" in request.GET:
        return redirect(
            f"{reverse('campaigns:new_creation', args=[access.study.slug])}?{request.GET.urlencode()}"
        )
    if "dataset" in request.GET:
        return redirect(
            f"{reverse('campaigns:new_validation', args=[access.study.slug])}?{request.GET.urlencode()}"
        )
    context = {
        "blank_sets": within(BlankSet, access.study).filter(archived_at=None).order_by("-pk"),
        "datasets": within(Dataset, access.study).filter(kind=Dataset.Kind.PAIRS, archived_at=None),
    }
    return render(request, "campaigns/new.html", context)


@study_view()
def creation_new(request: HttpRequest, access: Access) -> HttpResponse:
    """A campaign over the blank set ``?blank_set=`` (without it, the choice)."""
    if not request.GET.get("blank_set"):
        return redirect("campaigns:new", access.study.slug)
    blank_set = access.get(BlankSet, _number(request.GET.get("blank_set")))
    count = blank_set.blanks.count()
    initial = {"name": blank_set.name, "new_dataset": blank_set.name, "is_pilot": bool(blank_set.pilot_of_id)}
    filling = "fill" in request.POST
    form = CreationForm(
        None if filling else request.POST or None,
        study=access.study,
        initial=initial,
        preset=_preset(request, Campaign.Task.CREATION),
    )
    if filling:
        form.keep(request.POST)
    elif request.method == "POST" and form.is_valid():
        try:
            campaign = services.campaign_begin(
                study=access.study,
                actor=access.user,
                blank_set=blank_set,
                dataset=form.cleaned_data["dataset"],
                new_dataset=form.cleaned_data["new_dataset"],
                **form.rules(),
            )
        except ValidationError as error:
            form.refuse(error)
        else:
            return redirect("campaigns:campaign", access.study.slug, campaign.pk)
    context = {
        "form": form,
        "blank_set": blank_set,
        "count": count,
        "presets": presets_for(Campaign.Task.CREATION),
        "asked": asked_by(form.preset) if form.preset else [],
    }
    return render(request, "campaigns/new_creation.html", context)


@study_view()
def validation_new(request: HttpRequest, access: Access) -> HttpResponse:
    return _pairs_new(request, access, Campaign.Task.VALIDATION)


@study_view()
def likert_new(request: HttpRequest, access: Access) -> HttpResponse:
    return _pairs_new(request, access, Campaign.Task.LIKERT)


def _pairs_new(request: HttpRequest, access: Access, task: str) -> HttpResponse:
    """A campaign over a dataset's pairs; ``?dataset=`` chooses it beforehand."""
    if not within(Dataset, access.study).filter(kind=Dataset.Kind.PAIRS).exists():
        return redirect("campaigns:new", access.study.slug)
    initial: dict[str, object] = {}
    if "dataset" in request.GET:
        dataset = access.get(Dataset, _number(request.GET["dataset"]))
        suffix = _("scale") if task == Campaign.Task.LIKERT else _("validation")
        initial = {"dataset": dataset, "name": f"{dataset.name}: {suffix}"}
    filling = "fill" in request.POST
    form = PairsForm(
        None if filling else request.POST or None,
        study=access.study,
        task=task,
        initial=initial,
        preset=_preset(request, task),
    )
    if filling:
        form.keep(request.POST)
    elif request.method == "POST" and form.is_valid():
        try:
            campaign = services.campaign_create(
                study=access.study,
                actor=access.user,
                dataset=form.cleaned_data["dataset"],
                task=task,
                **form.rules(),
            )
        except ValidationError as error:
            form.refuse(error)
        else:
            return redirect("campaigns:campaign", access.study.slug, campaign.pk)
    context = {"form": form, "task": task, "presets": presets_for(task)}
    context["asked"] = asked_by(form.preset) if form.preset else []
    return render(request, "campaigns/new_pairs.html", context)


def _preset(request: HttpRequest, task: str) -> Preset | None:
    """The preset that a button fills the form with, or that it was filled with; 404 for one of another
    task."""
    key = request.POST.get("fill") or request.POST.get("preset")
    if not key:
        return None
    preset = presets().get(key)
    if preset is None or preset.task != task:
        raise Http404
    return preset


@study_view()
def campaign_page(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """How far a campaign is: items, annotators, and what came in last (``?before=`` an answer's number)."""
    campaign = access.get(Campaign, pk)
    prefetch_related_objects([campaign], "guidelines")
    progress, counted = selectors.progress_kept(access.study, [campaign])
    annotators, people_found = selectors.annotators_of(campaign)
    before = _answer(request.GET.get("before"), campaign)
    answers = selectors.recent_judgements(campaign, ANSWERS_A_PAGE + 1, before)
    context = {
        "campaign": campaign,
        "progress": progress.get(pk),
        "counted": counted,
        "annotators": annotators,
        "people_found": people_found,
        "answers": answers[:ANSWERS_A_PAGE],
        "before": before,
        "earlier": answers[ANSWERS_A_PAGE - 1].pk if len(answers) > ANSWERS_A_PAGE else None,
        "guideline": campaign.guidelines.all()[0],
        "next_states": TRANSITIONS[campaign.state],
        "new_pairs": _new_pairs(campaign),
        "preset": (preset := presets().get(campaign.preset)),
        "preset_is_changed": preset is not None and is_changed(campaign, preset),
        "asked": asked_in(campaign),
    }
    return render(request, "campaigns/campaign.html", context)


def _answer(number: str | None, campaign: Campaign) -> Judgement | None:
    """The answer to the campaign of this number; None where none is asked for. 404 for another's."""
    if number is None:
        return None
    return get_object_or_404(Judgement, pk=_number(number), item__campaign=campaign)


def _new_pairs(campaign: Campaign) -> int:
    """0 as well until a job has counted them."""
    if campaign.blank_set_id is not None:
        return 0
    at_hand = {"campaign": campaign}
    found = read(campaign.study, selectors.NEW_PAIRS, at_hand=at_hand, campaign=campaign.pk)
    return found.value or 0


@study_view()
@edit_view
def campaign_settings(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    campaign = access.hold(Campaign, pk)
    form = SettingsForm(
        request.POST or None,
        instance=access.get(Campaign, pk),
        task=campaign.task,
        study=access.study,
    )
    if request.method == "POST" and form.is_valid():
        try:
            services.campaign_update(campaign=campaign, actor=access.user, **form.rules())
        except ValidationError as error:
            form.refuse(error)
        else:
            messages.success(request, _("Saved."))
            return redirect("campaigns:campaign", access.study.slug, pk)
    context = {"form": form, "campaign": campaign}
    return render(request, "campaigns/settings.html", context, status=form.status)


@study_view()
@edit_view
def guidelines(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """The instructions as annotators see them, a form for a new version, and the versions before."""
    campaign = access.hold(Campaign, pk)
    versions = list(campaign.guidelines.select_related("created_by"))
    form = GuidelineForm(request.POST or None, initial={"body": versions[0].body})
    if request.method == "POST" and form.is_valid():
        try:
            guideline = services.guideline_create(
                campaign=campaign, actor=access.user, body=form.cleaned_data["body"]
            )
        except ValidationError as error:
            form.add_error(None, error)
        else:
            messages.success(request, _("Version %(n)d is in force.") % {"n": guideline.version})
            return redirect("campaigns:guidelines", access.study.slug, pk)
    wanted = request.GET.get("version")
    shown = next((v for v in versions if str(v.version) == wanted), None) if wanted else versions[0]
    if shown is None:
        raise Http404
    context = {
        "campaign": campaign,
        "form": form,
        "versions": versions,
        "shown": shown,
        "blocks": blocks_of(shown.body),
    }
    return render(request, "campaigns/guidelines.html", context, status=form.status)


@require_POST
@study_view()
def campaign_state(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    campaign = access.get(Campaign, pk)
    state = request.POST.get("state", "")
    asks = state == Campaign.State.OPEN and "confirmed" not in request.POST
    if asks and (doubts := doubts_before_opening(campaign)):
        context = {"campaign": campaign, "doubts": doubts, "must": doubts[0].must}
        return render(request, "campaigns/opening.html", context)
    try:
        services.campaign_set_state(campaign=campaign, actor=access.user, state=state)
    except ValidationError as error:
        for message in error.messages:
            messages.error(request, message)
    return redirect("campaigns:campaign", access.study.slug, pk)


@require_POST
@study_view()
def add_pairs(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """Take the pairs in that the dataset has got since."""
    campaign = access.get(Campaign, pk, blank_set=None)
    count = services.items_add_new_pairs(campaign=campaign, actor=access.user)
    messages.success(request, ngettext("%(n)d pair added.", "%(n)d pairs added.", count) % {"n": count})
    return redirect("campaigns:campaign", access.study.slug, pk)


def _number(text: str | None) -> int:
    if not (text or "").isdecimal():
        raise Http404
    return int(text or "")
