"""The forms of a webhook."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from apps.frame.edit_forms import EditForm
from apps.webhooks.events import EventType


class _Events(forms.Form):
    events = forms.MultipleChoiceField(
        label=_("Tell it when"),
        choices=EventType.choices,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Please choose at least one event.")},
    )


class EventsForm(EditForm, _Events):
    """What an address is told of."""


class WebhookForm(_Events):
    address = forms.CharField(
        label=_("Address"),
        max_length=500,
        widget=forms.URLInput(attrs={"dir": "ltr", "placeholder": "https://"}),
        help_text=_("https, at a host that whoever hosts this server has allowed."),
    )
    field_order = ["address", "events"]
