"""The researcher's forms of a panel."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from apps.frame.edit_forms import EditForm
from apps.panels.consents import STARTING_CONSENT
from apps.panels.models import Panel


# Content, like the instructions: in English, for whoever sets the panel up to change.
class Price(forms.DecimalField):
    """An amount with two decimals; the cleaned value is in whole hundredths."""

    def __init__(self, **options: Any) -> None:
        super().__init__(min_value=Decimal(0), max_value=Decimal(100_000), decimal_places=2, **options)

    def clean(self, value: Any) -> int | None:
        amount = super().clean(value)
        return None if amount is None else int(amount * 100)


class KindForm(forms.Form):
    """What a panel begins with; the rest has its usual values until it is changed."""

    kind = forms.ChoiceField(
        label=_("Where do people come from?"), choices=Panel.Kind.choices, widget=forms.RadioSelect
    )
    consent = forms.CharField(
        label=_("What people agree to before they begin"),
        widget=forms.Textarea(attrs={"rows": 16}),
        max_length=20_000,
        initial=STARTING_CONSENT,
        help_text=_("A blank line ends a paragraph. “# ” begins a heading, “- ” an item of a list."),
    )


class PanelForm(EditForm, forms.ModelForm):  # type: ignore[type-arg]
    """Everything that can be set about a panel that is there."""

    secret = forms.CharField(
        label=_("Secret for events"),
        required=False,
        max_length=200,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        help_text=_("Leave it empty to keep the one that is set. It is not shown again."),
    )

    class Meta:
        model = Panel
        fields = [
            "platform", "sets_wanted", "code_complete", "code_failed_quiz", "code_no_work",
            "return_address", "person_parameter", "session_parameter", "study_parameter",
            "told_address", "secret",
        ]  # fmt: skip
        labels = {
            "platform": _("Name of the panel"),
            "sets_wanted": _("Sets a visit"),
            "code_complete": _("Code for who did the work"),
            "code_failed_quiz": _("Code for who did not pass the quiz"),
            "code_no_work": _("Code for whom there was no work"),
            "person_parameter": _("Parameter that names the person"),
            "session_parameter": _("Parameter that names the session"),
            "study_parameter": _("Parameter that names the study"),
            "told_address": _("Address to tell when somebody has finished"),
        }
        help_texts = {
            "platform": _("People with the same identifier under the same name are one participant."),
            "sets_wanted": _("Empty: as many as there are."),
            "return_address": _("{code} and {session} are filled in."),
            "told_address": _(
                "For panels that take notice from server to server: {code} and {session} are filled in. "
                "Needs a secret, and a host that this server may speak to."
            ),
        }

    field_order = ["sets_wanted", "platform"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial.pop("secret", None)

    def _post_clean(self) -> None:
        """The service checks; the row at hand stays as it is stored."""


class ConsentForm(EditForm, forms.Form):
    body = forms.CharField(
        label=_("What people agree to"),
        widget=forms.Textarea(attrs={"rows": 20}),
        max_length=20_000,
        help_text=_("A blank line ends a paragraph. “# ” begins a heading, “- ” an item of a list."),
    )


class BonusForm(forms.Form):
    """A bonus for one of the panel's people."""

    amount = Price(label=_("Amount"))
    reason = forms.CharField(label=_("Reason"), max_length=200)
