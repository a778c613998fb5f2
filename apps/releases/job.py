"""The background job of a release: twins, then the steps of its archive, then freezing it.

The cursor is a stage and a position in it. Twins are rows of the dataset and are stored chunk by chunk.
Reading needs one snapshot: a worker that finds none of its own (the one before it died) begins to read
again. What was staged and formatted is kept, and any worker goes on from there.
"""

from __future__ import annotations

import gc
import shutil
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.utils.translation import gettext as _

from apps.jobs.kinds import Chunk, JobError
from apps.jobs.models import Job
from apps.jobs.signs_of_life import heartbeat
from apps.releases.archive import pack
from apps.releases.gold_rules import Options
from apps.releases.judgements import items_of
from apps.releases.models import Release
from apps.releases.production import Formatting, Reading, Stage
from apps.releases.selection import Offer, batch_after
from apps.releases.services import release_freeze, twins_create
from apps.releases.staging import parts_of
from apps.releases.storage import beside, clear_unfinished, staged_path

# More than the number of any pair.
STAGE = 10**15
TWINS = 0
TWINS_A_CHUNK = 4000


class Releasing:
    """See above; registered as ``datasets.release``."""

    def __init__(self) -> None:
        # A job that is over, whatever the reason, is forgotten by the runner, and its snapshot with it.
        self._reading: weakref.WeakKeyDictionary[Job, Reading] = weakref.WeakKeyDictionary()

    def total(self, job: Job) -> int:
        """Pairs three times over (twins, reading, formatting), items once, packing."""
        release = self._release(job)
        pairs = release.dataset.pairs.exclude(origin="swap").count()
        rounds = 3 if Options.of(release.options).swaps else 2
        return rounds * pairs + int(items_of(release.dataset).count()) + 1

    def work(self, job: Job) -> Chunk | None:
        with _uncollected():
            return self._work(job)

    def _work(self, job: Job) -> Chunk | None:
        release = self._release(job)
        if release.frozen_at:
            return None
        stage, position = divmod(job.cursor, STAGE)
        if stage == TWINS:
            if Options.of(release.options).swaps and (twins := self._twins(release, position)):
                return twins
            stage, position = Stage.READ, 0
        # What an earlier version of Polarlab staged is read anew: it has no part of today's kind.
        if stage < Stage.FORMAT or not parts_of(staged_path(release) / "rows"):
            return self._read(job, release, Stage(stage), position)
        if stage == Stage.FORMAT:
            step = Formatting(release, staged_path(release)).step(position)
            if step.stage == Stage.FORMAT:
                return Chunk(step.stage * STAGE + step.position, step.done, ("step", None))
        written = pack(release, staged_path(release), claim=job.claim, beat=heartbeat(job))
        return Chunk(Stage.PACK * STAGE, max(job.total - job.done, 0), ("files", written))

    @staticmethod
    def _twins(release: Release, after: int) -> Chunk | None:
        options = Options.of(release.options)
        batch = batch_after(release.dataset, options, after, Offer(), TWINS_A_CHUNK, twins_only=True)
        if batch is None:
            return None
        gold = {row.pair.pk: row.pair.gold for row in batch.rows if row.bar is None}
        return Chunk(batch.last, batch.considered, ("twins", gold))

    def _read(self, job: Job, release: Release, stage: Stage, position: int) -> Chunk:
        folder = beside(release, f"{job.claim}-rows")
        reading, again = self._reading.get(job), 0
        if reading is None or reading.folder != folder:
            if (stage, position) != (Stage.READ, 0):
                stage, position, again = Stage.READ, 0, self._read_before(job, release)
            reading = Reading(release, folder, heartbeat(job))
            self._reading[job] = reading
            weakref.finalize(job, reading.close)
        step = reading.step(stage, position)
        if step.stage == Stage.JUDGEMENTS and not reading.nodes:
            reading.close()
            why = reading.tally.offer.why_nothing(reading.options)
            raise JobError(_("Nothing to publish: %(why)s") % {"why": why})
        payload: tuple[str, Any] = ("step", None)
        if step.stage == Stage.FORMAT:
            reading.close()
            payload = ("staged", reading.folder)
        return Chunk(step.stage * STAGE + step.position, step.done - again, payload)

    @staticmethod
    def _read_before(job: Job, release: Release) -> int:
        """What a dead worker had read of ``job.done``; it is to be read again."""
        twins = 0
        if Options.of(release.options).swaps:
            twins = release.dataset.pairs.exclude(origin="swap").count()
        return max(job.done - twins, 0)

    def store(self, job: Job, chunk: Chunk) -> None:
        what, payload = chunk.payload
        release = self._release(job)
        if what == "twins":
            twins_create(release=release, gold=payload)
        elif what == "staged":
            # Here, and not in the step: a worker that was given up for dead doesn't get here.
            shutil.rmtree(staged_path(release), ignore_errors=True)
            payload.replace(staged_path(release))
        elif what == "files":
            release_freeze(release=release, written=payload)

    def finish(self, job: Job) -> dict[str, Any]:
        release = self._release(job)
        clear_unfinished(release)
        return {"file": release.file_name, "sha256": release.sha256, **release.manifest["counts"]["pairs"]}

    @staticmethod
    def _release(job: Job) -> Release:
        found = Release.objects.filter(pk=job.params["release"], dataset__study=job.study).first()
        if found is None:
            raise JobError(_("The release is not there any more."))
        return found


@contextmanager
def _uncollected() -> Iterator[None]:
    """No search for cycles meanwhile: rows by the ten thousand, which have none, would be gone through again
    and again, for a fifth of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
