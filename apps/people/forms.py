import re
from typing import Any

from django import forms
from django.contrib.auth.forms import AuthenticationForm
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import Scope
from apps.studies.models import Role


class SignInForm(AuthenticationForm):
    username = forms.EmailField(
        label=_("E-mail address"), widget=forms.EmailInput(attrs={"autocomplete": "email", "autofocus": True})
    )

    def clean_username(self) -> str:
        return str(self.cleaned_data["username"]).lower()


class RegistrationForm(forms.Form):
    name = forms.CharField(label=_("Your name"), max_length=120)
    email = forms.EmailField(
        label=_("E-mail address"), widget=forms.EmailInput(attrs={"autocomplete": "email"})
    )
    password = forms.CharField(
        label=_("Password"),
        help_text=_("At least eight characters."),
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def add_errors(self, errors: Any) -> None:
        """Show a service's ValidationError at its fields."""
        self.add_error(None, errors)


class NewPasswordForm(forms.Form):
    """A new password; with ``asks_old``, the present one first."""

    old = forms.CharField(
        label=_("Present password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )
    password = forms.CharField(
        label=_("New password"),
        help_text=_("At least eight characters."),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def __init__(self, *args: Any, asks_old: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not asks_old:
            del self.fields["old"]


class ForgottenForm(forms.Form):
    email = forms.EmailField(
        label=_("E-mail address"), widget=forms.EmailInput(attrs={"autocomplete": "email", "autofocus": True})
    )


class ApiTokenForm(forms.Form):
    name = forms.CharField(label=_("What the token is for"), max_length=80)
    scopes = forms.MultipleChoiceField(
        label=_("What it may do beside reading"),
        choices=[choice for choice in Scope.choices if choice[0] != Scope.READ],
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Never more than you may yourself."),
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


class MatchForm(forms.Form):
    names = forms.CharField(
        label=_("Pseudonyms, e-mail addresses or identifiers at a panel"),
        widget=forms.Textarea(attrs={"rows": 3, "dir": "ltr"}),
        max_length=60_000,
        help_text=_("One a line. The trail says that you looked, and at whom."),
    )
