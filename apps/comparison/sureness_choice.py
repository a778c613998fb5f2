"""Which pairs a comparison reads, by how sure the calculus is of its label and what the label rests on."""

from __future__ import annotations

from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from apps.datasets.models import Pair
from apps.datasets.sureness import ASSUMED, NOT_ASSUMED, NOT_KNOWN, of_sureness


class SurenessForm(forms.Form):
    """As on the pairs' page, under the same names (:class:`apps.curation.filters.PairFilters`)."""

    sure_from = forms.FloatField(
        label=_("Only where the calculus is sure, from"),
        required=False,
        min_value=0,
        max_value=1,
        widget=forms.NumberInput(attrs={"step": "0.05"}),
    )
    assumed = forms.ChoiceField(
        label=_("Rests on the assumption"),
        required=False,
        choices=[
            ("", _("any")),
            (ASSUMED, _("yes")),
            (NOT_ASSUMED, _("no")),
            (NOT_KNOWN, _("not known")),
        ],
    )

    @property
    def said(self) -> dict[str, Any]:
        """The filters that are set, for an address; nothing where one is refused."""
        if not self.is_valid():
            return {}
        return {name: value for name, value in self.cleaned_data.items() if value not in (None, "")}


def narrowed(pairs: QuerySet[Pair], said: dict[str, Any]) -> QuerySet[Pair]:
    """``pairs`` under the filters of :attr:`SurenessForm.said`. No query."""
    return of_sureness(pairs, said.get("sure_from"), assumed=said.get("assumed", ""))
