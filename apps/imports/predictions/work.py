"""Files of predictions in the background: match one, store one.

A file is read from its beginning once; the worker keeps it open between chunks. A worker that takes the job
up in the middle reads up to the cursor again. The cursor counts rows.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from apps.corpora.sources import FileProblem
from apps.imports.drafts import problem_stored
from apps.imports.models import PredictionDraft
from apps.imports.predictions import drafts, services
from apps.imports.predictions.matching import Matched, Matching
from apps.jobs.kinds import Chunk, JobError
from apps.jobs.models import Job

SECONDS_A_CHUNK = 1.0


@dataclass
class _Open:
    """A file that a job is reading."""

    job: int
    claim: str
    files: ExitStack
    matching: Matching
    batches: Iterator[list[Matched]]


class _FileWork:
    """What both kinds share: the open file, kept from chunk to chunk."""

    def __init__(self) -> None:
        self._open: _Open | None = None

    def total(self, job: Job) -> int:
        return drafts.lines_in(_draft(job))

    def _at_cursor(self, job: Job) -> _Open:
        held = self._open
        if held and (held.job, held.claim, held.matching.rows) == (job.pk, job.claim, job.cursor):
            return held
        self._close()
        draft, files = _draft(job), ExitStack()
        matching = drafts.matching_of(draft)
        rows = files.enter_context(drafts.reading_of(draft))
        held = self._open = _Open(job.pk, job.claim, files, matching, matching.batches(rows))
        while matching.rows < job.cursor:
            if next(held.batches, None) is None:
                raise JobError(_("The file is shorter than it was."))
        return held

    def work(self, job: Job) -> Chunk | None:
        try:
            held = self._at_cursor(job)
            found: list[Matched] = []
            until = time.monotonic() + SECONDS_A_CHUNK
            while time.monotonic() < until and (batch := next(held.batches, None)) is not None:
                found += batch
        except FileProblem as problem:
            self._close()
            self.unreadable(job, problem)
            raise JobError(str(problem)) from None
        rows = held.matching.rows
        return Chunk(rows, rows - job.cursor, found) if rows > job.cursor else None

    def unreadable(self, job: Job, problem: FileProblem) -> None:
        """The file can't be read on."""

    def _close(self) -> None:
        if self._open:
            self._open.files.close()
            self._open = None


class MatchFile(_FileWork):
    """Match a draft's rows for its preview; parameter ``draft``."""

    def unreadable(self, job: Job, problem: FileProblem) -> None:
        services.preview_store(draft=_draft(job), preview=problem_stored(problem))

    def store(self, job: Job, chunk: Chunk) -> None:
        """The bad rows so far, for whoever waits; the counts come at the end."""
        if self._open:
            services.preview_store(draft=_draft(job), preview=self._open.matching.so_far())

    def finish(self, job: Job) -> dict[str, Any]:
        held, draft = self._at_cursor(job), _draft(job)
        preview = held.matching.stored(draft.model_name, draft.version)
        services.preview_store(draft=draft, preview=preview)
        self._close()
        job.total = job.done  # until now a guess, from the file's lines
        return {name: preview[name] for name in ("rows", "predictions", "bad")}


class StoreFile(_FileWork):
    """Store the predictions of a draft that was looked at; parameter ``draft``. All or nothing."""

    def total(self, job: Job) -> int:
        return int(_draft(job).preview["rows"])

    def work(self, job: Job) -> Chunk | None:
        draft = _draft(job)
        if draft.committed_at:
            raise JobError(_("This file is stored already."))
        if draft.started_at is None or drafts.job_of(draft, drafts.IMPORT_KIND) != job:
            raise JobError(_("This file's storing was ended. Commit its draft again."))
        return super().work(job)

    def store(self, job: Job, chunk: Chunk) -> None:
        services.predictions_store(draft=_draft(job), batch=chunk.payload)

    def finish(self, job: Job) -> dict[str, Any]:
        held, draft = self._at_cursor(job), _draft(job)
        fingerprint = held.matching.fingerprint(draft.model_name, draft.version)
        self._close()
        try:
            services.refuse_changed(draft, fingerprint)
        except ValidationError as error:
            raise JobError(error.messages[0]) from None
        return dict(services.predictions_finish(draft=draft, actor=job.created_by))

    def take_back(self, job: Job) -> None:
        self._close()
        found = PredictionDraft.objects.select_for_update(of=("self",)).select_related("dataset__study")
        draft = found.filter(
            pk=job.params["draft"], dataset__study=job.study, committed_at=None, started_at__isnull=False
        ).first()
        if draft is not None and drafts.job_of(draft, drafts.IMPORT_KIND) == job:
            services.predictions_take_back(draft=draft, actor=job.created_by)


def _draft(job: Job) -> PredictionDraft:
    found = PredictionDraft.objects.select_related("dataset__study", "run")
    draft = found.filter(pk=job.params["draft"], dataset__study=job.study).first()
    if draft is None:
        raise JobError(_("The file was thrown away."))
    return draft
