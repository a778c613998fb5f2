"""What researchers fill in about datasets and releases."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from apps.datasets.releasing.rules import ALL_MATCH, RULE_NAMES, Options
from natlog.lexicon.conventions import conventions


class DatasetForm(forms.Form):
    name = forms.CharField(label=_("Name"), max_length=200)
    licence = forms.CharField(
        label=_("Licence"), max_length=200, required=False, help_text=_("Under which releases are published.")
    )
    source = forms.CharField(label=_("Source"), max_length=500, required=False)


class LabellingForm(forms.Form):
    convention = forms.ChoiceField(
        label=_("Convention"),
        help_text=_("How definites, numerals and bare plurals are read, where published gold sets differ."),
    )

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.fields["convention"].choices = [(name, name) for name in conventions()]  # type: ignore[attr-defined]


class ReleaseForm(forms.Form):
    """A release's rule; its values are :class:`Options`."""

    rule = forms.ChoiceField(
        label=_("Which pairs, under which label"),
        choices=list(RULE_NAMES.items()),
        initial=ALL_MATCH,
        widget=forms.RadioSelect,
    )
    judgements = forms.IntegerField(
        label=_("Judgements a pair needs at least"), initial=3, min_value=1, max_value=100
    )
    matching = forms.IntegerField(
        label=_("Judgements that must match"),
        initial=2,
        min_value=1,
        max_value=100,
        help_text=_("For the second rule only."),
    )
    drop_unnatural = forms.BooleanField(
        label=_("Leave out a pair that anybody called unnatural"),
        required=False,
        help_text=_("A pair that most people called unnatural is always left out."),
    )
    swaps = forms.BooleanField(
        label=_("Add swapped twins"),
        required=False,
        initial=True,
        help_text=_("Premise and hypothesis exchanged, with the other label, where the label turns over."),
    )

    def clean(self) -> dict[str, object]:
        cleaned: dict[str, object] = super().clean() or {}
        if cleaned.get("rule") != "at-least":
            # The number is of no account; it must not refuse a rule that doesn't use it.
            cleaned["matching"] = 1
        return cleaned

    def options(self) -> Options:
        chosen = dict(self.cleaned_data)
        return Options(matches=chosen.pop("matching"), **chosen)
