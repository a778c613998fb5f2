"""The researcher's forms of a campaign."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from apps.campaigns.models import Campaign
from apps.datasets.models import Dataset
from apps.studies.access import within
from apps.studies.models import Study


class RulesForm(forms.ModelForm):  # type: ignore[type-arg]
    """A campaign's name and rules. The number of replacements belongs to creation alone."""

    class Meta:
        model = Campaign
        fields = ["name", "target", "replacements", "minimum_seconds", "lease_minutes", "is_pilot"]
        labels = {
            "target": _("Annotators an item"),
            "replacements": _("Replacements a set"),
            "minimum_seconds": _("Minimum seconds an item"),
            "lease_minutes": _("Minutes an item is held for its annotator"),
            "is_pilot": _("This is a pilot"),
        }
        help_texts = {
            "lease_minutes": _(
                "Typing keeps it. After that it goes to somebody else; late answers are kept."
            ),
            "is_pilot": _("A small run to see what annotators skip."),
        }

    field_order = ["name"]

    def __init__(self, *args: Any, creation: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["minimum_seconds"].required = True
        if not creation:
            del self.fields["replacements"]

    def rules(self) -> dict[str, Any]:
        """The rules as the services take them."""
        return {
            "replacements": self.instance.replacements,
            **{n: self.cleaned_data[n] for n in self.rule_names()},
        }

    def rule_names(self) -> list[str]:
        return [name for name in self.Meta.fields if name in self.fields]


class CreationForm(RulesForm):
    """A new creation campaign: the new pairs go to a dataset of the study, or to a new one."""

    dataset = forms.ModelChoiceField(
        Dataset.objects.none(),
        required=False,
        label=_("Dataset for the new pairs"),
        empty_label=_("a new dataset"),
    )
    new_dataset = forms.CharField(
        max_length=200,
        required=False,
        label=_("Name of the new dataset"),
        help_text=_("Where none is chosen above."),
    )

    field_order = ["name", "dataset", "new_dataset"]

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        super().__init__(*args, creation=True, **kwargs)
        self.fields["dataset"].queryset = within(Dataset, study).filter(kind=Dataset.Kind.PAIRS)  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        if not data.get("dataset") and not data.get("new_dataset", "").strip():
            self.add_error("new_dataset", _("Choose a dataset above, or name a new one here."))
        return data


class ValidationForm(RulesForm):
    """A new validation campaign over the pairs of a dataset."""

    dataset = forms.ModelChoiceField(
        Dataset.objects.none(), label=_("Dataset whose pairs are judged"), empty_label=None
    )

    field_order = ["name", "dataset"]

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        super().__init__(*args, creation=False, **kwargs)
        self.fields["dataset"].queryset = within(Dataset, study).filter(kind=Dataset.Kind.PAIRS)  # type: ignore[attr-defined]


class GuidelineForm(forms.Form):
    body = forms.CharField(
        label=_("Instructions"),
        widget=forms.Textarea(attrs={"rows": 24}),
        max_length=20_000,
        help_text=_(
            "A blank line ends a paragraph. “# ” begins a heading, “- ” an item of a list; "
            "[square brackets] underline a part."
        ),
    )
