"""The job that trains a network that writes meanings, and scores what it writes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from apps.inference import trainings
from apps.inference.meanings import MeaningsScored, meanings_scored
from apps.inference.mixing import Row
from apps.inference.training_models import Training
from apps.inference.training_sets import rows_of
from apps.jobs.kinds import Chunk, JobError
from workers.network_training import TrainNetwork, made_by, place_of

if TYPE_CHECKING:
    from workers.networks.sequences.options import SequenceOptions
    from workers.networks.sequences.trainer import SequenceEpoch, SequenceTrained


@dataclass(frozen=True)
class Written:
    """The end of a run: what was trained, and what its meanings of the test part come to."""

    trained: SequenceTrained
    scored: MeaningsScored

    @property
    def epochs(self) -> Sequence[SequenceEpoch]:
        return self.trained.epochs


class TrainWriter(TrainNetwork):
    """A run as :class:`workers.network_training.TrainNetwork` stores it, epoch by epoch."""

    def _steps(self, training: Training, run: int, epochs_done: int, claim: str) -> Iterator[Any]:
        from workers.networks.sequences.trainer import SequenceTrained, prepare, train

        seed, options = _plan(training, run)
        rows = _rows(training, options.form)
        if self._prepared is None or self._prepared[0] != claim:
            self._prepared = (claim, prepare(_material(options.form, rows)))
        place = place_of(training) / f"run-{run}"
        for told in train(self._prepared[1], options, seed, place, epochs_done=epochs_done):
            if not isinstance(told, SequenceTrained):
                yield told
                continue
            said = zip(rows["test"], told.said, strict=True)
            for scored in meanings_scored(said, training.training_set.spec["measures"]):
                yield Written(told, scored) if scored else None

    def _chunk(self, training: Training, run: int, cursor: int, told: Any) -> Chunk:
        chunk = super()._chunk(training, run, cursor, told)
        if "number" in chunk.payload[1]:
            chunk.payload[1].pop("validation_loss")
        return chunk

    def _end(self, training: Training, run: int, told: Written) -> dict[str, Any]:
        seed, options = _plan(training, run)
        trained, fingerprint = told.trained, ""
        if training.keeps and self._prepared is not None:
            from workers.networks.sequences.saved import sequence_save

            fingerprint = sequence_save(
                options=options,
                reader=self._prepared[1].reader,
                weights=trained.weights,
                card={"training": training.name, "options": options.stored(), "seed": seed, **made_by(),
                      "best epoch": trained.best, "curves": [asdict(epoch) for epoch in trained.epochs],
                      "test": told.scored.scores},
            )  # fmt: skip
        return {
            "seed": seed,
            "best_epoch": trained.best,
            "validation_accuracy": trained.validation_accuracy,
            "scores": told.scored.scores,
            "errors": told.scored.errors,
            "parameters": trained.parameters,
            "seconds": round(sum(epoch.seconds for epoch in trained.epochs), 3),
            "fingerprint": fingerprint,
            "made_by": made_by(),
        }


def _plan(training: Training, run: int) -> tuple[int, SequenceOptions]:
    from workers.networks.sequences.options import SequenceOptions

    seed, _dropout = trainings.run_plan(training, run)
    return seed, SequenceOptions(**training.options)


def _rows(training: Training, form: str) -> dict[str, list[Row]]:
    """The rows of one form."""
    try:
        parts = rows_of(training.training_set)
    except ValueError as error:
        raise JobError(str(error)) from error
    return {name: [row for row in rows if row.label == form] for name, rows in parts.items()}


def _material(form: str, parts: dict[str, list[Row]]) -> Any:
    from workers.networks.sequences.trainer import SequenceMaterial, SequenceRow

    rows = {
        name: tuple(
            SequenceRow(row.premise, row.hypothesis, row.source if name == "test" else "") for row in part
        )
        for name, part in parts.items()
    }
    return SequenceMaterial(form, **rows)
