"""A file of numbers by word; which norm is looked at, and of which pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.dashboard.models import Norm
from apps.dashboard.norms import MOST_BYTES, numbers_read
from apps.datasets.models import Dataset


class NormForm(forms.Form):
    """``found`` in the cleaned data are the file's numbers by word."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=100)
    source = forms.CharField(
        label=gettext_lazy("Source"),
        max_length=500,
        help_text=gettext_lazy("Who measured it, where it is published."),
    )
    file = forms.FileField(
        label=gettext_lazy("File"),
        help_text=gettext_lazy("CSV or TSV, at most 2 MB; the first line names the columns."),
    )
    words = forms.CharField(
        label=gettext_lazy("Column of words"),
        required=False,
        max_length=200,
        help_text=gettext_lazy("Empty: the first."),
    )
    numbers = forms.CharField(
        label=gettext_lazy("Column of numbers"),
        required=False,
        max_length=200,
        help_text=gettext_lazy("Empty: the second."),
    )

    def clean(self) -> dict[str, Any]:
        said: dict[str, Any] = super().clean() or {}
        file = said.get("file")
        if file is None or self.errors:
            return said
        if file.size > MOST_BYTES:
            self.add_error("file", _("The file is larger than %(n)d MB.") % {"n": MOST_BYTES // 2**20})
            return said
        try:
            said["found"] = numbers_read(file.read(), said["words"], said["numbers"])
        except ValidationError as error:
            self.add_error("file", error)
        return said


class NormShownForm(forms.Form):
    """What a norm is held against; left open or refused, the norm of most words, the largest dataset, and
    the fact whose values the norm knows most of."""

    norm = forms.ChoiceField(label=gettext_lazy("Outside norm"), required=False)
    dataset = forms.ChoiceField(label=gettext_lazy("Dataset"), required=False)
    fact = forms.ChoiceField(label=gettext_lazy("Its words"), required=False)

    def __init__(
        self,
        data: Mapping[str, Any],
        *,
        norms: Sequence[Norm],
        datasets: Sequence[Dataset],
        largest: Dataset | None,
    ) -> None:
        self._norms = {str(norm.pk): norm for norm in norms}
        self._datasets = {str(dataset.pk): dataset for dataset in datasets}
        self._largest, self._usual = largest, max(norms, key=lambda norm: norm.size)
        self._said = {name: data[name] for name in self.base_fields if data.get(name)}
        self._said.setdefault("norm", str(self._usual.pk))
        if largest is not None:
            self._said.setdefault("dataset", str(largest.pk))
        super().__init__(self._said)
        fields: Any = self.fields
        fields["norm"].choices = [(pk, norm.name) for pk, norm in self._norms.items()]
        fields["dataset"].choices = [(pk, dataset.name) for pk, dataset in self._datasets.items()]

    @property
    def norm_chosen(self) -> Norm:
        return self._norms.get(self._said["norm"], self._usual)

    @property
    def dataset_chosen(self) -> Dataset | None:
        """None where there is none."""
        return self._datasets.get(self._said.get("dataset", ""), self._largest)

    def fact_chosen(self, facts: Mapping[str, Any], best: str | None) -> str | None:
        """One of the dataset's ``facts``, which the form offers; None where it has none."""
        fields: Any = self.fields
        fields["fact"].choices = [(name, name) for name in facts]
        if best is not None:
            self._said.setdefault("fact", best)
        chosen = self._said.get("fact")
        return chosen if chosen in facts else best
