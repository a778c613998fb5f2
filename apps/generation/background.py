"""The jobs of machine-made pairs: a few examples first, then a corpus chunk by chunk; contrast sets."""

from __future__ import annotations

import weakref
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from apps.corpora.models import Sentence
from apps.datasets import labelling
from apps.datasets.labelling import Profiled
from apps.datasets.models import Dataset
from apps.datasets.services import labels_complete
from apps.generation import contrast_sets, services
from apps.generation.models import MachineBatch
from apps.generation.sentences import Sentences
from apps.generation.services import Ready
from apps.jobs import signs_of_life
from apps.jobs.kinds import Chunk, Failure, JobError, register
from apps.jobs.models import Job
from apps.jobs.signs_of_life import heartbeat

if TYPE_CHECKING:
    from natlog.generation import Made, MadePair

SENTENCES_A_CHUNK = 100
EXAMPLES = 10
SENTENCES_FOR_EXAMPLES = 300
PAIRS_A_CHUNK = 500
# As the reasons of natlog/generation/checking.py are worded.
UNSURE = "the calculus is less sure of the label than is asked for"


class Making:
    """Goes through the sentences in the order that the batch's seed draws; the cursor is the place in it."""

    items_a_chunk = SENTENCES_A_CHUNK

    def __init__(self) -> None:
        # The runner forgets a job that is over, and what is known of its corpus with it.
        self._sentences: weakref.WeakKeyDictionary[Job, Sentences] = weakref.WeakKeyDictionary()

    def total(self, job: Job) -> int:
        return len(self._of(job).numbers)

    def work(self, job: Job) -> Chunk | None:
        sentences = self._of(job)
        if job.cursor >= len(sentences.numbers):
            return None
        size = min(job.at_most(SENTENCES_A_CHUNK), len(sentences.numbers) - job.cursor)
        signs_of_life.item_begins(size)
        made = made_of(sentences, job.cursor, size)
        ready = [item for number, one in made for item in _ready(sentences, number, one)]
        rejected = [item for _number, one in made for item in one.rejected]
        return Chunk(job.cursor + size, size, (ready, rejected, sentences.key))

    def skipped(self, job: Job, why: str) -> Chunk | None:
        sentences = self._of(job)
        for number in sentences.numbers[job.cursor : job.cursor + 1]:
            text = Sentence.objects.filter(pk=number).values_list("text", flat=True).first() or ""
            return Chunk(job.cursor + 1, 1, ([], [], sentences.key), [Failure(str(number), text, why)])
        return None

    def store(self, job: Job, chunk: Chunk) -> None:
        ready, rejected, key = chunk.payload
        services.machine_pairs_store(batch=_batch(job), ready=ready, rejected=rejected, key=key)

    def finish(self, job: Job) -> dict[str, Any]:
        batch = services.machine_batch_finish(batch=_batch(job))
        return {"made": batch.made, "known": batch.known, "left out": sum(batch.rejected.values())}

    def _of(self, job: Job) -> Sentences:
        if job not in self._sentences:
            self._sentences[job] = Sentences(_batch(job), heartbeat(job))
        return self._sentences[job]


class Previewing:
    """One chunk: examples of as many operations, directions and labels as the first sentences give."""

    def total(self, job: Job) -> int:
        return 1

    def work(self, job: Job) -> Chunk | None:
        if job.cursor:
            return None
        sentences = Sentences(_batch(job), heartbeat(job))
        made = [one for _number, one in made_of(sentences, 0, SENTENCES_FOR_EXAMPLES)]
        pairs = [pair for one in made for pair in one.pairs]
        preview = {
            "examples": [asdict(pair) for pair in varied(pairs, EXAMPLES)],
            "pairs": len(pairs),
            "rejected": sum(len(one.rejected) for one in made),
            "sentences": len(made),
            "of": len(sentences.numbers),
        }
        return Chunk(1, 1, preview)

    def store(self, job: Job, chunk: Chunk) -> None:
        services.preview_store(batch=_batch(job), preview=chunk.payload)

    def finish(self, job: Job) -> dict[str, Any]:
        return {"pairs": _batch(job).preview["pairs"]}


class Contrasting:
    """Goes through a dataset's pairs in the order of their numbers; the cursor is the last one's. Parameters:
    ``originals``, ``dataset`` (where the contrasts go) and ``contrasts``."""

    def total(self, job: Job) -> int:
        return contrast_sets.originals(self._dataset(job, "originals")).count()

    def work(self, job: Job) -> Chunk | None:
        following = contrast_sets.originals(self._dataset(job, "originals")).filter(pk__gt=job.cursor)
        pairs = list(following.prefetch_related("premises")[:PAIRS_A_CHUNK])
        if not pairs:
            return None
        wanted = job.params["contrasts"]
        made = [(pair.pk, item) for pair in pairs for item in contrast_sets.contrasts_of(pair, wanted)]
        return Chunk(pairs[-1].pk, len(pairs), made)

    def store(self, job: Job, chunk: Chunk) -> None:
        contrast_sets.contrasts_store(dataset=self._dataset(job, "dataset"), made=chunk.payload)

    def finish(self, job: Job) -> dict[str, Any]:
        dataset = self._dataset(job, "dataset")
        labels_complete(dataset=dataset, actor=job.created_by)
        return {"made": dataset.pairs.count()}

    @staticmethod
    def _dataset(job: Job, name: str) -> Dataset:
        found = Dataset.objects.filter(pk=job.params[name], study=job.study).first()
        if found is None:
            raise JobError(_("The dataset is not there any more."))
        return found


def made_of(sentences: Sentences, position: int, size: int) -> list[tuple[int, Made]]:
    """What comes of so many sentences from a position on, with the sentences' numbers."""
    marked = sentences.marked(position, size)
    made = list(sentences.maker.make(marking for _number, marking in marked))
    for one in made:
        _leave_unsure(one, sentences.options.sure)
    return [(number, one) for (number, _marking), one in zip(marked, made, strict=True)]


def _leave_unsure(made: Made, least: float) -> None:
    """Count the pairs of whose label the calculus is less sure among what was rejected."""
    from natlog.generation.change import Rejected

    kept = []
    for pair, verdict in zip(made.pairs, made.verdicts, strict=True):
        if verdict.confidence >= least:
            kept.append((pair, verdict))
            continue
        sure = f"{verdict.confidence:.2f}"
        made.rejected.append(Rejected(pair.premise, pair.hypothesis, pair.operation, pair.kind, UNSURE, sure))
    made.pairs, made.verdicts = [pair for pair, _verdict in kept], [verdict for _pair, verdict in kept]


def _ready(sentences: Sentences, number: int, made: Made) -> list[Ready]:
    ready = []
    for pair, verdict in zip(made.pairs, made.verdicts, strict=True):
        profiled = Profiled.of([pair.premise], pair.hypothesis, sentences.labeller)
        label = labelling.of_verdict(pair.premise, pair.hypothesis, verdict)
        ready.append(Ready(pair, number, label, profiled))
    return ready


def varied(pairs: list[MadePair], most: int) -> list[MadePair]:
    """Some of the pairs, one of each operation, direction and label in turn; of a pair and its reverse, the
    first that comes."""
    cells: dict[tuple[str, str, str], list[MadePair]] = {}
    for pair in pairs:
        cells.setdefault(pair.cell, []).append(pair)
    turns = [cells[cell] for cell in sorted(cells)]
    chosen: dict[frozenset[str], MadePair] = {}
    for turn in range(max(map(len, turns), default=0)):
        for cell in turns:
            if turn < len(cell) and len(chosen) < most:
                pair = cell[turn]
                chosen.setdefault(frozenset((pair.premise, pair.hypothesis)), pair)
    return list(chosen.values())


def _batch(job: Job) -> MachineBatch:
    found = MachineBatch.objects.filter(pk=job.params["batch"], dataset__study=job.study)
    batch = found.select_related("dataset__study").first()
    if batch is None:
        raise JobError(_("The batch is not there any more."))
    return batch


register(services.PREVIEW_KIND, Previewing(), Job.Urgency.PREVIEW)
register(services.MAKE_KIND, Making())
register(contrast_sets.CONTRAST_KIND, Contrasting())
