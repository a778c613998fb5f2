import re
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from apps.studies.models import Role


class StudyForm(forms.Form):
    name = forms.CharField(label=_("Name"), max_length=200)
    description = forms.CharField(
        label=_("What it is about"), required=False, widget=forms.Textarea(attrs={"rows": 3})
    )


class InvitationForm(forms.Form):
    role = forms.ChoiceField(label=_("Role"), choices=Role.choices)
    emails = forms.CharField(
        label=_("E-mail addresses"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 4, "dir": "ltr"}),
        max_length=60_000,
        help_text=_(
            "One a line, or with commas between. Each gets a link of their own, for you to send: no mail is "
            "sent from here. Without an address: one link for whoever you give it to."
        ),
    )

    def clean_emails(self) -> list[str]:
        return [part for part in re.split(r"[\s,;]+", self.cleaned_data["emails"]) if part]


class TrailForm(forms.Form):
    """What of the trail is shown."""

    what = forms.ChoiceField(label=_("What"), required=False)
    who = forms.CharField(label=_("Who"), required=False, max_length=254)
    since = forms.DateField(
        label=_("From"), required=False, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )
    until = forms.DateField(
        label=_("To"), required=False, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )

    def __init__(self, *args: Any, groups: list[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fields: Any = self.fields
        fields["what"].choices = [("", _("everything")), *groups]


class MatchForm(forms.Form):
    names = forms.CharField(
        label=_("Pseudonyms, e-mail addresses or identifiers at a panel"),
        widget=forms.Textarea(attrs={"rows": 3, "dir": "ltr"}),
        max_length=60_000,
        help_text=_("One a line. The trail says that you looked, and at whom."),
    )
