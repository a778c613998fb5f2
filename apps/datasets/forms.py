"""What researchers fill in about datasets."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from apps.datasets.labels import LABEL_SETS, TWO_WAY, set_name
from natlog.lexicon.conventions import conventions


class DatasetForm(forms.Form):
    name = forms.CharField(label=_("Name"), max_length=200)
    licence = forms.CharField(
        label=_("Licence"), max_length=200, required=False, help_text=_("Under which releases are published.")
    )
    source = forms.CharField(label=_("Source"), max_length=500, required=False)
    labels = forms.TypedChoiceField(
        label=_("Labels"),
        choices=lambda: [(key, set_name(key)) for key in LABEL_SETS],
        coerce=lambda key: list(LABEL_SETS[key]),
        initial=TWO_WAY,
        empty_value=None,
        required=False,
        widget=forms.RadioSelect,
    )


class LabellingForm(forms.Form):
    convention = forms.ChoiceField(
        label=_("Convention"),
        help_text=_("How definites, numerals and bare plurals are read, where published gold sets differ."),
    )

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.fields["convention"].choices = [(name, name) for name in conventions()]  # type: ignore[attr-defined]
