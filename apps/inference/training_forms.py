"""Forms of training sets, trainings and learning curves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from apps.datasets.labels import LABEL_SETS, TWO_WAY
from apps.inference.networks import labelling_networks
from apps.inference.training_sets import LARGEST_SEED
from apps.inference.training_sources import choices_of
from apps.inference.trainings import MOST_SEEDS
from apps.studies.models import Study

SOURCES = 4
_ANY = forms.NumberInput(attrs={"step": "any"})


def numbers(kind: Callable[[str], Any], text: str) -> list[Any]:
    """Numbers with commas between them; ValidationError where one is none."""
    try:
        return [kind(part) for part in text.replace(";", ",").split(",") if part.strip()]
    except ValueError:
        raise forms.ValidationError(_("Numbers with commas between them are wanted.")) from None


class MixForm(forms.Form):
    """What rows are mixed of: a few sources, each with a count or a share, and their directions."""

    size = forms.IntegerField(
        label=_("Size"),
        required=False,
        min_value=1,
        help_text=_("Needed where a source has a share: shares divide what the counts leave of it."),
    )
    labels = forms.ChoiceField(
        label=_("Labels"), choices=[(name, name) for name in LABEL_SETS], initial=TWO_WAY
    )
    test = forms.MultipleChoiceField(
        label=_("Tested on"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_(
            "Nothing is learnt of these: a pair with the same two sentences, in whatever order, is left out."
        ),
    )
    without_premises = forms.BooleanField(
        label=_("Leave out whatever has a premise of the test too"), required=False
    )
    validation = forms.FloatField(
        label=_("Validation part (share)"), initial=0.1, min_value=0, max_value=0.9, widget=_ANY
    )
    validation_source = forms.ChoiceField(label=_("Validation part of its own"), required=False)
    seed = forms.IntegerField(label=_("Seed"), initial=1, min_value=0, max_value=LARGEST_SEED)

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fields: Any = self.fields
        groups = choices_of(study)
        self.has_sources = bool(groups)
        chosen = [("", "–"), *groups]
        for number in range(1, SOURCES + 1):
            fields[f"source_{number}"] = forms.ChoiceField(label=_("Source"), required=False, choices=chosen)
            fields[f"count_{number}"] = forms.IntegerField(label=_("Rows"), required=False, min_value=1)
            fields[f"share_{number}"] = forms.FloatField(
                label=_("Share"), required=False, min_value=0, widget=_ANY
            )
            fields[f"upward_{number}"] = forms.FloatField(
                label=_("Upward share"), required=False, min_value=0, max_value=1, widget=_ANY
            )
        fields["test"].choices = [choice for _title, choices in groups for choice in choices]
        fields["validation_source"].choices = chosen

    def source_rows(self) -> Iterator[list[forms.BoundField]]:
        """The fields of each source, in a row."""
        for number in range(1, SOURCES + 1):
            yield [self[f"{name}_{number}"] for name in ("source", "count", "share", "upward")]

    def other_fields(self) -> list[forms.BoundField]:
        """What stands below the sources."""
        names = [name for name in self.fields if not name[-1].isdigit() and name != "name"]
        return [self[name] for name in names]

    def spec(self) -> dict[str, Any]:
        """What was asked for, as apps/inference/training_sets.py takes it."""
        data = self.cleaned_data
        sources = [
            {name: data[f"{name}_{number}"] for name in ("source", "count", "share", "upward")}
            for number in range(1, SOURCES + 1)
            if data[f"source_{number}"]
        ]
        own = ("labels", "test", "without_premises", "validation", "seed")
        return {
            "sources": sources,
            "size": data.get("size"),
            "validation_source": data["validation_source"] or None,
            **{name: data[name] for name in own},
        }


class TrainingSetForm(MixForm):
    name = forms.CharField(label=_("Name"), max_length=200)


class NetworkForm(forms.Form):
    """Which network, and how it is trained; what is left empty is the network's own."""

    network = forms.ChoiceField(label=_("Network"))
    small = forms.BooleanField(
        label=_("Sizes for two processor cores"),
        required=False,
        initial=True,
        help_text=_("Else those of the paper."),
    )
    seeds = forms.IntegerField(label=_("Runs"), initial=1, min_value=1, max_value=MOST_SEEDS)
    epochs = forms.IntegerField(label=_("Epochs, at most"), required=False, min_value=1, max_value=1000)
    patience = forms.IntegerField(
        label=_("Stop after so many epochs without a better validation"),
        required=False,
        min_value=0,
        max_value=1000,
        help_text=_("0: never."),
    )
    batch = forms.IntegerField(label=_("Pairs a step"), required=False, min_value=1, max_value=1024)
    learning_rate = forms.FloatField(label=_("Learning rate"), required=False, min_value=0, widget=_ANY)
    dropouts = forms.CharField(
        label=_("Dropouts to choose from"),
        required=False,
        max_length=100,
        help_text=_("Such as 0, 0.1, 0.2; the best on validation is taken."),
    )
    vectors = forms.CharField(
        label=_("Word vectors"),
        required=False,
        max_length=200,
        help_text=_("random, encoder, or the name of a GloVe file in the models' directory."),
    )
    dimensions = forms.IntegerField(
        label=_("Dimensions of the word vectors"), required=False, min_value=1, max_value=4096
    )
    hypothesis_only = forms.BooleanField(label=_("By the hypothesis alone"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fields: Any = self.fields
        fields["network"].choices = [(key, offer.title) for key, offer in labelling_networks().items()]

    def clean_dropouts(self) -> list[float]:
        return numbers(float, self.cleaned_data["dropouts"])

    def training(self) -> dict[str, Any]:
        """What a training is started with."""
        names = ("epochs", "patience", "batch", "learning_rate", "dropouts", "vectors", "dimensions")
        given = {name: self.cleaned_data[name] for name in names}
        options = {name: value for name, value in given.items() if value not in (None, "", [])}
        if self.cleaned_data["hypothesis_only"]:
            options["hypothesis_only"] = True
        return {
            "options": options,
            **{name: self.cleaned_data[name] for name in ("network", "small", "seeds")},
        }


#: What a training's options are called that the form doesn't ask for.
_NOT_ASKED = {
    "optimizer": _("Optimizer"),
    "warmup": _("Warm-up (share of the steps)"),
    "clip": _("Largest norm of a gradient"),
    "precision": _("Precision while learning"),
    "threads": _("Threads"),
}


def options_told(options: Mapping[str, Any]) -> list[tuple[Any, Any]]:
    """A training's options but its network and sizes, each with its title."""
    titles = {name: field.label for name, field in NetworkForm.base_fields.items()} | _NOT_ASKED
    return [
        (titles.get(name, name), ", ".join(map(str, value)) if isinstance(value, list) else value)
        for name, value in options.items()
        if name not in ("network", "sizes")
    ]


class TrainForm(NetworkForm):
    name = forms.CharField(label=_("Name"), max_length=200)
    field_order = ("name",)


class CurveForm(MixForm, NetworkForm):
    """Both, and what varies."""

    name = forms.CharField(label=_("Name"), max_length=150)
    varied = forms.ChoiceField(
        label=_("Rows that are added"), help_text=_("The machine-made pairs, in MED's Figure 2.")
    )
    sizes = forms.CharField(
        label=_("Sizes of one direction"), initial="50, 100, 200, 500, 1000, 2000, 5000", required=False
    )
    directions = forms.MultipleChoiceField(
        label=_("Directions"),
        choices=[("upward", _("upward")), ("downward", _("downward"))],
        initial=["upward", "downward"],
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    ratios = forms.CharField(
        label=_("Upward shares"), initial="0, 0.2, 0.4, 0.6, 0.8, 1", required=False, max_length=200
    )
    ratio_size = forms.IntegerField(label=_("Size of these"), initial=5000, required=False, min_value=2)

    def __init__(self, *args: Any, study: Study, **kwargs: Any) -> None:
        super().__init__(*args, study=study, **kwargs)
        fields: Any = self.fields
        fields["varied"].choices = choices_of(study)
        fields["test"].required = True
        del fields["size"]
        fields["seeds"].initial = 3

    def clean_sizes(self) -> list[int]:
        return numbers(int, self.cleaned_data["sizes"])

    def clean_ratios(self) -> list[float]:
        return numbers(float, self.cleaned_data["ratios"])

    def curve(self) -> dict[str, Any]:
        """What a learning curve is started with."""
        names = ("name", "varied", "sizes", "directions", "ratios", "ratio_size")
        return {
            "spec": self.spec(),
            **{name: self.cleaned_data[name] for name in names},
            **self.training(),
        }
