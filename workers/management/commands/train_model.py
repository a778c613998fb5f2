"""Train the learnt classifier and register it in a study."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.datasets.models import Dataset
from apps.inference.learnt_files import weights_save
from apps.inference.services import model_register_learnt
from apps.studies.access import within
from apps.studies.models import Study
from workers import training


class Command(BaseCommand):
    help = (
        "Train a classifier on overlap, negation, length and edit features and register it in STUDY as NAME. "
        "FILE is MNLI-style TSV, JSON lines or SICK; with TRAIN and TEST parts it is trained on the one and "
        "reported on the other, else one pair in five is held out."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="the study's address (slug)")
        parser.add_argument("name", help="what to call the model")
        parser.add_argument("file", nargs="?", type=Path, help="a pair file")
        parser.add_argument("--dataset", help="a dataset of the study, instead of a file")

    def handle(self, *args: Any, **options: Any) -> None:
        study = Study.objects.filter(slug=options["study"]).first()
        if study is None:
            raise CommandError(f"There is no study at “{options['study']}”.")
        if bool(options["file"]) == bool(options["dataset"]):
            raise CommandError("Give either a FILE or --dataset NAME.")
        try:
            trained = training.train(self._material(study, options["file"], options["dataset"]))
            fingerprint = weights_save(trained.weights)
            model = model_register_learnt(
                study=study, actor=None, name=options["name"], fingerprint=fingerprint
            )
        except training.TrainingError as error:
            raise CommandError(str(error)) from error
        except ValidationError as error:
            raise CommandError("; ".join(error.messages)) from error
        told = trained.weights.training
        self.stdout.write(f"{model.name}: {told['pairs']} pairs of {told['source']} ({told['split']})")
        self.stdout.write(f"tested on {told['tested on']} pairs")
        lines = [("two-way", trained.two_way, trained.baselines[0])]
        if len(trained.weights.labels) > 2:
            lines.append((f"{len(trained.weights.labels)}-way", trained.full, trained.baselines[1]))
        for name, value, baseline in lines:
            self.stdout.write(
                f"  {name:8} {100 * value:5.1f} %   (most frequent label {100 * baseline:.1f} %)"
            )
        self.stdout.write(f"fingerprint {fingerprint}")

    def _material(self, study: Study, file: Path | None, name: str | None) -> training.Material:
        if file is not None:
            return training.material_from_file(file)
        dataset = within(Dataset, study).filter(name=name).first()
        if dataset is None:
            raise CommandError(f"The study has no dataset “{name}”.")
        return training.material_from_dataset(dataset)
