"""The researcher's forms of a campaign."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.forms.boundfield import BoundField
from django.http import QueryDict
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext_lazy as _

from apps.campaigns.likert import is_scalable
from apps.campaigns.models import Campaign
from apps.campaigns.presets import Preset
from apps.datasets.models import Dataset
from apps.frame.edit_forms import EditForm
from apps.inference.models import Model
from apps.studies.access import within
from apps.studies.models import Study

_FIELDS = [
    "name",
    "target",
    "maximum",
    "replacements",
    "skips_count",
    "cap",
    "page_size",
    "minimum_seconds",
    "lease_minutes",
    "order",
    "opens_at",
    "closes_at",
    "price",
    "currency",
    "show_predictions",
    "model",
    "tries",
    "is_pilot",
]
# What one task alone has.
_CREATION_ALONE = ("replacements", "show_predictions", "model", "tries")
_PAIRS_ALONE = ("maximum", "page_size")
# Left empty, these take the model's default.
_MAY_BE_LEFT_OUT = ("page_size", "order", "price", "currency", "tries")

_GROUPS = [
    (_("The campaign"), ("name", "dataset", "new_dataset", "is_pilot")),
    (_("Answers"), ("target", "maximum", "replacements", "skips_count", "cap", "order")),
    (_("Time"), ("page_size", "minimum_seconds", "lease_minutes", "opens_at", "closes_at")),
    (_("Pay"), ("price", "currency")),
    (_("A model in the loop"), ("show_predictions", "model", "tries")),
]


class _Moment(forms.DateTimeInput):
    input_type = "datetime-local"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%dT%H:%M")


class RulesForm(forms.ModelForm):  # type: ignore[type-arg]
    """A campaign's name and rules, as far as its task has them."""

    price = forms.DecimalField(
        required=False,
        min_value=0,
        max_digits=8,
        decimal_places=2,
        help_text=_("0 where nobody is paid. Every answer is paid, the late ones and skips too."),
    )
    opens_at = forms.DateTimeField(required=False, label=_("Opens at (UTC)"), widget=_Moment())
    closes_at = forms.DateTimeField(
        required=False,
        label=_("Closes at (UTC)"),
        widget=_Moment(),
        help_text=_("Nobody gets work afterwards; what somebody holds then may be sent, and counts."),
    )

    class Meta:
        model = Campaign
        fields = _FIELDS
        labels = {
            "target": _("Annotators an item"),
            "maximum": _("Where they disagree, up to"),
            "replacements": _("Replacements a set"),
            "cap": _("At most, from one annotator"),
            "page_size": _("Questions on a page"),
            "lease_minutes": _("Minutes it is held for its annotator"),
            "order": _("Order of the items"),
            "is_pilot": _("This is a pilot"),
            "show_predictions": _("Show annotators whether a model was fooled"),
            "model": _("The model"),
            "tries": _("Further tries"),
        }
        help_texts = {
            "maximum": _(
                "One annotator more is asked at a time, until no other answer can win, or this number is "
                "reached. Empty: never more."
            ),
            "cap": _("Empty: as many as there are."),
            "lease_minutes": _(
                "Typing keeps it. After that it goes to somebody else; late answers are kept."
            ),
            "is_pilot": _("A small run to see what annotators skip."),
            "show_predictions": _(
                "Once an answer was sent, its annotator sees what the model makes of it. Every answer keeps "
                "whether predictions were shown."
            ),
            "tries": _("How often an annotator may write anew after seeing what the model says."),
        }

    def __init__(
        self, *args: Any, task: str, study: Study, preset: Preset | None = None, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.task = task
        self.preset = preset
        if preset:
            self.initial.update(preset.rules)
        self.initial["price"] = Decimal(self.initial.get("price") or 0) / 100
        is_creation = task == Campaign.Task.CREATION
        for name in _PAIRS_ALONE if is_creation else _CREATION_ALONE:
            del self.fields[name]
        for name in _MAY_BE_LEFT_OUT:
            if name in self.fields:
                self.fields[name].required = False
        self._say_what_is_meant(is_creation)
        if is_creation:
            self.fields["model"].queryset = within(Model, study).exclude(kind=Model.Kind.FILE)  # type: ignore[attr-defined]

    def keep(self, typed: QueryDict) -> None:
        """Fill an empty form with what was typed so far, but for what its preset sets."""
        fixed = self.preset.rules if self.preset else {}
        for name, field in self.fields.items():
            if name not in fixed and not field.widget.value_omitted_from_data(typed, MultiValueDict(), name):
                self.initial[name] = field.widget.value_from_datadict(typed, MultiValueDict(), name)

    def _say_what_is_meant(self, is_creation: bool) -> None:
        seconds, skips, price = (self.fields[name] for name in ("minimum_seconds", "skips_count", "price"))
        seconds.required = True
        seconds.label = _("Minimum seconds a set") if is_creation else _("Minimum seconds a page")
        price.label = _("Price a set") if is_creation else _("Price a question")
        if is_creation:
            skips.label = _("Skips count toward the number of annotators")
            skips.help_text = _(
                "Otherwise a skip is kept and paid, and somebody else is asked in its place: an item that "
                "nobody can rewrite is then shown to everybody. A change holds for answers from then on."
            )
        else:
            skips.label = _("Answers that a sentence makes no sense count toward the number of annotators")
            skips.help_text = _(
                "Otherwise such an answer is kept and paid, but neither counted nor compared, and somebody "
                "else is asked in its place. A change holds for answers from then on."
            )

    def _post_clean(self) -> None:
        """The services check the rules with each other, and say at which field it is; a broken constraint
        would come before them here, and belong to none."""
        self.instance.validate_constraints = lambda exclude=None: None
        super()._post_clean()  # type: ignore[misc]

    def clean_price(self) -> int:
        return int((self.cleaned_data["price"] or Decimal(0)) * 100)

    def groups(self) -> Iterator[tuple[Any, list[BoundField]]]:
        """The fields by what they are about, without empty groups."""
        for legend, names in _GROUPS:
            fields = [self[name] for name in names if name in self.fields]
            if fields:
                yield legend, fields

    def rules(self) -> dict[str, Any]:
        """The name and rules as the services take them."""
        found = {name: self.cleaned_data[name] for name in _FIELDS if name in self.fields}
        for name in _MAY_BE_LEFT_OUT:
            if found.get(name, 0) in (None, ""):
                found[name] = getattr(Campaign(), name)
        if self.preset:
            found["preset"] = self.preset.key
        return found

    def refuse(self, error: ValidationError) -> None:
        """Lay a service's refusal at its fields; what belongs to none of them stands above the form."""
        if not hasattr(error, "error_dict"):
            self.add_error(None, error)
            return
        for name, errors in error.error_dict.items():
            self.add_error(name if name in self.fields else None, errors)


class SettingsForm(EditForm, RulesForm):
    """The name and rules of a campaign that is there."""


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

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        super().__init__(*args, task=Campaign.Task.CREATION, study=study, **kwargs)
        fields: Any = self.fields
        fields["dataset"].queryset = within(Dataset, study).filter(kind=Dataset.Kind.PAIRS, archived_at=None)

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        if not data.get("dataset") and not data.get("new_dataset", "").strip():
            self.add_error("new_dataset", _("Choose a dataset above, or name a new one here."))
        return data


class PairsForm(RulesForm):
    """A new campaign over the pairs of a dataset: validation, or the Likert scale."""

    dataset = forms.ModelChoiceField(
        Dataset.objects.none(), label=_("Dataset whose pairs are judged"), empty_label=None
    )

    def __init__(self, *args: Any, study: Study, task: str, **kwargs: Any) -> None:
        super().__init__(*args, study=study, task=task, **kwargs)
        found = within(Dataset, study).filter(kind=Dataset.Kind.PAIRS, archived_at=None)
        if task == Campaign.Task.LIKERT:
            found = found.filter(pk__in=[dataset.pk for dataset in found if is_scalable(dataset.labels)])
        self.fields["dataset"].queryset = found  # type: ignore[attr-defined]


class GuidelineForm(EditForm, forms.Form):
    body = forms.CharField(
        label=_("Instructions"),
        widget=forms.Textarea(attrs={"rows": 24}),
        max_length=20_000,
        help_text=_(
            "Markdown, without HTML and images: a blank line ends a paragraph, “# ” begins a heading, “- ” "
            "an item of a list. [Square brackets] underline a part."
        ),
    )
