"""What a report is to be about."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from apps.datasets.campaign_choice import CampaignsField
from apps.datasets.judges import judges_of
from apps.datasets.models import BalanceReport, Dataset, Release
from apps.studies.access import within


class ReportForm(forms.Form):
    release = forms.ModelChoiceField(
        label=_("About"),
        required=False,
        queryset=Release.objects.none(),
        empty_label=_("the dataset as it is"),
        help_text=_("A release brings its labels and splits."),
    )
    labels = forms.ChoiceField(
        label=_("Labels"),
        choices=[choice for choice in BalanceReport.Labels.choices if choice[0] != "release"],
        help_text=_("Whose labels the dataset's pairs have here."),
    )
    campaigns = CampaignsField()
    other = forms.ModelChoiceField(
        label=_("Compared with"),
        required=False,
        queryset=Dataset.objects.none(),
        empty_label=_("nothing else"),
        help_text=_("Vocabulary and near-duplicates, such as with the data that models are trained on."),
    )
    seed = forms.IntegerField(label=_("Seed"), initial=1, min_value=0, max_value=2**31 - 1)

    def __init__(self, data: Any, *, dataset: Dataset, **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        fields: Any = self.fields
        fields["campaigns"].offer(judges_of(dataset))
        fields["release"].queryset = dataset.releases.exclude(frozen_at=None)
        others = within(Dataset, dataset.study).filter(kind=Dataset.Kind.PAIRS).exclude(pk=dataset.pk)
        fields["other"].queryset = others
