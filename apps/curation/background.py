"""Bulk edits of many pairs, and undoing them, in chunks."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from apps.curation import bulk_edits
from apps.curation.models import BulkEdit
from apps.jobs.kinds import Chunk, JobError, register
from apps.jobs.models import Job

PAIRS_A_CHUNK = 500


def _edit(job: Job) -> BulkEdit:
    found = BulkEdit.objects.filter(pk=job.params["edit"], dataset__study=job.study).first()
    if found is None:
        raise JobError(_("The edit is not there any more."))
    return found


class Editing:
    """Goes through the pairs in the order of their numbers. Each is looked at once, before it is changed,
    so an edit may change what its own filter asks for."""

    def total(self, job: Job) -> int:
        return _edit(job).matched

    def work(self, job: Job) -> Chunk | None:
        try:
            meant = bulk_edits.pairs_meant(_edit(job))
        except ValidationError as error:
            raise JobError("; ".join(error.messages)) from error
        pairs = list(meant.filter(pk__gt=job.cursor)[:PAIRS_A_CHUNK])
        return Chunk(pairs[-1], len(pairs), pairs) if pairs else None

    def store(self, job: Job, chunk: Chunk) -> None:
        bulk_edits.edit_apply(edit=_edit(job), pairs=chunk.payload)

    def finish(self, job: Job) -> dict[str, Any]:
        edit = _edit(job)
        bulk_edits.edit_finish(edit=edit)
        return {"changed": edit.changed}


class Undoing:
    """Goes through the changes of an edit."""

    def total(self, job: Job) -> int:
        return _edit(job).changes.count()

    def work(self, job: Job) -> Chunk | None:
        found = _edit(job).changes.filter(pk__gt=job.cursor).order_by("pk")
        changes = list(found.values_list("pk", flat=True)[:PAIRS_A_CHUNK])
        return Chunk(changes[-1], len(changes), changes) if changes else None

    def store(self, job: Job, chunk: Chunk) -> None:
        bulk_edits.undo_apply(edit=_edit(job), changes=chunk.payload)

    def finish(self, job: Job) -> dict[str, Any]:
        edit = _edit(job)
        bulk_edits.undo_finish(edit=edit)
        return {"changed": edit.changed}


register(bulk_edits.EDIT_KIND, Editing(), Job.Urgency.PERSON)
register(bulk_edits.UNDO_KIND, Undoing(), Job.Urgency.PERSON)
