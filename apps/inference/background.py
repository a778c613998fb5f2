"""The job that mixes training sets, and starts the trainings of a learning curve."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from apps.inference import training_sets, trainings
from apps.inference.mixing import MixingError
from apps.inference.training_models import LearningCurve, TrainingSet
from apps.jobs.kinds import Chunk, JobError, register
from apps.jobs.models import Job
from apps.jobs.signs_of_life import heartbeat


class MixSets:
    """All the sets of a job in one chunk: either all of them can be made, or none is."""

    def total(self, job: Job) -> int:
        return len(job.params["sets"])

    def work(self, job: Job) -> Chunk | None:
        if job.cursor:
            return None
        mixing = training_sets.Mixing(job.study, heartbeat(job))
        try:
            made = [mixing.make(item["name"], item["spec"]) for item in job.params["sets"]]
        except MixingError as error:
            raise JobError(str(error)) from error
        return Chunk(1, len(made), made)

    def store(self, job: Job, chunk: Chunk) -> None:
        curve = LearningCurve.objects.filter(pk=job.params.get("curve")).first()
        if job.params.get("curve") and curve is None:
            raise JobError(_("The learning curve is not there any more."))
        try:
            for made in chunk.payload:
                stored = training_sets.training_set_store(
                    study=job.study, actor=job.created_by, made=made, curve=curve
                )
                if curve is not None:
                    trainings.training_start(
                        training_set=stored,
                        actor=job.created_by,
                        name=made.name,
                        keeps=False,
                        **job.params["training"],
                    )
        except ValidationError as error:
            raise JobError("; ".join(error.messages)) from error

    def finish(self, job: Job) -> dict[str, Any]:
        names = [item["name"] for item in job.params["sets"]]
        made = TrainingSet.objects.filter(study=job.study, name__in=names)
        return {"sets": made.count()}


register(training_sets.SET_KIND, MixSets(), Job.Urgency.PERSON)
