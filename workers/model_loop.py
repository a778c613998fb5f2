"""The model in the loop: its prediction for what an annotator just wrote (campaigns' ModelReply)."""

from __future__ import annotations

from typing import Any

from apps.campaigns.models import Judgement, ModelReply
from apps.campaigns.services import model_reply_store
from apps.campaigns.services.model_loop import expected_label
from apps.inference.labels import LabelError, fitted
from apps.jobs.kinds import Chunk, JobDelayed, JobError
from apps.jobs.models import Job
from workers.runtimes import Pending, Stopped, Unavailable, runtime_for


class ReplyOfModel:
    """One reply, in one chunk: it has the few replacements of one answer."""

    def total(self, job: Job) -> int:
        return 1

    def work(self, job: Job) -> Chunk | None:
        if job.cursor:
            return None
        reply = ModelReply.objects.select_related("model", "judgement__item__blank").get(
            pk=job.params["reply"]
        )
        try:
            predictions = _predictions(reply, runtime_for(reply.model))
        except Unavailable as reason:
            raise JobDelayed(str(reason)) from reason
        except Stopped as reason:
            raise JobError(str(reason)) from reason
        return Chunk(1, 1, (reply.model.fingerprint, predictions))

    def store(self, job: Job, chunk: Chunk) -> None:
        fingerprint, predictions = chunk.payload
        model_reply_store(reply=job.params["reply"], fingerprint=fingerprint, predictions=predictions)

    def finish(self, job: Job) -> dict[str, Any]:
        return {}


def _predictions(reply: ModelReply, runtime: Any) -> list[dict[str, Any]]:
    """A prediction for each replacement of the judgement, none where it was revised meanwhile."""
    judgement: Judgement = reply.judgement
    blank = judgement.item.blank
    if judgement.revision != reply.revision or blank is None:
        return []
    written = list(judgement.replacements.select_related("pair__dataset").prefetch_related("pair__premises"))
    outputs = runtime.predict([(item.pair.premise, item.hypothesis) for item in written])
    found = []
    for item, output in zip(written, outputs, strict=True):
        if isinstance(output, Pending):  # the model has nothing to say of it
            continue
        labels = item.pair.dataset.labels
        try:
            label = fitted(output.label, labels)
            expected = fitted(expected_label(blank.direction), labels)
        except LabelError as error:
            raise JobError(str(error)) from error
        found.append(
            {
                "position": item.position,
                "hypothesis": item.hypothesis,
                "label": label,
                "expected": expected,
                "fooled": label != expected,
                "scores": {name: round(score, 6) for name, score in output.scores.items()},
            }
        )
    return found
