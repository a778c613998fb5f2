"""The jobs of a testbed: its rows drawn chunk by chunk, its claims proved, pairs of its sentences.

Rows come from a seed, so that a worker which takes a job up in the middle draws those before its place
again; one that goes on keeps them open between chunks.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from itertools import islice
from typing import Any, Generic, TypeVar

from django.utils.translation import gettext as _

from apps.datasets.models import Dataset
from apps.datasets.services import labels_complete
from apps.jobs.kinds import Chunk, JobError, register
from apps.jobs.models import Job
from apps.testbeds import drawing, licensed, proofs, rows, services
from apps.testbeds.models import Testbed
from natlog.fragments.testbeds import Item

Row = TypeVar("Row")
ROWS_A_CHUNK = 1000
PROOFS_A_CHUNK = 50
SENTENCES_A_CHUNK = 50


class _Drawing(Generic[Row]):
    """Rows in their order, kept open from chunk to chunk; the cursor counts them."""

    def __init__(self) -> None:
        # The runner forgets a job that is over, and what is open of it.
        self._open: weakref.WeakKeyDictionary[Job, tuple[int, Iterator[Row]]] = weakref.WeakKeyDictionary()

    def total(self, job: Job) -> int:
        return testbed_of(job).size

    def drawn(self, testbed: Testbed) -> Iterator[Row]:
        raise NotImplementedError

    def next(self, job: Job, size: int) -> list[Row]:
        from natlog.fragments.drawing import TooFew

        at, source = self._open.get(job, (-1, iter(())))
        try:
            if at != job.cursor:
                source = self.drawn(testbed_of(job))
                next(islice(source, job.cursor, job.cursor), None)
            found = list(islice(source, size))
        except (TooFew, LookupError) as error:
            raise JobError(str(error)) from None
        self._open[job] = (job.cursor + len(found), source)
        return found


class Generating(_Drawing[dict[str, str]]):
    """Draws and stores the rows."""

    def drawn(self, testbed: Testbed) -> Iterator[dict[str, str]]:
        return rows.rows_of(testbed)

    def work(self, job: Job) -> Chunk | None:
        found = self.next(job, ROWS_A_CHUNK)
        return Chunk(job.cursor + len(found), len(found), found) if found else None

    def store(self, job: Job, chunk: Chunk) -> None:
        first = chunk.next_cursor - chunk.count + 1
        services.rows_store(testbed=testbed_of(job), rows=chunk.payload, first=first)

    def finish(self, job: Job) -> dict[str, Any]:
        return {"rows": services.testbed_finish(testbed=testbed_of(job)).size}


class Proving(_Drawing[Item]):
    """Asks a prover about every claim of the rows."""

    def drawn(self, testbed: Testbed) -> Iterator[Item]:
        return drawing.drawn(testbed)

    def work(self, job: Job) -> Chunk | None:
        found = self.next(job, PROOFS_A_CHUNK)
        if not found:
            return None
        return Chunk(job.cursor + len(found), len(found), proofs.counted(found))

    def store(self, job: Job, chunk: Chunk) -> None:
        services.proofs_store(testbed=testbed_of(job), counts=chunk.payload)

    def finish(self, job: Job) -> dict[str, Any]:
        return dict(testbed_of(job).proved)


class Licensing:
    """Makes the pairs that a testbed's sentences license, in the order of the sentences' numbers; the cursor
    is the last one's. Parameters: ``testbed`` and ``dataset``, where they go."""

    def total(self, job: Job) -> int:
        return testbed_of(job).dataset.meanings.count()

    def work(self, job: Job) -> Chunk | None:
        testbed = testbed_of(job)
        following = testbed.dataset.meanings.filter(pk__gt=job.cursor).order_by("pk")
        meanings = list(following[:SENTENCES_A_CHUNK])
        if not meanings:
            return None
        made = licensed.rows_of(testbed.kind, meanings, proofs.prover())
        return Chunk(meanings[-1].pk, len(meanings), made)

    def store(self, job: Job, chunk: Chunk) -> None:
        licensed.rows_store(dataset=self._dataset(job), rows=chunk.payload)

    def finish(self, job: Job) -> dict[str, Any]:
        dataset = self._dataset(job)
        labels_complete(dataset=dataset, actor=job.created_by)
        return {"pairs": dataset.pairs.count()}

    @staticmethod
    def _dataset(job: Job) -> Dataset:
        found = Dataset.objects.filter(pk=job.params["dataset"], study=job.study).first()
        if found is None:
            raise JobError(_("The dataset is not there any more."))
        return found


def testbed_of(job: Job) -> Testbed:
    """The testbed that the job works on. Raises JobError where it was deleted."""
    found = Testbed.objects.filter(pk=job.params["testbed"], dataset__study=job.study)
    testbed = found.select_related("dataset__study", "source").first()
    if testbed is None:
        raise JobError(_("The testbed is not there any more."))
    return testbed


register(services.GENERATE_KIND, Generating())
register(services.PROVE_KIND, Proving())
register(licensed.LICENSED_KIND, Licensing())
