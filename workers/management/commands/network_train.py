"""Train a network on a pair file, a dataset or a training set, and register it in a study."""

from __future__ import annotations

import hashlib
import json
import shutil
from argparse import BooleanOptionalAction
from pathlib import Path
from statistics import mean, stdev
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.datasets.labels import LABEL_SETS, TWO_WAY
from apps.datasets.models import Dataset
from apps.inference.folders import missing_libraries
from apps.inference.labels import fitted
from apps.inference.mixing import Mixed, MixingError, Mixture, Portion, Row, mix
from apps.inference.models import Model, TrainingSet
from apps.inference.training_sets import rows_of
from apps.inference.trainings import model_register_network
from apps.studies.access import within
from apps.studies.models import Study
from workers import training as classifier
from workers.networks import NETWORKS

if TYPE_CHECKING:
    from workers.networks.options import Options
    from workers.networks.trainer import Material, Prepared, Trained


class Command(BaseCommand):
    help = (
        "Train NETWORK on FILE (MNLI-style TSV, JSON lines or SICK), --dataset or --training-set, and "
        "register the best run on validation in STUDY as NAME. A file's TRAIN part is trained on and its "
        "TEST part reported on; without parts one pair in five is held out for that. One pair in ten of what "
        "is trained on is the validation part. Broken off and started again, it goes on at the last epoch."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("study", help="the study's address (slug)")
        parser.add_argument("name", help="what to call the model")
        parser.add_argument("network", choices=sorted(NETWORKS), metavar="NETWORK", help=", ".join(NETWORKS))
        parser.add_argument("file", nargs="?", type=Path, help="a pair file")
        parser.add_argument("--dataset", help="a dataset of the study, instead of a file")
        parser.add_argument("--training-set", help="a training set of the study, instead of a file")
        parser.add_argument("--labels", default=TWO_WAY, choices=list(LABEL_SETS))
        parser.add_argument("--seeds", type=int, default=1, help="runs, with the seeds 1, 2 …")
        parser.add_argument("--size", type=int, help="so many rows of the file or dataset, drawn by seed 1")
        parser.add_argument(
            "--small", action=BooleanOptionalAction, default=True, help="sizes for two processor cores"
        )
        parser.add_argument(
            "--set", action="append", default=[], metavar="OPTION=JSON", dest="options",
            help="an option of the training, such as epochs=5, learning_rate=0.001, sizes={\"hidden\":50}",
        )  # fmt: skip

    def handle(self, *args: Any, **chosen: Any) -> None:
        if missing := [name for name in missing_libraries() if name != "transformers"]:
            raise CommandError(f"{', '.join(missing)} not installed: run “make neural” first.")
        from workers.networks.options import OptionError, Options

        study = Study.objects.filter(slug=chosen["study"]).first()
        if study is None:
            raise CommandError(f"There is no study at “{chosen['study']}”.")
        if Model.objects.filter(study=study, name=chosen["name"]).exists():
            raise CommandError(f"The study has a model “{chosen['name']}” already.")
        if not 1 <= chosen["seeds"] <= 20:
            raise CommandError("--seeds is a number from 1 to 20.")
        try:
            options = Options.of(chosen["network"], _given(chosen["options"]), small=chosen["small"])
            material, source = _material(study, chosen)
        except (OptionError, classifier.TrainingError, MixingError, ValueError) as error:
            raise CommandError(str(error)) from error
        if options.dropouts:
            raise CommandError("Dropouts are searched by a training on the pages or through the API.")
        self.stdout.write(
            f"{len(material.train)} pairs to train on, {len(material.validation)} for validation, "
            f"{len(material.test)} to report on ({source})"
        )
        try:
            ends = self._train(material, options, chosen["seeds"], source)
        except ValueError as error:  # sizes that don't fit each other, an encoder that is not here
            raise CommandError(str(error)) from error
        self._tell(material, [told for told, _seed, _fingerprint in ends])
        best = max(ends, key=lambda end: (end[0].validation_accuracy or 0.0, -end[1]))
        from workers.networks.saved import card_of

        try:
            model = model_register_network(
                study=study,
                actor=None,
                name=chosen["name"],
                network=chosen["network"],
                labels=list(material.labels),
                fingerprint=best[2],
                card=card_of(best[2]),
            )
        except ValidationError as error:
            raise CommandError("; ".join(error.messages)) from error
        self.stdout.write(f"{model.name}: seed {best[1]}, fingerprint {best[2]}")

    def _train(
        self, material: Material, options: Options, seeds: int, source: str
    ) -> list[tuple[Trained, int, str]]:
        """Each seed's end with its fingerprint."""
        from workers.network_training import run_card
        from workers.networks import trainer
        from workers.networks.saved import network_save

        prepared: Prepared = next(filter(None, trainer.prepare(material, options)))
        place = Path(settings.VAR_DIR) / "trainings" / _digest(material, options)
        ends = []
        for seed in range(1, seeds + 1):
            run = place / f"seed-{seed}"
            done = max((int(folder.name.partition("-")[2]) for folder in run.glob("epoch-*")), default=0)
            for told in trainer.train(prepared, options, seed, run, epochs_done=done):
                if isinstance(told, trainer.Epoch):
                    self._tell_epoch(seed, told)
                elif told is not None:
                    fingerprint = network_save(
                        options=options,
                        labels=material.labels,
                        reader=prepared.reader,
                        weights=told.weights,
                        card={"training set": source, **run_card(told, options, seed)},
                    )
                    ends.append((told, seed, fingerprint))
        shutil.rmtree(place, ignore_errors=True)
        return ends

    def _tell_epoch(self, seed: int, told: Any) -> None:
        share = told.validation_accuracy
        validation = "–" if share is None else f"{100 * share:.1f} %"
        self.stdout.write(
            f"seed {seed}, epoch {told.number}: loss {told.loss:.4f}, "
            f"train {100 * told.train_accuracy:.1f} %, validation {validation}, {told.seconds:.0f} s"
        )
        self.stdout.flush()

    def _tell(self, material: Material, ends: list[Trained]) -> None:
        """Accuracy on what is reported on: mean ± sd of the seeds, beside the most frequent label."""
        self.stdout.write(f"{'':24}{'all':>14}{'upward':>14}{'downward':>14}{'non-monotone':>14}")
        for source in dict.fromkeys(row.source for row in material.test):
            cells = []
            for way in ("all", "upward", "downward", "non-monotone"):
                counts = [end.scores.get(source, {}).get(way) for end in ends]
                shares = [100 * right / pairs for right, pairs in filter(None, counts)]
                sd = f" ± {stdev(shares):.1f}" if len(shares) > 1 else ""
                cells.append(f"{mean(shares):.1f}{sd}" if shares else "–")
            self.stdout.write(f"{source[:23]:24}" + "".join(f"{cell:>14}" for cell in cells))
        if material.test:
            train = [row.label for row in material.train]
            usual = max(material.labels, key=train.count)
            share = 100 * sum(row.label == usual for row in material.test) / len(material.test)
            self.stdout.write(f"{'most frequent label':24}{f'{share:.1f}':>14}")


def _given(pairs: list[str]) -> dict[str, Any]:
    """Options as they were typed: JSON, or else a text."""
    found = {}
    for pair in pairs:
        name, _equals, value = pair.partition("=")
        try:
            found[name] = json.loads(value)
        except ValueError:
            found[name] = value
    return found


def _material(study: Study, chosen: dict[str, Any]) -> tuple[Material, str]:
    """The rows of each part, and what they are called."""
    from workers.networks import trainer

    if sum(bool(chosen[name]) for name in ("file", "dataset", "training_set")) != 1:
        raise CommandError("Give one of FILE, --dataset NAME and --training-set NAME.")
    if chosen["training_set"]:
        training_set = TrainingSet.objects.filter(study=study, name=chosen["training_set"]).first()
        if training_set is None:
            raise CommandError(f"The study has no training set “{chosen['training_set']}”.")
        parts, name = rows_of(training_set), training_set.name
        labels = LABEL_SETS[training_set.spec["labels"]]
    else:
        labels = LABEL_SETS[chosen["labels"]]
        parts, name = _mixed(study, chosen, labels).rows, chosen["dataset"] or chosen["file"].name
    rows = {part: tuple(trainer.Row(*row) for row in found) for part, found in parts.items()}
    return trainer.Material(labels, **rows), name


def _mixed(study: Study, chosen: dict[str, Any], labels: tuple[str, ...]) -> Mixed:
    if chosen["file"] is not None:
        found = classifier.material_from_file(chosen["file"])
    else:
        dataset = within(Dataset, study).filter(name=chosen["dataset"]).first()
        if dataset is None:
            raise CommandError(f"The study has no dataset “{chosen['dataset']}”.")
        found = classifier.material_from_dataset(dataset)
    parts = [
        [Row(one.premise, one.hypothesis, fitted(one.label, labels), "", found.source) for one in part]
        for part in (found.train, found.test)
    ]
    portion = Portion(found.source, count=chosen["size"])
    return mix(Mixture((portion,), labels=chosen["labels"]), parts[:1], test=parts[1])


def _digest(material: Material, options: Options) -> str:
    """A name for what is trained, so that it is found again when it was broken off."""
    told = json.dumps([options.stored(), material.train, material.validation], ensure_ascii=False)
    return hashlib.sha256(told.encode()).hexdigest()[:16]
