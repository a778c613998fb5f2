"""What a draft of pairs waits for, and what its file holds."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from apps.corpora.encodings import label
from apps.corpora.sources import FileProblem, NeedsEncoding, NeedsMember, lines_of, opened
from apps.corpora.workbooks import NeedsSheet
from apps.imports import uploads
from apps.imports.models import PairDraft
from apps.imports.preview import Preview
from apps.imports.readers import Choices, Reading, Table, look, reading
from apps.imports.rows import NeedsColumns
from apps.jobs.models import Job
from apps.studies.models import Study

PREVIEW_KIND = "datasets.import_preview"
IMPORT_KIND = "datasets.import"
TAKE_BACK_KIND = "datasets.import_take_back"
# What one request stores in a second or two; more is a background job.
ROWS_A_REQUEST = 3000
SECONDS_A_LOOK = 0.3


def path_of(draft: PairDraft) -> Path:
    return uploads.folder() / draft.stored_name


def choices_of(draft: PairDraft) -> Choices:
    return Choices.of(draft.options.get("choices", {}))


@contextmanager
def reading_of(draft: PairDraft) -> Iterator[Reading]:
    """Read the draft's file. Raises FileProblem, also where the file is gone."""
    if not path_of(draft).is_file():
        raise FileProblem(_("the file is not there any more; upload it again"))
    with reading(path_of(draft), draft.file_name, choices_of(draft)) as found:
        yield found


def preview_of(draft: PairDraft) -> dict[str, Any]:
    """Count the whole file at once. Raises FileProblem."""
    counted = Preview(draft.study, draft.options["name"])
    with reading_of(draft) as found:
        for event in found.events:
            counted.add(event, found)
        return {"format": found.format, **counted.stored()}


def first_look(draft: PairDraft) -> dict[str, Any]:
    """What the first rows of a large file hold, in a moment: whoever waits for the rest sees what is wrong.
    Raises FileProblem for what makes the file unreadable."""
    counted, until = Preview(draft.study, draft.options["name"]), time.monotonic() + SECONDS_A_LOOK
    with reading_of(draft) as found:
        for event in found.events:
            counted.add(event, found)
            if time.monotonic() > until:
                break
    return counted.so_far()


def is_read(draft: PairDraft) -> bool:
    """Whether the whole file was looked at, or what is wrong with it is known."""
    return bool(draft.preview) and "so_far" not in draft.preview


def problem_stored(problem: FileProblem) -> dict[str, Any]:
    """A problem in JSON, with the step that it asks for."""
    stored: dict[str, Any] = {"problem": str(problem), "step": ""}
    if isinstance(problem, NeedsEncoding):
        stored |= {"step": "encoding", "guess": problem.guess}
    elif isinstance(problem, NeedsMember):
        stored |= {"step": "member", "members": problem.members, "sheets": isinstance(problem, NeedsSheet)}
    elif isinstance(problem, NeedsColumns):
        stored |= {"step": "columns"}
    return stored


def is_large(draft: PairDraft) -> bool:
    """Whether reading the file is work for the background."""
    return uploads.is_large(path_of(draft), draft.bytes)


def table_of(draft: PairDraft) -> Table:
    """The columns to choose from. Raises FileProblem."""
    return look(path_of(draft), draft.file_name, choices_of(draft))


def first_lines(draft: PairDraft, encoding: str, count: int = 8) -> list[str]:
    """The first lines in an encoding, to be looked at. Raises FileProblem where it is another one."""
    with opened(
        path_of(draft), draft.file_name, encoding=encoding, member=choices_of(draft).member
    ) as source:
        lines = (line.strip() for _number, line in lines_of(source))
        return [line[:300] for line in islice((line for line in lines if line), count)]


def encoding_name(encoding: str) -> str:
    return label(encoding)


def lines_in(draft: PairDraft) -> int:
    """About how many rows the file has, for a progress bar."""
    choices = choices_of(draft)
    return uploads.lines_in(path_of(draft), draft.file_name, encoding=choices.encoding, member=choices.member)


def open_drafts_of(study: Study) -> QuerySet[PairDraft]:
    """Files of pairs that somebody has begun to import, newest first."""
    return PairDraft.objects.filter(study=study, committed_at=None)


def job_of(draft: PairDraft, kind: str) -> Job | None:
    """The draft's latest background work of one kind."""
    jobs = Job.objects.filter(study=draft.study_id, kind=kind, params__draft=draft.pk)
    return jobs.select_related("study").order_by("-pk").first()
