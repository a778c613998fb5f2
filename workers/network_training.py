"""The job that trains a network: run after run, epoch after epoch, each stored as it comes.

The cursor says how many epochs of which run are stored. What a chunk leaves in memory (network, optimiser,
the place in the epoch) the next goes on with; a process that comes new to the job begins at the last
epoch's checkpoint, which gives the same weights (workers/networks/trainer.py).
"""

from __future__ import annotations

import platform
import shutil
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from apps.datasets.labels import LABEL_SETS
from apps.inference import trainings
from apps.inference.folders import missing_libraries
from apps.inference.training_models import Training
from apps.inference.training_sets import rows_of
from apps.jobs.kinds import Chunk, JobDelayed, JobError
from apps.jobs.models import Job

if TYPE_CHECKING:
    from workers.networks.options import Options
    from workers.networks.trainer import Material, Trained

# A chunk ends after so many seconds, so that a cancel is come to.
SLICE_SECONDS = 2.0


@dataclass
class Going:
    """A run that this process is in the middle of."""

    claim: str
    cursor: int
    steps: Iterator[Any]


class TrainNetwork:
    """See above. ``done`` and ``total`` count epochs; those that convergence spares count as done."""

    def __init__(self) -> None:
        self._going: Going | None = None
        # One material at a time, read by one reader: that of the training that is gone on with.
        self._prepared: tuple[str, Any] | None = None

    def total(self, job: Job) -> int:
        training = training_of(job)
        return trainings.runs_wanted(training) * int(training.options["epochs"])

    def work(self, job: Job) -> Chunk | None:
        if missing := [name for name in missing_libraries() if name != "transformers"]:
            raise JobDelayed(
                _("The worker cannot train networks: %(names)s not installed (“make neural”).")
                % {"names": ", ".join(missing)}
            )
        training = training_of(job)
        run, epochs_done = divmod(job.cursor, int(training.options["epochs"]) + 1)
        if run >= trainings.runs_wanted(training):
            self._going = self._prepared = None
            return None
        if self._going is None or (self._going.claim, self._going.cursor) != (job.claim, job.cursor):
            steps = self._steps(training, run, epochs_done, job.claim)
            self._going = Going(job.claim, job.cursor, steps)
        try:
            told = self._slice(self._going.steps, epochs_done)
        except (
            ValueError
        ) as error:  # sizes that don't fit each other, vectors or an encoder that are not there
            self._going = None
            raise JobError(str(error)) from error
        if told is None:
            return Chunk(job.cursor, 0, None)
        chunk = self._chunk(training, run, job.cursor, told)
        if chunk.next_cursor % (int(training.options["epochs"]) + 1):
            self._going.cursor = chunk.next_cursor
        else:  # the run is over
            self._going = None
        return chunk

    def _slice(self, steps: Iterator[Any], epochs_done: int) -> Any:
        """Go on for a while, or to the next epoch's end that is not stored yet."""
        until = time.monotonic() + SLICE_SECONDS
        for told in steps:
            if told is not None and getattr(told, "number", epochs_done + 1) > epochs_done:
                return told
            if time.monotonic() > until:
                return None
        raise RuntimeError("a run ended without a word")

    def _steps(self, training: Training, run: int, epochs_done: int, claim: str) -> Iterator[Any]:
        """None after each step, an epoch at its end (it has a ``number``), at last what the run came to."""
        from workers.networks import trainer

        seed, options = _run_options(training, run)
        if self._prepared is None or self._prepared[0] != claim:
            self._prepared = None
            for prepared in trainer.prepare(_material(training), options):
                if prepared is None:
                    yield None
                else:
                    self._prepared = (claim, prepared)
        assert self._prepared is not None
        place = place_of(training) / f"run-{run}"
        yield from trainer.train(self._prepared[1], options, seed, place, epochs_done=epochs_done)

    def _chunk(self, training: Training, run: int, cursor: int, told: Any) -> Chunk:
        if hasattr(told, "number"):
            return Chunk(cursor + 1, 1, (run, asdict(told)))
        end = self._end(training, run, told)
        epochs = int(training.options["epochs"])
        return Chunk((run + 1) * (epochs + 1), epochs - len(told.epochs), (run, end))

    def _end(self, training: Training, run: int, told: Any) -> dict[str, Any]:
        """What is stored of a run that is over."""
        seed, options = _run_options(training, run)
        fingerprint = ""
        if training.keeps and self._prepared is not None:
            from workers.networks.saved import network_save

            fingerprint = network_save(
                options=options,
                labels=self._prepared[1].material.labels,
                reader=self._prepared[1].reader,
                weights=told.weights,
                card=card(training, run, told, options, seed),
            )
        return {
            "seed": seed,
            "dropout": options.sizes.get("dropout") if options.dropouts else None,
            "best_epoch": told.best,
            "validation_accuracy": told.validation_accuracy,
            "scores": told.scores,
            "parameters": told.parameters,
            "seconds": round(sum(epoch.seconds for epoch in told.epochs), 3),
            "fingerprint": fingerprint,
            "made_by": made_by(),
        }

    def store(self, job: Job, chunk: Chunk) -> None:
        if chunk.payload is None:
            return
        run, told = chunk.payload
        if "number" in told:
            trainings.epoch_store(training=training_of(job), run=run, **told)
        else:
            trainings.run_store(training=training_of(job), run=run, **told)

    def finish(self, job: Job) -> dict[str, Any]:
        training = training_of(job)
        best = trainings.best_run(trainings.final_runs(training, list(training.runs.all())))
        told: dict[str, Any] = {}
        if training.keeps and best is not None:
            from workers.networks.saved import card_of

            told = card_of(best.fingerprint)
        labels = list(LABEL_SETS.get(training.training_set.spec["labels"], ()))
        try:
            result = trainings.training_finish(training=training, labels=labels, card=told)
        except ValidationError as error:
            raise JobError("; ".join(error.messages)) from error
        place = place_of(training)
        transaction.on_commit(lambda: shutil.rmtree(place, ignore_errors=True))
        return result


def card(training: Training, run: int, told: Trained, options: Options, seed: int) -> dict[str, Any]:
    """What is told of a run beside its weights."""
    training_set = training.training_set
    return {
        "training": training.name,
        "training set": training_set.name,
        "training set's fingerprint": training_set.fingerprint,
        "training set's counts": training_set.counts,
        "overlap with the test part": training_set.overlap,
        "runs": trainings.runs_wanted(training),
        **run_card(told, options, seed),
    }


def run_card(told: Trained, options: Options, seed: int) -> dict[str, Any]:
    """What a run tells of itself, whatever it was trained on."""
    from workers.networks import NETWORKS

    kind = NETWORKS[options.network]
    return {
        "network": kind.title,
        "paper": kind.paper,
        "options": options.stored(),
        "seed": seed,
        "best epoch": told.best,
        "validation accuracy": told.validation_accuracy,
        "test": told.scores,
        "curves": [asdict(epoch) for epoch in told.epochs],
        "parameters": told.parameters,
        "seconds": round(sum(epoch.seconds for epoch in told.epochs), 3),
        **made_by(),
        "threads": options.threads,
    }


def made_by() -> dict[str, Any]:
    """The versions of what trains here, and the machine."""
    import torch

    import natlog

    versions = {"natlog": natlog.VERSION, "torch": torch.__version__, "python": platform.python_version()}
    return {"versions": versions, "machine": _machine()}


def _machine() -> str:
    import torch

    if torch.cuda.is_available():
        return str(torch.cuda.get_device_name())
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def _run_options(training: Training, run: int) -> tuple[int, Options]:
    from workers.networks.options import Options

    seed, dropout = trainings.run_plan(training, run)
    options = Options.from_stored(training.options)
    if dropout is not None:
        options = replace(options, sizes={**options.sizes, "dropout": dropout})
    return seed, options


def _material(training: Training) -> Material:
    from workers.networks.trainer import Material, Row

    try:
        parts = rows_of(training.training_set)
    except ValueError as error:
        raise JobError(str(error)) from error
    rows = {
        name: tuple(Row(r.premise, r.hypothesis, r.label, r.direction, r.source) for r in part)
        for name, part in parts.items()
    }
    return Material(LABEL_SETS[training.training_set.spec["labels"]], **rows)


def training_of(job: Job) -> Training:
    found = Training.objects.select_related("training_set", "study").filter(pk=job.params["training"]).first()
    if found is None:
        raise JobError(_("The training is not there any more."))
    return found


def place_of(training: Training) -> Path:
    """Where its checkpoints are."""
    return Path(settings.VAR_DIR) / "trainings" / str(training.pk)
