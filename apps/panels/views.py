"""Panels: the researcher's side, under a campaign."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from apps.campaigns.guidelines import blocks_of
from apps.campaigns.models import Campaign
from apps.frame.edit_forms import edit_view
from apps.frame.public_address import whole
from apps.panels import payout_file, selectors, services
from apps.panels.forms import BonusForm, ConsentForm, KindForm, PanelForm
from apps.panels.models import Panel, Payout
from apps.panels.platforms import PLATFORMS, study_address
from apps.studies.access import Access, study_view
from apps.studies.models import Participant


@study_view()
def panel_page(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """How people arrive and return, and who came. Without a panel: the form that makes one."""
    campaign = access.get(Campaign, pk)
    panel = Panel.objects.filter(campaign=campaign).first()
    if panel is None:
        return _new(request, access, campaign)
    panel.campaign = campaign
    page = Paginator(selectors.visits_of(panel), 50).get_page(request.GET.get("page"))
    arrival = whole(reverse("visit:arrive", args=[panel.public_id]), request)
    context = {
        "campaign": campaign,
        "panel": panel,
        "page": page,
        "study_address": study_address(panel, arrival),
        "events_address": whole(reverse("visit:events", args=[panel.public_id]), request),
        "platform": PLATFORMS[panel.kind],
        "consent": selectors.consent_of(panel),
        "price": selectors.money(panel.campaign.price, panel.campaign.currency),
    }
    return render(request, "panels/panel.html", context)


def _new(request: HttpRequest, access: Access, campaign: Campaign) -> HttpResponse:
    form = KindForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            services.panel_create(campaign=campaign, actor=access.user, **form.cleaned_data)
        except ValidationError as error:
            _add_errors(form, error)
        else:
            return redirect("panels:panel", access.study.slug, campaign.pk)
    return render(request, "panels/new.html", {"campaign": campaign, "form": form})


@study_view()
@edit_view
def panel_settings(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    panel = access.hold(Panel, _panel_or_404(access, pk).pk)
    form = PanelForm(request.POST or None, instance=panel)
    if request.method == "POST" and form.is_valid():
        try:
            services.panel_update(panel=panel, actor=access.user, **form.cleaned_data)
        except ValidationError as error:
            _add_errors(form, error)
        else:
            messages.success(request, _("Saved."))
            return redirect("panels:panel", access.study.slug, pk)
    context = {"campaign": panel.campaign, "panel": panel, "form": form}
    return render(request, "panels/settings.html", context, status=form.status)


@study_view()
@edit_view
def consent(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """The text as people see it, a form for a new version, and the versions before."""
    panel = access.hold(Panel, _panel_or_404(access, pk).pk)
    versions = list(panel.consents.select_related("created_by"))
    form = ConsentForm(request.POST or None, initial={"body": versions[0].body})
    if request.method == "POST" and form.is_valid():
        try:
            made = services.consent_create(panel=panel, actor=access.user, body=form.cleaned_data["body"])
        except ValidationError as error:
            _add_errors(form, error)
        else:
            messages.success(request, _("Version %(n)d is in force.") % {"n": made.version})
            return redirect("panels:consent", access.study.slug, pk)
    wanted = request.GET.get("version")
    shown = next((v for v in versions if str(v.version) == wanted), None) if wanted else versions[0]
    if shown is None:
        raise Http404
    context = {
        "campaign": panel.campaign,
        "form": form,
        "versions": versions,
        "shown": shown,
        "blocks": blocks_of(shown.body),
    }
    return render(request, "panels/consent_versions.html", context, status=form.status)


@study_view()
def ledger(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """What is owed, what waits for the paymaster, what is paid; by person and by payout."""
    panel = _panel_or_404(access, pk)
    accounts = selectors.accounts_of(panel)
    context = {
        "campaign": panel.campaign,
        "panel": panel,
        "page": Paginator(accounts, 100).get_page(request.GET.get("page")),
        "totals": selectors.total_of(accounts),
        "payouts": selectors.payouts_of(panel),
        "price": selectors.money(panel.campaign.price, panel.campaign.currency),
    }
    return render(request, "panels/ledger.html", context)


@study_view()
def bonus(request: HttpRequest, access: Access, pk: int, participant_pk: int) -> HttpResponse:
    """A bonus for one person, with its reason, beside those that they have."""
    panel = _panel_or_404(access, pk)
    participant = get_object_or_404(
        Participant.objects.filter(visits__panel=panel).distinct(), pk=participant_pk
    )
    form = BonusForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            services.bonus_create(
                panel=panel,
                participant=participant,
                actor=access.user,
                cents=form.cleaned_data["amount"],
                reason=form.cleaned_data["reason"],
            )
        except ValidationError as error:
            _add_errors(form, error)
        else:
            messages.success(request, _("The bonus is in the ledger."))
            return redirect("panels:ledger", access.study.slug, pk)
    context = {
        "campaign": panel.campaign,
        "panel": panel,
        "participant": participant,
        "form": form,
        "bonuses": panel.bonuses.filter(participant=participant).select_related("payout"),
    }
    return render(request, "panels/bonus.html", context)


@require_POST
@study_view()
def payout_new(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    panel = _panel_or_404(access, pk)
    if services.payout_create(panel=panel, actor=access.user) is None:
        messages.info(request, _("Nothing is owed that is not in a payout already."))
    return redirect("panels:ledger", access.study.slug, pk)


@require_POST
@study_view()
def payout_paid(request: HttpRequest, access: Access, pk: int, number: int) -> HttpResponse:
    payout = _payout_or_404(access, pk, number)
    services.payout_set_paid(payout=payout, actor=access.user)
    return redirect("panels:ledger", access.study.slug, pk)


@require_POST
@study_view()
def payout_cancel(request: HttpRequest, access: Access, pk: int, number: int) -> HttpResponse:
    payout = _payout_or_404(access, pk, number)
    try:
        services.payout_cancel(payout=payout, actor=access.user)
    except ValidationError as error:
        messages.error(request, error.messages[0])
    return redirect("panels:ledger", access.study.slug, pk)


@require_GET
@study_view()
def payout_csv(request: HttpRequest, access: Access, pk: int, number: int) -> HttpResponse:
    payout = _payout_or_404(access, pk, number)
    services.payout_note_fetch(payout=payout, actor=access.user)
    response = HttpResponse(payout_file.csv_of(payout), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{payout_file.file_name(payout)}"'
    return response


def _panel_or_404(access: Access, campaign_pk: int) -> Panel:
    campaign = access.get(Campaign, campaign_pk)
    panel = get_object_or_404(Panel, campaign=campaign)
    panel.campaign = campaign
    campaign.study = access.study
    return panel


def _payout_or_404(access: Access, campaign_pk: int, number: int) -> Payout:
    panel = _panel_or_404(access, campaign_pk)
    payout = get_object_or_404(Payout, panel=panel, number=number)
    payout.panel = panel
    return payout


def _add_errors(form: Any, error: ValidationError) -> None:
    """Lay a service's refusal at the form's fields, or at its head where it has no such field."""
    if not hasattr(error, "error_dict"):
        form.add_error(None, error)
        return
    for name, texts in error.message_dict.items():
        form.add_error(name if name in form.fields else None, texts)
