"""The jobs that try a model: one pair, or one sentence, beside what the calculus or the grammar says."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from apps.datasets.labelling import labeller
from apps.inference.meanings import gold_meanings
from apps.inference.models import Model
from apps.inference.training_models import Training
from apps.inference.trying import run_kept
from apps.jobs.kinds import Chunk, JobError
from apps.jobs.models import Job


class _Try:
    """One chunk, whose payload is the job's result."""

    def total(self, job: Job) -> int:
        return 1

    def work(self, job: Job) -> Chunk | None:
        return None if job.cursor else Chunk(1, 1, self.said(job))

    def said(self, job: Job) -> dict[str, Any]:
        raise NotImplementedError

    def store(self, job: Job, chunk: Chunk) -> None:
        job.result = chunk.payload

    def finish(self, job: Job) -> dict[str, Any]:
        told: dict[str, Any] = job.result
        return told


class TryPair(_Try):
    """``label`` and ``scores`` are the model's (``why`` where it says nothing), ``unknown`` the words that a
    network trained here was never shown, ``calculus`` and ``reason`` those of the calculus under convention
    ``default``."""

    def said(self, job: Job) -> dict[str, Any]:
        from workers.runtimes import Output, Stopped, Unavailable, runtime_for
        from workers.runtimes.network import TrainedNetwork

        model = Model.objects.filter(pk=job.params["model"], study=job.study).first()
        if model is None:
            raise JobError(_("The model is not there any more."))
        premise, hypothesis = job.params["premise"], job.params["hypothesis"]
        try:
            runtime = runtime_for(model)
            (output,) = runtime.predict([(premise, hypothesis)])
        except (Unavailable, Stopped) as error:
            raise JobError(str(error)) from error
        said = (
            {"label": output.label, "scores": {key: round(x, 4) for key, x in output.scores.items()}}
            if isinstance(output, Output)
            else {"why": output.reason}
        )
        unknown = runtime.unknown(premise, hypothesis) if isinstance(runtime, TrainedNetwork) else []
        verdict = labeller(settings.PARSER, "default").label(premise, hypothesis)
        calculus = {"calculus": verdict.label, "read": verdict.read, "reason": verdict.reason}
        return {**said, "unknown": unknown, **calculus}


class TrySentence(_Try):
    """``written`` is the network's meaning in its ``form``; where the grammar reads the sentence, ``gold`` is
    its meaning, and the rest what natlog/logic/meaning_match.py says of both."""

    def said(self, job: Job) -> dict[str, Any]:
        from natlog.logic.meaning_match import matched
        from workers.networks.saved import SavedError
        from workers.networks.sequences.saved import sequence_load
        from workers.networks.sequences.trainer import said

        training = Training.objects.filter(pk=job.params["training"], study=job.study).first()
        run = training and run_kept(training)
        if not run:
            raise JobError(_("No network of this training was kept."))
        try:
            saved = sequence_load(run.fingerprint)
        except SavedError as error:
            raise JobError(str(error)) from error
        sentence = " ".join(job.params["sentence"].lower().rstrip(".").split())
        (found,) = (each for each in said(saved.network, saved.reader, [sentence]) if each is not None)
        form: Any = saved.reader.form
        told = {"form": form, "written": found[0], "unknown": unknown_words(saved.reader, sentence)}
        gold = gold_meanings(sentence).get(form)
        if gold is None:
            return told
        return {**told, "gold": gold, "exact": found[0] == gold, **asdict(matched(form, found[0], gold))}


def unknown_words(reader: Any, sentence: str) -> list[str]:
    """The words that a network was never shown: it reads all of them as one and the same."""
    return [word for word in dict.fromkeys(sentence.split()) if word not in reader.words.tokens]
