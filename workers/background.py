"""The kinds of background work that need a model runtime."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from apps.campaigns.services.model_loop import REPLY_KIND
from apps.datasets.models import Dataset, Pair
from apps.inference.folder_models import FOLDER_KIND, folder_checked, folder_register
from apps.inference.folders import folder_fingerprint
from apps.inference.hub import HUB_KIND
from apps.inference.labels import LabelError, fitted
from apps.inference.learnt_files import Weights, weights_save
from apps.inference.models import Model, Prediction, Run
from apps.inference.pairs_left import RUN_KIND, pairs_left
from apps.inference.services import HYPOTHESIS_KIND, TRAIN_KIND, model_register_learnt
from apps.inference.trainings import NETWORK_KIND, WRITER_KIND
from apps.inference.trying import PAIR_KIND, SENTENCE_KIND
from apps.jobs import signs_of_life
from apps.jobs.kinds import Chunk, Failure, JobDelayed, JobError, register
from apps.jobs.models import Job
from apps.jobs.signs_of_life import heartbeat
from workers import hypothesis_training, training
from workers.hub import FetchModel
from workers.model_loop import ReplyOfModel
from workers.network_training import TrainNetwork
from workers.runtimes import Output, Pending, Runtime, Stopped, Unavailable, runtime_for
from workers.smoke import smoke_test
from workers.training import Material, TrainingError, material_from_dataset
from workers.trying import TryPair, TrySentence
from workers.writer_training import TrainWriter


class RunModel:
    """Predict the pairs of a run's dataset that it has no prediction of, in the order of their numbers; the
    cursor is the last that was come to."""

    items_a_chunk = 1000  # what the quickest runtime takes; each has its own

    def total(self, job: Job) -> int:
        return pairs_left(Run.objects.get(pk=job.params["run"])).count()

    def work(self, job: Job) -> Chunk | None:
        run = Run.objects.select_related("model", "dataset").get(pk=job.params["run"])
        if run.fingerprint != run.model.fingerprint:
            raise JobError(_("The model is not the one that this run was started with."))
        if run.job_id not in (None, job.pk):
            raise JobError(_("Another job goes on with this run."))
        try:
            runtime = runtime_for(run.model, run)
        except Unavailable as reason:
            raise JobDelayed(str(reason)) from reason
        pairs = self._next(run, job, job.at_most(runtime.chunk))
        if not pairs:
            return None
        signs_of_life.item_begins(len(pairs))
        try:
            outputs = _said(runtime, pairs)
        except Unavailable as reason:
            raise JobDelayed(str(reason)) from reason
        except Stopped as stopped:  # the next chunk ends the job with the reason
            if not stopped.outputs:
                raise JobError(str(stopped)) from stopped
            pairs = pairs[: len(stopped.outputs)]
            outputs = list(zip(pairs, stopped.outputs, strict=True))
        try:
            predictions = [
                Prediction(
                    run=run,
                    pair=pair,
                    label=fitted(output.label, run.dataset.labels),
                    scores={label: round(score, 6) for label, score in output.scores.items()},
                )
                for pair, output in outputs
                if isinstance(output, Output)
            ]
        except LabelError as error:
            raise JobError(str(error)) from error
        failures = [
            Failure(str(pair.pk), pair.hypothesis, output.reason)
            for pair, output in outputs
            if isinstance(output, Pending)
        ]
        return Chunk(pairs[-1].pk, len(pairs), predictions, failures)

    def skipped(self, job: Job, why: str) -> Chunk | None:
        run = Run.objects.select_related("dataset").get(pk=job.params["run"])
        for pair in self._next(run, job, 1):
            return Chunk(pair.pk, 1, [], [Failure(str(pair.pk), pair.hypothesis, why)])
        return None

    @staticmethod
    def _next(run: Run, job: Job, count: int) -> list[Pair]:
        return list(pairs_left(run, after=job.cursor).prefetch_related("premises")[:count])

    def store(self, job: Job, chunk: Chunk) -> None:
        Prediction.objects.bulk_create(chunk.payload, ignore_conflicts=True)

    def finish(self, job: Job) -> dict[str, Any]:
        run = Run.objects.get(pk=job.params["run"])
        left = pairs_left(run).count()
        return {"predictions": run.predictions.count(), **({"left pending": left} if left else {})}


def _said(runtime: Runtime, pairs: list[Pair]) -> list[tuple[Pair, Output | Pending]]:
    """What the model says of each pair. One that reads one premise alone is not asked about several."""
    taken = pairs
    if getattr(runtime, "one_premise", False):
        taken = [pair for pair in pairs if len(pair.premises.all()) == 1]
    outputs = runtime.predict([(pair.premise, pair.hypothesis) for pair in taken])
    said = {pair.pk: output for pair, output in zip(taken, outputs, strict=True)}
    several = Pending(_("This model takes pairs of one premise."))
    return [(pair, said.get(pair.pk, several)) for pair in pairs]


class TrainModel:
    """Train a classifier on a dataset (seconds, so one chunk) and register it. ``make`` trains it, ``kind``
    is what it is registered as."""

    def __init__(self, make: Callable[[Material], Weights], kind: str) -> None:
        self._make, self._kind = make, kind

    def total(self, job: Job) -> int:
        return 1

    def work(self, job: Job) -> Chunk | None:
        if job.cursor:
            return None
        try:
            dataset = Dataset.objects.get(pk=job.params["dataset"], study=job.study)
            return Chunk(1, 1, self._make(material_from_dataset(dataset)))
        except TrainingError as error:
            raise JobError(str(error)) from error

    def store(self, job: Job, chunk: Chunk) -> None:
        try:
            model_register_learnt(
                study=job.study,
                actor=job.created_by,
                name=job.params["name"],
                fingerprint=weights_save(chunk.payload),
                kind=self._kind,
            )
        except ValidationError as error:
            raise JobError("; ".join(error.messages)) from error

    def finish(self, job: Job) -> dict[str, Any]:
        model = Model.objects.get(study=job.study, name=job.params["name"])
        return {**model.config["training"], "model": model.pk}


class RegisterFolder:
    """Read a folder's weights for their fingerprint, try it on five plain pairs, and register it."""

    def total(self, job: Job) -> int:
        return 1

    def work(self, job: Job) -> Chunk | None:
        if job.cursor:
            return None
        kind = _kind_of(job)
        try:
            opened = folder_checked(job.params["folder"], job.params["labels"], kind)
        except ValidationError as error:
            raise JobError("; ".join(error.messages)) from error
        fingerprint = folder_fingerprint(opened.path, heartbeat(job))
        config = {"folder": job.params["folder"], "labels": list(opened.labels)}
        signs_of_life.chunk_begins()  # loading takes a time of its own
        try:
            runtime = runtime_for(Model(kind=kind, config=config, fingerprint=fingerprint))
        except Unavailable as reason:
            raise JobError(str(reason)) from reason
        return Chunk(1, 1, (fingerprint, smoke_test(runtime, opened.labels)))

    def store(self, job: Job, chunk: Chunk) -> None:
        fingerprint, tried = chunk.payload
        try:
            folder_register(
                study=job.study,
                actor=job.created_by,
                name=job.params["name"],
                folder=job.params["folder"],
                labels=job.params["labels"],
                fingerprint=fingerprint,
                smoke_test=tried,
                confirmed=job.params.get("confirmed", False),
                kind=_kind_of(job),
            )
        except ValidationError as error:
            raise JobError("; ".join(error.messages)) from error

    def finish(self, job: Job) -> dict[str, Any]:
        model = Model.objects.get(study=job.study, name=job.params["name"])
        result = {
            "model": model.pk,
            "labels": ", ".join(model.config["labels"]),
            "fingerprint": model.fingerprint,
            "right of five plain pairs": model.smoke_test["right"],
        }
        if model.smoke_test["meant"]:
            meant = ", ".join(f"{said} → {other}" for said, other in model.smoke_test["meant"].items())
            result["labels look turned round"] = meant
        return result


def _kind_of(job: Job) -> str:
    """Jobs from before there were kinds of folders are of the one there was."""
    return str(job.params.get("model_kind", Model.Kind.TRANSFORMERS))


register(HUB_KIND, FetchModel(), queue=Job.Queue.MODELS)
register(FOLDER_KIND, RegisterFolder(), queue=Job.Queue.MODELS)
register(RUN_KIND, RunModel(), queue=Job.Queue.MODELS)
register(
    TRAIN_KIND,
    TrainModel(lambda material: training.train(material).weights, Model.Kind.LEARNT),
    queue=Job.Queue.MODELS,
)
register(
    HYPOTHESIS_KIND,
    TrainModel(hypothesis_training.train, Model.Kind.HYPOTHESIS),
    queue=Job.Queue.MODELS,
)
register(NETWORK_KIND, TrainNetwork(), queue=Job.Queue.MODELS)
register(WRITER_KIND, TrainWriter(), queue=Job.Queue.MODELS)
register(PAIR_KIND, TryPair(), Job.Urgency.PREVIEW, queue=Job.Queue.MODELS)
register(SENTENCE_KIND, TrySentence(), Job.Urgency.PREVIEW, queue=Job.Queue.MODELS)
register(REPLY_KIND, ReplyOfModel(), Job.Urgency.CARD, queue=Job.Queue.MODELS)
