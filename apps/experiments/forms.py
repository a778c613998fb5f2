"""What a researcher chooses about an experiment."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from apps.experiments.models import Experiment
from apps.experiments.protocols import Protocol
from apps.inference import training_sources
from apps.studies.models import Study


class ExperimentForm(forms.Form):
    """A protocol's size, and what of the study plays its roles."""

    name = forms.CharField(label=_("Name"), max_length=150)
    preset = forms.ChoiceField(
        label=_("Size"), choices=Experiment.Preset.choices, widget=forms.RadioSelect, initial="smoke"
    )
    keeps = forms.BooleanField(
        label=_("Keep the networks of the first seed as models of the study"),
        required=False,
        help_text=_("They can then be run on any dataset."),
    )

    def __init__(self, *args: Any, study: Study, protocol: Protocol, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._roles = protocol.roles
        sources = training_sources.choices_of(study)
        for role in protocol.roles:
            self.fields[f"role_{role}"] = forms.ChoiceField(
                label=_("In the place of “%(role)s”") % {"role": role}, choices=sources
            )
        self.order_fields(["name", "preset", *(f"role_{role}" for role in protocol.roles), "keeps"])

    def asked(self) -> dict[str, Any]:
        """What :func:`apps.experiments.services.experiment_start` takes."""
        data = self.cleaned_data
        return {
            "name": data["name"],
            "preset": data["preset"],
            "keeps": data["keeps"],
            "roles": {role: data[f"role_{role}"] for role in self._roles},
        }


class AnswersForm(forms.Form):
    """Answers from elsewhere to a split's tests."""

    split = forms.ChoiceField(label=_("Split"))
    contestant = forms.CharField(label=_("Name of the model"), max_length=80)
    seed = forms.IntegerField(label=_("Seed"), initial=1, min_value=1, max_value=2**31 - 1)
    file = forms.FileField(
        label=_("File"), help_text=_("CSV or JSON lines: “id” as in test.jsonl, and “label”; every row once.")
    )

    def __init__(self, *args: Any, experiment: Experiment, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        splits: Any = self.fields["split"]
        splits.choices = [
            (split.pk, split.training + (f", {split.seed}" if split.seed else ""))
            for split in experiment.splits.all()
        ]
