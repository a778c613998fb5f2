"""The field in which one chooses whose answers are read: boxes on a page, or numbers with commas in an
address (``campaigns=3,5``)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from apps.comparison.judges import Judges, judges_of
from apps.datasets.models import Dataset


class _Commas:
    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> list[str]:
        values = data.getlist(name) if hasattr(data, "getlist") else [data.get(name) or ""]
        return [one for value in values for one in str(value).split(",") if one]


class Boxes(_Commas, forms.CheckboxSelectMultiple):
    """Boxes on a page, or what is ticked with commas in an address."""


class _Hidden(_Commas, forms.MultipleHiddenInput):
    pass


class CampaignsField(forms.MultipleChoiceField):
    """Cleans to the campaigns' numbers; none stand for the usual ones."""

    def __init__(self, **options: Any) -> None:
        defaults: dict[str, Any] = {
            "label": _("Answers are read in"),
            "required": False,
            "widget": Boxes,
            "help_text": _(
                "None ticked: where a label is asked for; if nowhere, on the scale (4 and 5 as entailment). "
                "Whoever judged a pair in several counts once, by the latest answer."
            ),
        }
        super().__init__(**defaults | options)

    def offer(self, judges: Judges) -> None:
        """Offer the campaigns there are; where there is no choice, nothing is shown."""
        self.choices = [
            (campaign.pk, f"{campaign.name} ({campaign.get_task_display()})") for campaign in judges.there
        ]
        if len(judges.there) < 2:
            self.widget = _Hidden()

    def clean(self, value: Any) -> tuple[int, ...]:
        return tuple(sorted({int(number) for number in super().clean(value)}))


class JudgesForm(forms.Form):
    """Nothing but whose answers are read."""

    campaigns = CampaignsField()

    def __init__(self, data: Any, *, dataset: Dataset) -> None:
        super().__init__(data)
        self.usual = judges_of(dataset)
        field: Any = self.fields["campaigns"]
        field.offer(self.usual)

    @property
    def judges(self) -> Judges:
        """The judges that are asked for; the usual ones where the choice is refused."""
        return self.usual.narrowed(self.cleaned_data["campaigns"]) if self.is_valid() else self.usual
