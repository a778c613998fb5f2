"""What a researcher chooses about machine-made pairs."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from apps.corpora.models import Corpus, Parse
from apps.generation.options import LARGEST_SEED, MOST_PER_SENTENCE, OPERATIONS, MachineOptions
from apps.studies.models import Study
from natlog.generation.contrasts import contrasts
from natlog.lexicon.conventions import conventions


class MachineForm(forms.Form):
    corpus = forms.ModelChoiceField(
        label=_("Corpus"), queryset=Corpus.objects.none(), help_text=_("Only parsed corpora are offered.")
    )
    operations = forms.MultipleChoiceField(
        label=_("Operations"),
        choices=list(OPERATIONS.items()),
        initial=list(OPERATIONS),
        widget=forms.CheckboxSelectMultiple,
    )
    per_sentence = forms.IntegerField(
        label=_("Changes of a sentence, at most"),
        initial=2,
        min_value=1,
        max_value=MOST_PER_SENTENCE,
        help_text=_("Each change gives two pairs, one in each direction."),
    )
    limit = forms.IntegerField(
        label=_("Balance: pairs of each operation, direction and label, at most"),
        required=False,
        min_value=1,
        help_text=_("Empty: all. A corpus that is large enough gives the same number of each."),
    )
    seed = forms.IntegerField(
        label=_("Seed"),
        initial=1,
        min_value=0,
        max_value=LARGEST_SEED,
        help_text=_("The same seed makes the same pairs of the same sentences."),
    )
    convention = forms.ChoiceField(
        label=_("Convention"),
        initial="med",
        help_text=_("How definites, numerals and bare plurals are read, where published gold sets differ."),
    )

    sure = forms.FloatField(
        label=_("The calculus is sure of the label, at least"),
        initial=0,
        min_value=0,
        max_value=1,
        widget=forms.NumberInput(attrs={"step": "0.05"}),
        required=False,
        help_text=_("From 0 to 1; pairs of less confidence are left out and counted. 0 takes all."),
    )

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fields: Any = self.fields
        parsed = Parse.objects.filter(sentence__corpus__study=study, kind=Parse.Kind.DECLARATIVE)
        fields["corpus"].queryset = Corpus.objects.filter(
            study=study, pk__in=parsed.values("sentence__corpus")
        )
        fields["convention"].choices = [(name, name) for name in conventions()]

    def options(self) -> MachineOptions:
        chosen = {name: value for name, value in self.cleaned_data.items() if name != "corpus"}
        chosen["sure"] = chosen["sure"] or 0.0
        return MachineOptions(**{**chosen, "operations": tuple(chosen["operations"])})


class ContrastForm(forms.Form):
    name = forms.CharField(label=_("Name of the new dataset"), max_length=200)
    contrasts = forms.MultipleChoiceField(
        label=_("Contrasts"),
        choices=lambda: [(name, name) for name in contrasts()],
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose at least one.")},
    )
