"""What a researcher chooses about a testbed, and about a sample of it."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from apps.campaigns.models import Campaign
from apps.datasets.models import Dataset
from apps.studies.models import Study
from apps.testbeds.drawing import FORTY
from apps.testbeds.models import Testbed
from apps.testbeds.options import FRAMES, LARGEST, LARGEST_SEED, PLAIN, TestbedOptions
from natlog.fragments.systematicity import VARIANTS
from natlog.fragments.testbeds import TESTBEDS


class TestbedForm(forms.Form):
    kind = forms.ChoiceField(label=_("Testbed"), widget=forms.RadioSelect, initial="systematicity")
    name = forms.CharField(label=_("Name of the dataset"), max_length=200)
    size = forms.IntegerField(label=_("Rows"), initial=1000, min_value=1, max_value=LARGEST)
    depth = forms.IntegerField(
        label=_("Depth"),
        required=False,
        min_value=0,
        max_value=6,
        help_text=_("Empty: every depth, the same number of each."),
    )
    seed = forms.IntegerField(
        label=_("Seed"),
        initial=1,
        min_value=0,
        max_value=LARGEST_SEED,
        help_text=_("The same seed makes the same rows."),
    )

    variant = forms.ChoiceField(
        label=_("Systematicity: test set"),
        required=False,
        choices=[(name, name) for name in VARIANTS],
        help_text=_("The extra ones have depth 1."),
    )
    frames = forms.ChoiceField(
        label=_("Transitivity: main clauses"),
        required=False,
        choices=[("someone", _("Someone … that")), (FORTY, _("forty main clauses"))],
    )
    source = forms.ModelChoiceField(
        label=_("Transitivity: sentences"),
        required=False,
        queryset=Dataset.objects.none(),
        empty_label=_("of the fragment"),
        help_text=_("Or the labelled pairs of a dataset, in one tense and the other."),
    )

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fields: Any = self.fields
        fields["source"].queryset = Dataset.objects.filter(study=study, kind=Dataset.Kind.PAIRS)
        fields["kind"].choices = [(kind, name) for kind, name in Testbed.Kind.choices if kind in TESTBEDS]

    def options(self) -> TestbedOptions:
        chosen = {name: value for name, value in self.cleaned_data.items() if name != "name"}
        return TestbedOptions(
            **{**chosen, "variant": chosen["variant"] or PLAIN, "frames": chosen["frames"] or FRAMES[0]}
        )


class LicensedForm(forms.Form):
    name = forms.CharField(label=_("Name of the new dataset"), max_length=200)


class SampleForm(forms.Form):
    name = forms.CharField(label=_("Name of the campaign and its dataset"), max_length=200)
    factor = forms.ChoiceField(label=_("The same number of each"))
    each = forms.IntegerField(
        label=_("Pairs of each"),
        initial=40,
        min_value=1,
        max_value=10_000,
        help_text=_("All of them where there are fewer."),
    )
    task = forms.ChoiceField(
        label=_("Task"),
        choices=[(task, task.label) for task in (Campaign.Task.VALIDATION, Campaign.Task.LIKERT)],
    )
    seed = forms.IntegerField(label=_("Seed"), initial=1, min_value=0, max_value=LARGEST_SEED)

    def __init__(self, *args: Any, factors: dict[str, list[str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fields: Any = self.fields
        fields["factor"].choices = [(name, f"{name} ({len(values)})") for name, values in factors.items()]
