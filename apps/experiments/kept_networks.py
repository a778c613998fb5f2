"""The networks that an experiment keeps: models of the study like any other, run on its datasets."""

from __future__ import annotations

from collections.abc import Iterable

from django.core.exceptions import ValidationError

from apps.datasets.models import Dataset
from apps.experiments.models import Experiment
from apps.experiments.services import protocol_of
from apps.inference import services, training_sources
from apps.inference.models import Model, Run
from apps.inference.training_models import Training


def run_on_datasets(training: Training) -> None:
    """Once a network of an experiment has become a model, have it predict the study's datasets that its
    protocol tests it on, so that the dashboard reads it there as it reads any model. One whose labels are
    not the network's is left out."""
    cell = training.cells.select_related("split__experiment__study").first()
    if cell is None or training.model is None:
        return
    experiment = cell.split.experiment
    for dataset in datasets_tested(experiment, cell.split.training):
        try:
            services.run_start(model=training.model, dataset=dataset, actor=training.created_by)
        except ValidationError:
            continue


def datasets_tested(experiment: Experiment, training: str) -> list[Dataset]:
    """The study's datasets that play a role in what a training is tested on."""
    protocol, roles = protocol_of(experiment), experiment.spec["roles"]
    asked = [
        protocol.sets[selection.set].role for test in protocol.tests_after(training) for selection in test.on
    ]
    found = (training_sources.dataset_of(experiment.study, roles[role]["source"]) for role in asked if role)
    return list({dataset.pk: dataset for dataset in found if dataset}.values())


def runs_of(models: Iterable[Model]) -> dict[int, list[Run]]:
    """The current runs of models, by the model's number. One query."""
    runs: dict[int, list[Run]] = {}
    found = Run.objects.filter(model__in=[model.pk for model in models], is_current=True)
    for run in found.select_related("dataset", "job").order_by("pk"):
        runs.setdefault(run.model_id, []).append(run)
    return runs
