"""What researchers fill in about datasets."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from apps.comparison.decisions import answers_told
from apps.datasets.labels import ADJUDICATION, LABEL_NAMES, UNNATURAL
from apps.datasets.models import GoldLabel, Pair
from apps.frame.editing import EditForm
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


class DecisionForm(EditForm, forms.Form):
    """A label decided on by hand: one button each, beside what was decided before and the answers that it is
    decided by."""

    pressed = ("label",)

    label = forms.ChoiceField(label=_("Decision"))
    answers = forms.CharField(label=_("Answers"), required=False, widget=forms.HiddenInput)

    def __init__(self, *args: object, pair: Pair, **kwargs: object) -> None:
        decided = GoldLabel.objects.filter(pair=pair, source=ADJUDICATION).first()
        initial = {"label": decided.label if decided else "", "answers": answers_told(pair)}
        super().__init__(*args, initial=initial, **kwargs)
        names = {label: str(LABEL_NAMES.get(label, label)) for label in [*pair.dataset.labels, UNNATURAL]}
        self.fields["label"].choices = list(names.items())  # type: ignore[attr-defined]
