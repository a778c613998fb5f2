"""What researchers fill in about datasets."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from apps.datasets.labels import LABEL_NAMES, LABEL_SETS, TWO_WAY, set_name
from apps.datasets.models import Dataset, Direction
from apps.frame.texts import LONGEST_TEXT
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


class TypedPairForm(forms.Form):
    """A single pair, with the publication that it is from."""

    premises = forms.CharField(
        label=_("Premise"),
        max_length=LONGEST_TEXT,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("Several premises: one a line."),
    )
    hypothesis = forms.CharField(
        label=_("Hypothesis"), max_length=LONGEST_TEXT, widget=forms.Textarea(attrs={"rows": 2})
    )
    label = forms.ChoiceField(
        label=_("Published label"), required=False, widget=forms.RadioSelect, initial=""
    )
    direction = forms.ChoiceField(
        label=_("Direction"),
        required=False,
        choices=[("", _("as the calculus says")), *Direction.choices],
    )
    source = forms.CharField(
        label=_("Source"), max_length=500, help_text=_("The publication, with page or example number.")
    )
    genre = forms.CharField(
        label=_("Genre"), max_length=200, required=False, help_text=_("Such as “paper”, as in MED.")
    )

    def __init__(self, *args: object, dataset: Dataset, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.fields["label"].choices = [  # type: ignore[attr-defined]
            *((label, LABEL_NAMES.get(label, label)) for label in dataset.labels),
            ("", _("none was published")),
        ]

    def clean_premises(self) -> list[str]:
        return [line for line in self.cleaned_data["premises"].splitlines() if line.strip()]


class LabellingForm(forms.Form):
    convention = forms.ChoiceField(
        label=_("Convention"),
        help_text=_(
            "How definites, numerals and bare plurals are read, where published gold sets differ. "
            "Under “med” a word that no source knows is taken to be more specific: for pairs whose writers "
            "were asked for that, not for pairs from files."
        ),
    )

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.fields["convention"].choices = [(name, name) for name in conventions()]  # type: ignore[attr-defined]
