"""Imports' writes: a draft to look at, then one commit that may be repeated."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from itertools import islice
from pathlib import PurePath
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from apps.accounts.models import User
from apps.corpora.sources import FileProblem
from apps.datasets.models import Dataset
from apps.frame.texts import line_checked
from apps.imports import drafts, staging
from apps.imports.models import PairDraft
from apps.imports.readers import Choices
from apps.imports.rows import PairRow
from apps.imports.storage import Numbered, Stored
from apps.imports.uploads import kept
from apps.jobs.models import Job
from apps.jobs.services import job_start
from apps.jobs.wording import wording
from apps.studies import audit
from apps.studies.models import Study

BATCH = 1000


def draft_create(
    *,
    study: Study,
    actor: User | None,
    file_name: str,
    chunks: Iterable[bytes],
    name: str = "",
    licence: str = "",
    source: str = "",
    choices: Choices | None = None,
) -> PairDraft:
    """Keep a file for its preview; nothing of it is a pair yet.

    ``name`` is the dataset's (empty: the file's own). Raises ValidationError for a file that is too large.
    """
    name = line_checked(name.strip()[:200] or PurePath(file_name).name.partition(".")[0][:200], "name")
    if Dataset.objects.filter(study=study, name=name).exclude(kind=Dataset.Kind.PAIRS).exists():
        raise ValidationError({"name": _("This dataset takes no pairs from files.")})
    with kept(chunks) as upload, transaction.atomic():
        draft = PairDraft.objects.create(
            study=study,
            file_name=PurePath(file_name).name[:255],
            stored_name=upload.name,
            sha256=upload.sha256,
            bytes=upload.size,
            options={
                "name": name,
                "licence": licence.strip()[:200],
                "source": source.strip()[:500],
                "choices": (choices or Choices()).stored(),
            },
            created_by=actor,
        )
        audit.record("pair_draft.created", study=study, actor=actor, subject=draft, bytes=upload.size)
    return draft


def draft_choose(*, draft: PairDraft, actor: User | None, choices: Choices) -> PairDraft:
    """Settle how the file is read; what was counted of it before is forgotten."""
    with transaction.atomic():
        held = PairDraft.objects.select_for_update().get(pk=draft.pk)
        if held.started_at:
            raise ValidationError(_("This file is being stored already."))
        held.options = {**held.options, "choices": choices.stored()}
        held.preview = {}
        held.save(update_fields=["options", "preview"])
        audit.record("pair_draft.chosen", study=held.study, actor=actor, subject=held, format=choices.format)
    return held


def draft_preview(*, draft: PairDraft, actor: User | None, here: bool = False) -> PairDraft:
    """Count the file: at once where it is small or ``here`` says so, else in the background.

    Where the file can't be read, the preview holds the problem and the step that it asks for.
    """
    try:
        if here or not drafts.is_large(draft):
            return preview_store(draft=draft, preview=drafts.preview_of(draft))
        preview_store(draft=draft, preview=drafts.first_look(draft))
    except FileProblem as problem:
        return preview_store(draft=draft, preview=drafts.problem_stored(problem))
    with transaction.atomic():
        PairDraft.objects.select_for_update().get(pk=draft.pk)
        running = drafts.job_of(draft, drafts.PREVIEW_KIND)
        if running is None or running.is_over:
            job_start(
                study=draft.study,
                kind=drafts.PREVIEW_KIND,
                title=wording(gettext_noop("Read %(file)s"), file=draft.file_name[:150]),
                actor=actor,
                draft=draft.pk,
            )
    return draft


def preview_store(*, draft: PairDraft, preview: dict[str, object]) -> PairDraft:
    PairDraft.objects.filter(pk=draft.pk, started_at=None).update(preview=preview)
    draft.refresh_from_db()
    return draft


def draft_commit(
    *, draft: PairDraft, actor: User | None, skip_bad: bool = False, here: bool = False
) -> Job | None:
    """Store the file's pairs, once: at once, or as the background job that is returned.

    All or nothing: a bad row refuses the file, unless ``skip_bad`` leaves bad rows out. Raises
    ValidationError with the reason. A second commit changes nothing.
    """
    with transaction.atomic():
        held = PairDraft.objects.select_for_update().get(pk=draft.pk)
        if held.committed_at:
            return None
        if held.started_at:
            return drafts.job_of(held, drafts.IMPORT_KIND)
        preview = held.preview
        if not drafts.is_read(held) or "problem" in preview:
            raise ValidationError(preview.get("problem") or _("Look at the file's preview first."))
        if preview["bad"] and not skip_bad:
            raise ValidationError(
                _("Nothing was stored: %(n)d rows are bad. Mend the file, or choose to skip them.")
                % {"n": preview["bad"]}
            )
        running = drafts.job_of(held, drafts.IMPORT_KIND)
        if running is not None and not running.is_over:  # tried again on its own page
            return running
        held.dataset = staging.target_of(held)
        held.started_at = timezone.now()
        held.options = {**held.options, "skip_bad": skip_bad}
        held.save(update_fields=["dataset", "started_at", "options"])
        if not here and preview["pairs"] > drafts.ROWS_A_REQUEST:
            return job_start(
                study=held.study,
                kind=drafts.IMPORT_KIND,
                title=wording(gettext_noop("Store the pairs of %(file)s"), file=held.file_name[:150]),
                actor=actor,
                draft=held.pk,
            )
        _store_all(held)
        draft_finish(draft=held, actor=actor)
    return None


def _store_all(draft: PairDraft) -> None:
    try:
        with drafts.reading_of(draft) as found:
            pairs = (Numbered.of(event, found) for event in found.events if isinstance(event, PairRow))
            while batch := list(islice(pairs, BATCH)):
                staging.batch_stage(draft=draft, batch=batch)
    except FileProblem as problem:
        raise ValidationError(str(problem)) from None


def draft_take_back(*, draft: PairDraft, actor: User | None) -> None:
    """Storing was cancelled or has failed: the draft is as it was before, and what was stored of it, which
    nobody has seen, is deleted in the background."""
    hidden = draft.held_in_id
    draft.started_at, draft.held_in, draft.result = None, None, {}
    draft.save(update_fields=["started_at", "held_in", "result"])
    audit.record("pair_draft.taken_back", study=draft.study, actor=actor, subject=draft)
    if hidden:
        job_start(
            study=draft.study,
            kind=drafts.TAKE_BACK_KIND,
            title=wording(gettext_noop("Take back the pairs of %(file)s"), file=draft.file_name[:150]),
            actor=actor,
            hidden=hidden,
        )


@transaction.atomic
def draft_finish(*, draft: PairDraft, actor: User | None) -> None:
    """All is stored: it becomes the study's, the draft keeps its counts, and its file goes."""
    staging.pairs_publish(draft=draft, actor=actor)
    draft.result = {
        **asdict(Stored.of(draft.result)),
        "skipped": draft.preview["bad"],
        "left": draft.preview["left"],
    }
    draft.committed_at = timezone.now()
    draft.save(update_fields=["result", "committed_at"])
    counts: dict[str, Any] = {name: value for name, value in draft.result.items() if isinstance(value, int)}
    audit.record(
        "pairs.imported",
        study=draft.study,
        actor=actor,
        subject=draft.dataset,
        draft=draft.pk,
        sha256=draft.sha256,
        **counts,
    )
    path = drafts.path_of(draft)
    transaction.on_commit(lambda: path.unlink(missing_ok=True))


@transaction.atomic
def draft_discard(*, draft: PairDraft, actor: User | None) -> None:
    """Throw an uncommitted file away."""
    held = PairDraft.objects.select_for_update().get(pk=draft.pk)
    if held.started_at:
        raise ValidationError(_("This file is being stored already."))
    audit.record("pair_draft.discarded", study=held.study, actor=actor, subject=held)
    path = drafts.path_of(held)
    held.delete()
    transaction.on_commit(lambda: path.unlink(missing_ok=True))
