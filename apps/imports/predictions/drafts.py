"""What a file of predictions waits for, and how it is read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from apps.corpora.formats.readings import RowError
from apps.corpora.sources import FileProblem
from apps.imports import uploads
from apps.imports.models import PredictionDraft
from apps.imports.predictions.columns import columns_of
from apps.imports.predictions.matching import Matching
from apps.imports.predictions.rows import Said, rows_of
from apps.imports.records.files import records_in
from apps.inference.models import Model
from apps.jobs.models import Job
from apps.studies.models import Study

PREVIEW_KIND = "inference.predictions_preview"
IMPORT_KIND = "inference.predictions_import"
MOST_ROWS = 1_000_000


def path_of(draft: PredictionDraft) -> Path:
    return uploads.folder() / draft.stored_name


@contextmanager
def reading_of(draft: PredictionDraft) -> Iterator[Iterator[Said | RowError]]:
    """The rows of the draft's file. Raises FileProblem, also where the file is gone."""
    path = path_of(draft)
    if not path.is_file():
        raise FileProblem(_("the file is not there any more; upload it again"))
    options = draft.options
    with records_in(
        path, draft.file_name, encoding=options.get("encoding", ""), member=options.get("member", "")
    ) as records:
        if not records.columns and (first := next(records.rows, None)) is not None:
            raise FileProblem(
                getattr(first, "message", "") or _("the first row holds nothing"), getattr(first, "line", 1)
            )
        if not records.columns:
            raise FileProblem(_("the file is empty"))
        yield _limited(rows_of(records, columns_of(records.columns), options.get("values", {})))


def _limited(rows: Iterator[Said | RowError]) -> Iterator[Said | RowError]:
    for count, row in enumerate(rows, 1):
        if count > MOST_ROWS:
            raise FileProblem(_("the file has more than %(n)d rows. Split it.") % {"n": MOST_ROWS}, row.line)
        yield row


def matching_of(draft: PredictionDraft) -> Matching:
    return Matching(draft.dataset)


def is_large(draft: PredictionDraft) -> bool:
    return uploads.is_large(path_of(draft), draft.bytes)


def lines_in(draft: PredictionDraft) -> int:
    """About how many rows the file has, for a progress bar."""
    said = {name: draft.options.get(name, "") for name in ("encoding", "member")}
    return uploads.lines_in(path_of(draft), draft.file_name, **said)


def is_read(draft: PredictionDraft) -> bool:
    """Whether the whole file was looked at, or what is wrong with it is known."""
    return bool(draft.preview) and "so_far" not in draft.preview


def full_name(draft: PredictionDraft) -> str:
    """What the model is called: its stated name and version."""
    return f"{draft.model_name} {draft.version}"


def model_of(draft: PredictionDraft) -> Model | None:
    """The model of that name and version, where the study has one."""
    return Model.objects.filter(study=draft.dataset.study_id, name=full_name(draft)).first()


def job_of(draft: PredictionDraft, kind: str) -> Job | None:
    """The draft's latest background work of one kind."""
    jobs = Job.objects.filter(study=draft.dataset.study_id, kind=kind, params__draft=draft.pk)
    return jobs.select_related("study").order_by("-pk").first()


def open_drafts_of(study: Study) -> QuerySet[PredictionDraft]:
    """Files of predictions that somebody has begun to bring in, newest first. One query."""
    return PredictionDraft.objects.filter(dataset__study=study, committed_at=None).select_related("dataset")
