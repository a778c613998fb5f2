"""What a researcher fills in who decides on a pair."""

from __future__ import annotations

from collections.abc import Iterable

from django import forms
from django.utils.translation import gettext_lazy as _

from apps.campaigns.models import Judgement
from apps.comparison.decisions import answers_told
from apps.datasets.labels import ADJUDICATION, LABEL_NAMES, UNNATURAL
from apps.datasets.models import Pair
from apps.frame.edit_forms import EditForm


class DecisionForm(EditForm, forms.Form):
    """A label decided on by hand: one button each, beside what was decided before and the answers that it is
    decided by."""

    pressed = ("label",)

    label = forms.ChoiceField(label=_("Decision"))
    answers = forms.CharField(label=_("Answers"), required=False, widget=forms.HiddenInput)

    def __init__(
        self, *args: object, pair: Pair, given: Iterable[Judgement] | None = None, **kwargs: object
    ) -> None:
        """Two queries; none where the pair's ``gold_labels`` were prefetched and what was ``given`` is known
        (:func:`answers_told`)."""
        decided = next((gold for gold in pair.gold_labels.all() if gold.source == ADJUDICATION), None)
        initial = {"label": decided.label if decided else "", "answers": answers_told(pair, given)}
        super().__init__(*args, initial=initial, **kwargs)
        names = {label: str(LABEL_NAMES.get(label, label)) for label in [*pair.dataset.labels, UNNATURAL]}
        self.fields["label"].choices = list(names.items())  # type: ignore[attr-defined]
