"""What a researcher fills in who decides on a pair."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from apps.comparison.decisions import answers_told
from apps.datasets.labels import ADJUDICATION, LABEL_NAMES, UNNATURAL
from apps.datasets.models import GoldLabel, Pair
from apps.frame.edit_forms import EditForm


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
