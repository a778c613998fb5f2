"""What a report is to be about."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from apps.comparison.campaign_choice import CampaignsField
from apps.comparison.judges import judges_of
from apps.datasets.models import Dataset
from apps.releases.gold_rules import FROM_FILE
from apps.reports.models import BalanceReport
from apps.studies.access import within

Labels = BalanceReport.Labels


class ReportForm(forms.Form):
    # One choice, since a release has labels of its own: no other stands on the form and is passed over.
    about = forms.ChoiceField(
        label=_("About"),
        widget=forms.RadioSelect,
        help_text=_("Whose labels the pairs have here. A release brings its own, and its splits."),
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

    def __init__(self, data: Any, *, dataset: Dataset, release: str = "") -> None:
        """``release`` is the number of the one that is chosen at first, if there is such a one."""
        has_file_labels = dataset.pairs.filter(gold_labels__source=FROM_FILE).exists()
        labels = Labels.FILE if has_file_labels else Labels.HUMAN
        self._releases = {str(one.pk): one for one in dataset.releases.exclude(frozen_at=None)}
        first = release if release in self._releases else labels
        super().__init__(data, initial={"about": first})
        fields: Any = self.fields
        fields["about"].choices = [
            (Labels.FILE, _("the dataset as it is, with the labels of its file")),
            (Labels.HUMAN, _("the dataset as it is, with the labels that most people gave")),
            (Labels.CALCULUS, _("the dataset as it is, with the calculus' labels")),
            *((number, str(one)) for number, one in self._releases.items()),
        ]
        fields["campaigns"].offer(judges_of(dataset))
        others = within(Dataset, dataset.study).filter(kind=Dataset.Kind.PAIRS).exclude(pk=dataset.pk)
        fields["other"].queryset = others

    def choice(self) -> dict[str, Any]:
        """What :func:`report_start` takes."""
        chosen = dict(self.cleaned_data)
        about = chosen.pop("about")
        if about in self._releases:
            return {**chosen, "release": self._releases[about]}
        return {**chosen, "labels": about}
