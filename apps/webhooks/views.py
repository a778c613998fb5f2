"""Webhooks of a study: which addresses are told of what, and how it went."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from apps.frame.edit_forms import edit_view
from apps.frame.public_address import origin
from apps.studies.access import Access, study_view
from apps.webhooks import selectors, services
from apps.webhooks.forms import EventsForm, WebhookForm
from apps.webhooks.models import Delivery, Webhook

_SECRET = "webhook_secret"  # noqa: S105 (the name of a place in the session)


@study_view()
def webhook_list(request: HttpRequest, access: Access) -> HttpResponse:
    """The addresses, and the form for another one."""
    form = WebhookForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            webhook, secret = services.webhook_create(
                study=access.study,
                actor=access.user,
                server=origin(request),
                **form.cleaned_data,
            )
        except ValidationError as error:
            _add_errors(form, error)
        else:
            request.session[_SECRET] = secret
            return redirect("webhooks:webhook", access.study.slug, webhook.pk)
    context = {"form": form, "webhooks": selectors.webhooks_of(access.study)}
    return render(request, "webhooks/list.html", context)


@study_view()
@edit_view
def webhook_page(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """One address: its events, its secret when it is new, its deliveries."""
    webhook = access.hold(Webhook, pk)
    form = EventsForm(request.POST or None, initial={"events": webhook.events})
    if request.method == "POST" and form.is_valid():
        services.webhook_update(webhook=webhook, actor=access.user, **form.cleaned_data)
        messages.success(request, _("Saved."))
        return redirect("webhooks:webhook", access.study.slug, pk)
    state = request.GET.get("state", "")
    state = state if state in Delivery.State.values else ""
    deliveries = selectors.deliveries_of(webhook, state)
    context = {
        "webhook": webhook,
        "form": form,
        "secret": request.session.pop(_SECRET, None),
        "page": Paginator(deliveries, 50).get_page(request.GET.get("page")),
        "state": state,
        "states": Delivery.State.choices,
    }
    return render(request, "webhooks/webhook.html", context, status=form.status)


@require_POST
@study_view()
def webhook_rotate(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    request.session[_SECRET] = services.webhook_rotate(webhook=access.get(Webhook, pk), actor=access.user)
    return redirect("webhooks:webhook", access.study.slug, pk)


@require_POST
@study_view()
def webhook_test(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    try:
        services.webhook_test(webhook=access.get(Webhook, pk), actor=access.user)
        messages.info(request, _("It is on its way; load the page again in a moment."))
    except ValidationError as error:
        messages.error(request, error.messages[0])
    return redirect("webhooks:webhook", access.study.slug, pk)


@require_POST
@study_view()
def webhook_switch(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    """On or off, as the button said; a second press of the same one changes nothing."""
    webhook = access.get(Webhook, pk)
    is_on, wanted = webhook.disabled_at is None, request.POST.get("tell") == "yes"
    if is_on != wanted:
        switch = services.webhook_enable if wanted else services.webhook_disable
        switch(webhook=webhook, actor=access.user)
    return redirect("webhooks:webhook", access.study.slug, pk)


@require_POST
@study_view()
def webhook_remove(request: HttpRequest, access: Access, pk: int) -> HttpResponse:
    services.webhook_remove(webhook=access.get(Webhook, pk), actor=access.user)
    messages.info(request, _("The address is told nothing any more."))
    return redirect("webhooks:list", access.study.slug)


@require_POST
@study_view()
def delivery_resend(request: HttpRequest, access: Access, pk: int, delivery_pk: int) -> HttpResponse:
    try:
        delivery = access.get(Delivery, delivery_pk, webhook=pk)
        services.delivery_resend(delivery=delivery, actor=access.user)
        messages.info(request, _("It is on its way; load the page again in a moment."))
    except ValidationError as error:
        messages.error(request, error.messages[0])
    return redirect("webhooks:webhook", access.study.slug, pk)


def _add_errors(form: forms.Form, error: ValidationError) -> None:
    """Lay a service's refusal at the form's fields, or at its head where it has no such field."""
    if not hasattr(error, "error_dict"):
        form.add_error(None, error)
        return
    for name, texts in error.message_dict.items():
        form.add_error(name if name in form.fields else None, texts)
