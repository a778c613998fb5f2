"""Forms of the models' pages."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from apps.datasets.models import Dataset
from apps.inference.calculus_models import AS_NON_ENTAILMENT, PENDING
from apps.inference.folder_models import folder_checked
from apps.inference.folders import folders_found
from apps.inference.models import KindName
from apps.inference.trying import LONGEST
from apps.studies.access import within
from apps.studies.models import Study
from natlog.lexicon.conventions import conventions


class MajorityForm(forms.Form):
    """A fixed label, or the most frequent one of a dataset."""

    name = forms.CharField(label=_("Name"), max_length=200)
    label = forms.ChoiceField(
        label=_("Label"),
        required=False,
        choices=[
            ("", _("the most frequent one of a dataset")),
            ("entailment", _("always entailment")),
            ("non-entailment", _("always non-entailment")),
        ],
    )
    dataset = forms.ModelChoiceField(
        Dataset.objects.none(),
        label=_("Dataset to learn it from"),
        required=False,
        empty_label="–",
        help_text=_("Its gold labels count, and the human majority where a pair has none."),
    )

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fields: Any = self.fields
        fields["dataset"].queryset = within(Dataset, study).filter(kind=Dataset.Kind.PAIRS, archived_at=None)

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or self.cleaned_data
        if bool(data.get("label")) == bool(data.get("dataset")):
            raise forms.ValidationError(_("Choose either a label or a dataset to learn it from."))
        return data


class OverlapForm(forms.Form):
    name = forms.CharField(label=_("Name"), max_length=200)
    threshold = forms.FloatField(
        label=_("Threshold"),
        initial=0.9,
        min_value=0,
        max_value=1,
        help_text=_("The least share of the hypothesis' words that the premise must have for an entailment."),
        widget=forms.NumberInput(attrs={"step": "any"}),
    )


class NegationForm(forms.Form):
    name = forms.CharField(label=_("Name"), max_length=200)


class CalculusForm(forms.Form):
    """natlog's convention and options."""

    name = forms.CharField(label=_("Name"), max_length=200)
    convention = forms.ChoiceField(
        label=_("Convention"), initial="default", choices=[(name, name) for name in conventions()]
    )
    unread = forms.ChoiceField(
        label=_("Pairs that no rule reads"),
        initial=PENDING,
        choices=[
            (PENDING, _("leave pending, with the reason")),
            (AS_NON_ENTAILMENT, _("count as non-entailment")),
        ],
    )
    unknown = forms.ChoiceField(
        label=_("Words whose relation no source knows"),
        required=False,
        choices=[
            ("", _("as the convention takes them")),
            ("independent", _("have nothing to do with each other")),
            ("specific", _("were made more specific, as writers were asked")),
        ],
    )
    supplement = forms.BooleanField(label=_("General English beside WordNet"), required=False, initial=True)
    existential_import = forms.BooleanField(
        label=_("What a determiner ranges over exists"), required=False, initial=True
    )
    coreference = forms.BooleanField(
        label=_("“A dog” of both sentences is the same dog"), required=False, initial=True
    )


class TrainingForm(forms.Form):
    """What a learnt classifier is trained on."""

    name = forms.CharField(label=_("Name"), max_length=200)
    dataset = forms.ModelChoiceField(
        Dataset.objects.none(),
        label=_("Dataset to learn from"),
        empty_label=None,
        help_text=_(
            "Its gold labels count, and the human majority where a pair has none. One pair in five is held "
            "out, to report the accuracy on."
        ),
    )

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        pairs = within(Dataset, study).filter(kind=Dataset.Kind.PAIRS, archived_at=None)
        self.fields["dataset"].queryset = pairs  # type: ignore[attr-defined]


class FolderForm(forms.Form):
    """A folder below the models' directory, in two steps: first which, then whether its outputs are the
    labels that they seem to be. ``order`` are these, once the folder is known; the form is valid when
    ``confirmed`` says the same."""

    name = forms.CharField(label=_("Name"), max_length=200)
    folder = forms.ChoiceField(label=_("Folder"))
    labels = forms.CharField(
        label=_("Labels"),
        required=False,
        max_length=200,
        help_text=_(
            "Needed only where the folder calls its outputs LABEL_0, LABEL_1 … or names them wrongly: the "
            "labels in the order of the outputs, with commas (entailment, neutral, contradiction)."
        ),
    )
    confirmed = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, study: Study, onnx: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.kind = KindName.ONNX if onnx else KindName.TRANSFORMERS
        self.order: list[str] = []
        found = folders_found(onnx=onnx)
        self.fields["folder"].choices = [(name, name) for name in found]  # type: ignore[attr-defined]

    def clean_labels(self) -> list[str]:
        return [word.strip() for word in self.cleaned_data["labels"].split(",") if word.strip()]

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or self.cleaned_data
        if "folder" not in data or "labels" not in data:
            return data
        self.order = list(folder_checked(data["folder"], data["labels"], self.kind).labels)
        seen = ", ".join(self.order)
        if data["confirmed"] != seen:
            self.data = {**self.data.dict(), "confirmed": seen} if hasattr(self.data, "dict") else self.data
            raise forms.ValidationError(
                _("Is this what the outputs mean? Confirm it, or give the labels in another order."),
                code="confirm",
            )
        return {**data, "confirmed": True}


class HubForm(forms.Form):
    """A model of the hub."""

    hub = forms.CharField(label=_("Name on the hub"), max_length=200, help_text=_("owner/name"))
    revision = forms.CharField(
        label=pgettext_lazy("commit", "Revision"),
        max_length=40,
        help_text=_("The whole hash of a commit, 40 characters."),
    )


class RunForm(forms.Form):
    """Which dataset a model is to predict, of those that are ``there``."""

    dataset = forms.ModelChoiceField(Dataset.objects.none(), label=_("Dataset"), empty_label=None)

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.there = within(Dataset, study).filter(kind=Dataset.Kind.PAIRS, archived_at=None)
        fields: Any = self.fields
        fields["dataset"].queryset = self.there
        # Read once, whatever asks for them.
        fields["dataset"].choices = [(one.pk, str(one)) for one in self.there]


class PredictionFilterForm(forms.Form):
    """Which of a run's predictions are listed."""

    against = forms.ChoiceField(label=_("Differs from"), required=False)
    label = forms.ChoiceField(label=_("Predicted label"), required=False)

    def __init__(self, *args: Any, references: list[tuple[str, str]], labels: list[str], **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.fields["against"].choices = [("", "–"), *references]  # type: ignore[attr-defined]
        self.fields["label"].choices = [("", "–"), *((label, label) for label in labels)]  # type: ignore[attr-defined]


class TryPairForm(forms.Form):
    """A pair that a model is tried on."""

    premise = forms.CharField(label=_("Premise"), max_length=LONGEST)
    hypothesis = forms.CharField(label=_("Hypothesis"), max_length=LONGEST)


class TrySentenceForm(forms.Form):
    """A sentence whose meaning a network is to write."""

    sentence = forms.CharField(label=_("Sentence"), max_length=LONGEST)
