"""Writes for files of predictions: a draft to look at, then one commit that may be repeated."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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
from apps.imports import bulk
from apps.imports.drafts import problem_stored
from apps.imports.models import PredictionDraft
from apps.imports.predictions import drafts
from apps.imports.predictions.matching import Matched
from apps.imports.uploads import kept
from apps.inference.models import Model, Prediction, Run
from apps.jobs.models import Job
from apps.jobs.services import job_start
from apps.jobs.wording import wording
from apps.studies import audit

FIRST_VERSION = "1"
_LONGEST_NAME, _LONGEST_VERSION = 160, 38


def predictions_draft_create(
    *,
    dataset: Dataset,
    actor: User | None,
    model_name: str,
    file_name: str,
    chunks: Iterable[bytes],
    version: str = "",
    options: Mapping[str, Any] | None = None,
) -> PredictionDraft:
    """Keep a file of what a model says of a dataset's pairs, for its preview; nothing of it is a prediction
    yet. ``options``: encoding, member (of an archive), values (what its own labels stand for). Raises
    ValidationError for a file that is too large, and for a name or version that can't be one."""
    if dataset.kind != Dataset.Kind.PAIRS:
        raise ValidationError({"dataset": _("Choose a dataset of pairs of this study.")})
    name = line_checked(" ".join(model_name.split()), "model_name")
    version = line_checked(" ".join(version.split()) or FIRST_VERSION, "version")
    if len(name) > _LONGEST_NAME:
        raise ValidationError({"model_name": _("At most %(n)d characters.") % {"n": _LONGEST_NAME}})
    if len(version) > _LONGEST_VERSION:
        raise ValidationError({"version": _("At most %(n)d characters.") % {"n": _LONGEST_VERSION}})
    with kept(chunks) as upload, transaction.atomic():
        draft = PredictionDraft.objects.create(
            dataset=dataset,
            model_name=name,
            version=version,
            file_name=PurePath(file_name).name[:255],
            stored_name=upload.name,
            sha256=upload.sha256,
            bytes=upload.size,
            options=dict(options or {}),
            created_by=actor,
        )
        audit.record(
            "prediction_draft.created", study=dataset.study, actor=actor, subject=draft, bytes=upload.size
        )
    return draft


def predictions_draft_choose(
    *, draft: PredictionDraft, actor: User | None, options: Mapping[str, Any]
) -> PredictionDraft:
    """Settle how the file is read; what was counted of it before is forgotten."""
    with transaction.atomic():
        held = _held(draft)
        if held.started_at:
            raise ValidationError(_("This file is being stored already."))
        held.options = {**held.options, **options}
        held.preview = {}
        held.save(update_fields=["options", "preview"])
        audit.record("prediction_draft.chosen", study=held.dataset.study, actor=actor, subject=held)
    return held


def predictions_preview(*, draft: PredictionDraft, actor: User | None, here: bool = False) -> PredictionDraft:
    """Read the file and match its rows: at once where it is small or ``here`` says so, else in the
    background. Where it can't be read, the preview holds the problem and the step that it asks for."""
    if here or not drafts.is_large(draft):
        return preview_store(draft=draft, preview=_counted(draft))
    with transaction.atomic():
        _held(draft)
        running = drafts.job_of(draft, drafts.PREVIEW_KIND)
        if running is None or running.is_over:
            job_start(
                study=draft.dataset.study,
                kind=drafts.PREVIEW_KIND,
                title=wording(gettext_noop("Read %(file)s"), file=draft.file_name[:150]),
                actor=actor,
                draft=draft.pk,
            )
    return draft


def _counted(draft: PredictionDraft) -> dict[str, Any]:
    matching = drafts.matching_of(draft)
    try:
        with drafts.reading_of(draft) as rows:
            for _batch in matching.batches(rows):
                pass
    except FileProblem as problem:
        return problem_stored(problem)
    return matching.stored(draft.model_name, draft.version)


def preview_store(*, draft: PredictionDraft, preview: Mapping[str, Any]) -> PredictionDraft:
    PredictionDraft.objects.filter(pk=draft.pk, started_at=None).update(preview=preview)
    draft.refresh_from_db()
    return draft


@transaction.atomic
def predictions_commit(
    *, draft: PredictionDraft, actor: User | None, skip_bad: bool = False, here: bool = False
) -> Job | None:
    """Store the file's predictions as a run, once: as the background job that is returned, or at once where
    ``here`` says so. A bad row refuses the file, unless ``skip_bad`` leaves bad rows out. A second commit,
    and the same predictions of the same model again, change nothing. Raises ValidationError."""
    held = _held(draft)
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
    if not preview["predictions"]:
        raise ValidationError(_("Nothing was stored: the file predicts no pair of this dataset."))
    running = drafts.job_of(held, drafts.IMPORT_KIND)
    if running is not None and not running.is_over:  # tried again on its own page
        return running
    model = _model(held, actor)
    there = Run.objects.filter(model=model, dataset=held.dataset, fingerprint=preview["fingerprint"]).first()
    if there is not None:
        return _committed_before(held, there)
    refuse_other_predictions(held, model)
    held.run = Run.objects.create(model=model, dataset=held.dataset, fingerprint=preview["fingerprint"])
    held.started_at = timezone.now()
    held.save(update_fields=["run", "started_at"])
    audit.record("run.started", study=model.study, actor=actor, subject=held.run, dataset=held.dataset.name)
    if here:
        _store_all(held)
        predictions_finish(draft=held, actor=actor)
        return None
    job = job_start(
        study=model.study,
        kind=drafts.IMPORT_KIND,
        title=f"{model.name} × {held.dataset.name}"[:200],
        actor=actor,
        draft=held.pk,
    )
    held.run.job = job
    held.run.save(update_fields=["job"])
    return job


def _held(draft: PredictionDraft) -> PredictionDraft:
    found = PredictionDraft.objects.select_for_update(of=("self",)).select_related("dataset__study", "run")
    return found.get(pk=draft.pk)


def _model(draft: PredictionDraft, actor: User | None) -> Model:
    """The model of the stated name and version, locked; made where there is none."""
    study = draft.dataset.study
    model, is_new = Model.objects.get_or_create(
        study=study,
        name=drafts.full_name(draft),
        defaults={
            "kind": Model.Kind.FILE,
            "config": {"model": draft.model_name, "version": draft.version},
            "created_by": actor,
        },
    )
    if is_new:
        audit.record("model.registered", study=study, actor=actor, subject=model, kind=model.kind)
    if model.kind != Model.Kind.FILE:
        raise ValidationError(_("This study has another model of that name."))
    return Model.objects.select_for_update().get(pk=model.pk)


def refuse_other_predictions(draft: PredictionDraft, model: Model) -> None:
    """Nothing is overwritten: another file about the same pairs is another version. ValidationError."""
    if Run.objects.filter(model=model, dataset=draft.dataset).exists():
        raise ValidationError(
            _(
                "Version “%(version)s” of %(name)s has other predictions of this dataset already. Nothing is "
                "overwritten: give this file a version of its own."
            )
            % {"version": draft.version, "name": draft.model_name}
        )


def _committed_before(draft: PredictionDraft, run: Run) -> Job | None:
    """The same predictions are there, or on their way: this draft ends with them."""
    if run.job is not None and not run.job.is_over:
        return run.job
    draft.run, draft.started_at, draft.committed_at = run, timezone.now(), timezone.now()
    draft.save(update_fields=["run", "started_at", "committed_at"])
    _forget_file(draft)
    return None


def _store_all(draft: PredictionDraft) -> None:
    matching = drafts.matching_of(draft)
    try:
        with drafts.reading_of(draft) as rows:
            for batch in matching.batches(rows):
                predictions_store(draft=draft, batch=batch)
    except FileProblem as problem:
        raise ValidationError(str(problem)) from None
    refuse_changed(draft, matching.fingerprint(draft.model_name, draft.version))


def predictions_store(*, draft: PredictionDraft, batch: Iterable[Matched]) -> None:
    """Add a batch to the draft's run, in the caller's transaction."""
    now = timezone.now()
    bulk.insert(
        Prediction,
        ("run", "pair", "label", "scores", "created_at"),
        ((draft.run_id, row.pair, row.label, dict(row.scores), now) for row in batch),
    )


def refuse_changed(draft: PredictionDraft, fingerprint: str) -> None:
    """ValidationError where what was stored isn't what the preview had found: a pair went, or the file."""
    if fingerprint != draft.preview["fingerprint"]:
        raise ValidationError(_("The pairs or the file changed since the preview. Look at it again."))


@transaction.atomic
def predictions_finish(*, draft: PredictionDraft, actor: User | None) -> dict[str, int]:
    """All is stored: the draft is committed, and its file goes. Returns the counts."""
    draft.committed_at = timezone.now()
    draft.save(update_fields=["committed_at"])
    counts = {name: draft.preview[name] for name in ("rows", "predictions", "pending", "bad")}
    audit.record(
        "predictions.imported",
        study=draft.dataset.study,
        actor=actor,
        subject=draft.run,
        draft=draft.pk,
        sha256=draft.sha256,
        **counts,
    )
    _forget_file(draft)
    return counts


def predictions_take_back(*, draft: PredictionDraft, actor: User | None) -> None:
    """Storing was cancelled or has failed: the draft is as it was before, without a run. The model stays,
    as every registered one."""
    run = draft.run
    draft.started_at, draft.run = None, None
    draft.save(update_fields=["started_at", "run"])
    if run is not None:
        run.delete()
    audit.record("prediction_draft.taken_back", study=draft.dataset.study, actor=actor, subject=draft)


@transaction.atomic
def predictions_draft_discard(*, draft: PredictionDraft, actor: User | None) -> None:
    """Throw an uncommitted file away."""
    held = _held(draft)
    if held.started_at:
        raise ValidationError(_("This file is being stored already."))
    audit.record("prediction_draft.discarded", study=held.dataset.study, actor=actor, subject=held)
    held.delete()
    _forget_file(held)


def _forget_file(draft: PredictionDraft) -> None:
    path = drafts.path_of(draft)
    transaction.on_commit(lambda: path.unlink(missing_ok=True))
