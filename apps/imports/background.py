"""Large files in the background: count one, store one.

A file is read from its beginning once; the worker keeps it open between chunks. A worker that takes the
job up in the middle reads up to the cursor again, which is quick beside what was done with the rows.
"""

from __future__ import annotations

import time
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.corpora.sources import FileProblem
from apps.datasets.models import Pair
from apps.imports import drafts, services, staging
from apps.imports.models import PairDraft
from apps.imports.predictions import drafts as prediction_drafts
from apps.imports.predictions.work import MatchFile
from apps.imports.predictions.work import StoreFile as StorePredictions
from apps.imports.preview import Preview
from apps.imports.readers import Event, Reading
from apps.imports.rows import PairRow
from apps.imports.storage import Numbered
from apps.jobs.kinds import Chunk, JobError, register
from apps.jobs.models import Job
from apps.studies.models import Study

SECONDS_A_CHUNK = 1.0
ROWS_A_CHUNK = 2000


@dataclass
class _Open:
    """A file that a job is reading, and how many of its rows were read."""

    job: int
    claim: str
    files: ExitStack
    reading: Reading
    preview: Preview
    read: int = 0

    def next(self) -> Event | None:
        event = next(self.reading.events, None)
        if event is not None:
            self.read += 1
        return event


class _FileWork:
    """What both kinds share: the open file, kept from chunk to chunk."""

    def __init__(self) -> None:
        self._open: _Open | None = None

    def _at_cursor(self, job: Job) -> _Open:
        held = self._open
        if held and (held.job, held.claim, held.read) == (job.pk, job.claim, job.cursor):
            return held
        self._close()
        draft = _draft(job)
        files = ExitStack()
        held = _Open(
            job.pk, job.claim, files, files.enter_context(drafts.reading_of(draft)), _preview_of(draft)
        )
        self._open = held
        while held.read < job.cursor:
            event = held.next()
            if event is None:
                raise JobError(_("The file is shorter than it was."))
            self.passed(held, event)
        return held

    def passed(self, held: _Open, event: Event) -> Any:
        """Take note of a row."""

    def _close(self) -> None:
        if self._open:
            self._open.files.close()
            self._open = None


class CountFile(_FileWork):
    """Count a draft's file for its preview; parameter ``draft``. The cursor counts rows."""

    def total(self, job: Job) -> int:
        return drafts.lines_in(_draft(job))

    def passed(self, held: _Open, event: Event) -> None:
        held.preview.add(event, held.reading)

    def work(self, job: Job) -> Chunk | None:
        try:
            held = self._at_cursor(job)
            before, until = held.read, time.monotonic() + SECONDS_A_CHUNK
            while time.monotonic() < until and (event := held.next()) is not None:
                self.passed(held, event)
            if held.read > before:
                return Chunk(held.read, held.read - before, held.preview.so_far())
            return None
        except FileProblem as problem:
            services.preview_store(draft=_draft(job), preview=drafts.problem_stored(problem))
            self._close()
            raise JobError(str(problem)) from None

    def store(self, job: Job, chunk: Chunk) -> None:
        """The bad rows so far, for whoever waits; the counts come at the end."""
        services.preview_store(draft=_draft(job), preview=chunk.payload)

    def finish(self, job: Job) -> dict[str, Any]:
        held = self._at_cursor(job)
        preview = {"format": held.reading.format, **held.preview.stored()}
        services.preview_store(draft=_draft(job), preview=preview)
        self._close()
        job.total = job.done  # until now a guess, from the file's lines
        return {name: preview[name] for name in ("rows", "pairs", "new", "bad")}


class StoreFile(_FileWork):
    """Store the pairs of a draft that was looked at; parameter ``draft``. The cursor counts rows."""

    def total(self, job: Job) -> int:
        return int(_draft(job).preview["rows"])

    def passed(self, held: _Open, event: Event) -> Numbered | None:
        return Numbered.of(event, held.reading) if isinstance(event, PairRow) else None

    def work(self, job: Job) -> Chunk | None:
        _refuse_a_second(job)
        try:
            held = self._at_cursor(job)
            before = held.read
            batch: list[Numbered] = []
            while held.read - before < ROWS_A_CHUNK and (event := held.next()) is not None:
                pair = self.passed(held, event)
                if pair is not None:
                    batch.append(pair)
            return Chunk(held.read, held.read - before, batch) if held.read > before else None
        except FileProblem as problem:
            self._close()
            raise JobError(str(problem)) from None

    def store(self, job: Job, chunk: Chunk) -> None:
        draft = _draft(job)
        if draft.started_at is None:  # the job is tried again
            draft.started_at = timezone.now()
            draft.save(update_fields=["started_at"])
        staging.batch_stage(draft=draft, batch=chunk.payload)

    def finish(self, job: Job) -> dict[str, Any]:
        self._close()
        draft = _draft(job)
        try:
            services.draft_finish(draft=draft, actor=job.created_by)
        except ValidationError as error:
            raise JobError(error.messages[0]) from None
        return {name: value for name, value in draft.result.items() if isinstance(value, int)}

    def take_back(self, job: Job) -> None:
        self._close()
        held = PairDraft.objects.select_for_update(of=("self",)).select_related("study")
        draft = held.filter(pk=job.params["draft"], study=job.study, committed_at=None).first()
        if draft is not None and drafts.job_of(draft, drafts.IMPORT_KIND) == job:
            services.draft_take_back(draft=draft, actor=job.created_by)


class TakeBack:
    """Delete what was stored of a file that did not get whole; parameter ``hidden``, the study in which it
    lies. The cursor counts pairs."""

    def total(self, job: Job) -> int:
        return self._pairs(job).count()

    def work(self, job: Job) -> Chunk | None:
        pairs = list(self._pairs(job).order_by("pk").values_list("pk", flat=True)[:ROWS_A_CHUNK])
        return Chunk(job.cursor + len(pairs), len(pairs), pairs) if pairs else None

    def store(self, job: Job, chunk: Chunk) -> None:
        staging.pairs_throw_away(chunk.payload)

    def finish(self, job: Job) -> dict[str, Any]:
        if hidden := Study.objects.filter(pk=job.params["hidden"], hidden=True).first():
            staging.hidden_remove(hidden)
        return {}

    @staticmethod
    def _pairs(job: Job) -> QuerySet[Pair]:
        return Pair.objects.filter(dataset__study=job.params["hidden"], dataset__study__hidden=True)


def _refuse_a_second(job: Job) -> None:
    """A job that was cancelled can be tried again; not after its file was stored by another."""
    draft = _draft(job)
    if draft.committed_at:
        raise JobError(_("This file is stored already."))
    if drafts.job_of(draft, drafts.IMPORT_KIND) != job:
        raise JobError(_("Another job is storing this file."))


def _draft(job: Job) -> PairDraft:
    found = PairDraft.objects.select_related("study", "dataset").filter(
        pk=job.params["draft"], study=job.study
    )
    draft = found.first()
    if draft is None:
        raise JobError(_("The file was thrown away."))
    return draft


def _preview_of(draft: PairDraft) -> Preview:
    return Preview(draft.study, draft.options["name"])


register(drafts.PREVIEW_KIND, CountFile(), Job.Urgency.PREVIEW)
register(drafts.IMPORT_KIND, StoreFile(), Job.Urgency.PERSON)
register(drafts.TAKE_BACK_KIND, TakeBack(), Job.Urgency.PERSON)
register(prediction_drafts.PREVIEW_KIND, MatchFile(), Job.Urgency.PREVIEW)
register(prediction_drafts.IMPORT_KIND, StorePredictions(), Job.Urgency.PERSON)
