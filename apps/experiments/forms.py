"""What a researcher chooses about an experiment."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from apps.experiments.models import Experiment
from apps.experiments.own_protocols import LARGEST_FILE
from apps.experiments.plans import Protocol
from apps.experiments.results import title_of
from apps.inference import training_sources
from apps.studies.models import Study


class ExperimentForm(forms.Form):
    """A protocol's size, and what of the study plays its roles."""

    name = forms.CharField(label=_("Name"), max_length=150)
    preset = forms.ChoiceField(
        label=_("Size"), choices=Experiment.Preset.choices, widget=forms.RadioSelect, initial="smoke"
    )
    networks = forms.MultipleChoiceField(
        label=_("Networks"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("None chosen: all that the size has."),
    )
    keeps = forms.BooleanField(
        label=_("Keep the trained networks as models of the study"),
        required=False,
        help_text=_(
            "They can then be run on any dataset; on those that the protocol tests, they are at once."
        ),
    )

    def __init__(self, *args: Any, study: Study, protocol: Protocol, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        sizes: Any = self.fields["preset"]
        sizes.choices = [each for each in Experiment.Preset.choices if each[0] in protocol.presets]
        sizes.initial = sizes.choices[0][0]
        learning: Any = self.fields["networks"]
        every: dict[str, list[str]] = {}
        for size, preset in protocol.presets.items():
            for name in preset.contestants:
                every.setdefault(name, []).append(size)
        learning.choices = [(name, f"{title_of(name)} ({', '.join(own)})") for name, own in every.items()]
        self._roles = protocol.roles
        sources = training_sources.choices_of(study)
        for role in protocol.roles:
            self.fields[f"role_{role}"] = forms.ChoiceField(
                label=_("In the place of “%(role)s”") % {"role": role}, choices=[("", _("choose")), *sources]
            )
        self.order_fields(["name", "preset", *(f"role_{role}" for role in protocol.roles)])

    def asked(self) -> dict[str, Any]:
        """What :func:`apps.experiments.services.experiment_start` takes."""
        data = self.cleaned_data
        return {
            "name": data["name"],
            "preset": data["preset"],
            "networks": data["networks"],
            "keeps": data["keeps"],
            "roles": {role: data[f"role_{role}"] for role in self._roles},
        }


class ProtocolForm(forms.Form):
    """A researcher's own protocol."""

    file = forms.FileField(label=_("File"), help_text=_("TOML, at most 256 KB."))
    name = forms.CharField(
        label=_("Name"),
        max_length=80,
        required=False,
        help_text=_("Empty: the file's. Small letters, digits, - and _."),
    )

    def asked(self) -> dict[str, Any]:
        """What :func:`apps.experiments.own_protocols.protocol_add` takes."""
        file = self.cleaned_data["file"]
        name = self.cleaned_data["name"] or file.name.removesuffix(".toml").lower()
        return {"name": name, "data": file.read(LARGEST_FILE + 1)}


class AnswersForm(forms.Form):
    """Answers from elsewhere to a split's tests."""

    split = forms.ChoiceField(label=_("Split"))
    contestant = forms.CharField(label=_("Name of the model"), max_length=80)
    seed = forms.IntegerField(label=_("Seed"), initial=1, min_value=1, max_value=2**31 - 1)
    file = forms.FileField(
        label=_("File"),
        help_text=_(
            "CSV or JSON lines: “id” as in test.jsonl, and “label”, or “meaning” of one form; every row that "
            "has one, once."
        ),
    )

    def __init__(self, *args: Any, experiment: Experiment, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        splits: Any = self.fields["split"]
        seed = _("seed")
        splits.choices = [
            (split.pk, split.training + (f", {seed} {split.seed}" if split.seed else ""))
            for split in experiment.splits.all()
        ]
