"""The filters of the pairs' page that ask what models say."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from django.utils.choices import CallableChoiceIterator
from django.utils.formats import date_format

from apps.comparison.pairs import ComparedPairs, predicted
from apps.curation.choices import ANY
from apps.curation.conditions import MODEL, OTHER_MODEL, Runs
from apps.datasets.labels import ENTAILMENT, NON_ENTAILMENT
from apps.datasets.models import Dataset
from apps.inference.models import Run

#: The fields that say which runs these are, and what they say.
MODELS = {MODEL: "run", OTHER_MODEL: "other_run"}
_PREDICTED = {MODEL: "predicted", OTHER_MODEL: "other_predicted"}
#: The fields of however many runs that all say this.
SAYING = {"say_entailment": ENTAILMENT, "say_non_entailment": NON_ENTAILMENT}


def _named(run: Run) -> str:
    return f"{run.model.name} ({date_format(run.created_at, 'SHORT_DATETIME_FORMAT')})"


def runs_offer(fields: dict[str, Any], dataset: Dataset) -> None:
    """Offer the dataset's runs in every field; they are read once, where the form is shown."""
    there = Run.objects.filter(dataset=dataset).select_related("model", "dataset")
    names = cache(lambda: [(run.pk, _named(run)) for run in there])
    for field in (*MODELS.values(), *SAYING):
        fields[field].queryset = there
    for field in MODELS.values():
        fields[field].widget.choices = CallableChoiceIterator(lambda: [ANY, *names()])
    for field in SAYING:
        fields[field].widget.choices = CallableChoiceIterator(names)


def runs_of(chosen: Mapping[str, Any]) -> Runs:
    """The two runs that other filters may name."""
    return {model: chosen[field] for model, field in MODELS.items() if chosen[field]}


def runs_read(chosen: Mapping[str, Any]) -> list[Run]:
    """Every run that some filter reads."""
    several = (run for field in SAYING for run in chosen[field])
    return list(dict.fromkeys([*runs_of(chosen).values(), *several]))


def said_by_models(found: ComparedPairs, chosen: Mapping[str, Any]) -> ComparedPairs:
    """Of the pairs, with a column of each run that is read, those of which the models say what is chosen."""
    for model, run in runs_of(chosen).items():
        if label := chosen[_PREDICTED[model]]:
            found = found.filter(**{predicted(run): label})
    for field, label in SAYING.items():
        for run in chosen[field]:
            found = found.filter(**{predicted(run): label})
    return found
