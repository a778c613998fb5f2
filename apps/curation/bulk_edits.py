"""Bulk edits: one tag or flag on many pairs, each change kept so that it can be undone.

A flag is a tag by hand that means something to the program (apps/curation/flags.py). The calculus' own tags
follow its label and are not edited. Small edits are done at once, larger ones by a job; both in the same
steps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from apps.accounts.models import User
from apps.curation.filters import PairFilters
from apps.curation.models import BulkChange, BulkEdit
from apps.datasets.models import Dataset, Tag
from apps.datasets.tags import BY_HAND, CORRECTED, NATLOG
from apps.frame.clock import database_now
from apps.frame.texts import text_checked
from apps.jobs.services import job_start
from apps.jobs.wording import wording
from apps.studies import audit

EDIT_KIND = "datasets.edit"
UNDO_KIND = "datasets.edit_undo"
# As many are changed within the request; more by a job.
AT_ONCE = 500
MOST_TICKED = 1000


@transaction.atomic
def edit_start(
    *,
    dataset: Dataset,
    actor: User,
    action: str,
    tag: str,
    filters: Mapping[str, str] | None = None,
    ticked: Sequence[int] | None = None,
) -> BulkEdit:
    """Add a tag to, or take it from, the pairs that pass ``filters`` (as the pairs' page has them), or the
    ``ticked`` ones. ValidationError where a filter is refused (then nothing would be filtered), where no
    pair is meant, or where the tag is none."""
    if action not in BulkEdit.Action.values:
        raise ValidationError({"action": _("Add or take away.")})
    edit = BulkEdit(
        dataset=dataset,
        action=action,
        tag=_tag_checked(tag),
        filters=dict(filters or {}),
        ticked=_ticked_checked(dataset, ticked),
        created_by=actor,
    )
    meant = pairs_meant(edit)
    edit.matched = meant.count()
    if not edit.matched:
        raise ValidationError(_("No pair is chosen."))
    edit.save()
    if edit.matched <= AT_ONCE:
        edit_apply(edit=edit, pairs=list(meant))
        edit_finish(edit=edit)
        return edit
    edit.job = job_start(
        study=dataset.study,
        kind=EDIT_KIND,
        title=wording(gettext_noop("Bulk edit of %(name)s"), name=dataset.name),
        actor=actor,
        dataset=dataset.pk,
        edit=edit.pk,
    )
    edit.save(update_fields=["job"])
    return edit


def _tag_checked(tag: str) -> str:
    tag = text_checked(" ".join(tag.split()), "tag")
    if len(tag) > 60:
        raise ValidationError({"tag": _("At most 60 characters.")})
    return tag


def _ticked_checked(dataset: Dataset, ticked: Sequence[int] | None) -> list[int] | None:
    if ticked is None:
        return None
    if len(ticked) > MOST_TICKED:
        raise ValidationError(_("At most %(n)d pairs can be ticked.") % {"n": MOST_TICKED})
    return sorted(dataset.pairs.filter(pk__in=ticked).values_list("pk", flat=True))


def pairs_meant(edit: BulkEdit) -> Any:
    """The numbers of the pairs that an edit is about, as they are now, in order."""
    if edit.ticked is not None:
        return edit.dataset.pairs.filter(pk__in=edit.ticked).order_by("pk").values_list("pk", flat=True)
    sent = QueryDict(mutable=True)
    sent.update(edit.filters)
    # The last pair that had the tag may have lost it to this very edit.
    form = PairFilters(sent, dataset=edit.dataset, tags=[edit.tag])
    if not form.is_valid():
        raise ValidationError([str(error) for errors in form.errors.values() for error in errors])
    return form.numbers()


@transaction.atomic
def edit_apply(*, edit: BulkEdit, pairs: Sequence[int]) -> None:
    """Change some of an edit's pairs, and keep what was changed. Idempotent."""
    if edit.action == BulkEdit.Action.ADD:
        there = Tag.objects.filter(pair__in=pairs, name=edit.tag, source=BY_HAND)
        fresh = sorted(set(pairs) - set(there.values_list("pair_id", flat=True)))
        Tag.objects.bulk_create(
            [Tag(pair_id=pk, name=edit.tag, source=BY_HAND) for pk in fresh], ignore_conflicts=True
        )
        changes = [(pk, BY_HAND) for pk in fresh]
    else:
        having = Tag.objects.filter(pair__in=pairs, name=edit.tag).exclude(source__in=[NATLOG, CORRECTED])
        changes = list(having.order_by("pair_id", "source").values_list("pair_id", "source"))
        having.delete()
    BulkChange.objects.bulk_create(
        [BulkChange(edit=edit, pair_id=pk, source=source) for pk, source in changes], ignore_conflicts=True
    )


@transaction.atomic
def edit_finish(*, edit: BulkEdit) -> None:
    """Count what was changed, and say so in the trail, once."""
    edit.changed = edit.changes.values("pair").distinct().count()
    edit.finished_at = database_now()
    edit.save(update_fields=["changed", "finished_at"])
    audit.record(
        "pairs.edited",
        study=edit.dataset.study,
        actor=edit.created_by,
        subject=edit,
        dataset=edit.dataset.name,
        edit=edit.action,
        tag=edit.tag,
        filters=edit.filters,
        ticked=len(edit.ticked) if edit.ticked is not None else None,
        matched=edit.matched,
        changed=edit.changed,
    )


# ---- Undo ------------------------------------------------------------------------------------


def may_undo(edit: BulkEdit) -> bool:
    """Whether it is over, has changed something, and nobody has taken it back."""
    over = edit.finished_at is not None or (edit.job is not None and edit.job.is_over)
    going = edit.undo_job is not None and not edit.undo_job.is_over
    return over and not edit.undone_at and not going


@transaction.atomic
def undo_start(*, edit: BulkEdit, actor: User) -> BulkEdit:
    """Take an edit back: what it added goes, what it took away comes back. Of pairs that were changed
    again since then, too: the tag is then as it was before *this* edit."""
    held = BulkEdit.objects.select_for_update().get(pk=edit.pk)
    if not may_undo(held):
        raise ValidationError(_("This edit is still under way, or was undone already."))
    held.undone_by = actor
    changes = list(held.changes.values_list("pk", flat=True)[: AT_ONCE + 1])
    if len(changes) <= AT_ONCE:
        undo_apply(edit=held, changes=changes)
        undo_finish(edit=held)
        return held
    held.undo_job = job_start(
        study=held.dataset.study,
        kind=UNDO_KIND,
        title=wording(gettext_noop("Undoing a bulk edit of %(name)s"), name=held.dataset.name),
        actor=actor,
        dataset=held.dataset_id,
        edit=held.pk,
    )
    held.save(update_fields=["undo_job", "undone_by"])
    return held


@transaction.atomic
def undo_apply(*, edit: BulkEdit, changes: Sequence[int]) -> None:
    """Turn some of an edit's changes back. Idempotent."""
    rows = list(edit.changes.filter(pk__in=changes).values_list("pair_id", "source"))
    if edit.action == BulkEdit.Action.ADD:
        added = Tag.objects.filter(pair__in=[pk for pk, _source in rows], name=edit.tag, source=BY_HAND)
        added.delete()
        return
    Tag.objects.bulk_create(
        [Tag(pair_id=pk, name=edit.tag, source=source) for pk, source in rows], ignore_conflicts=True
    )


@transaction.atomic
def undo_finish(*, edit: BulkEdit) -> None:
    edit.undone_at = database_now()
    edit.save(update_fields=["undone_at", "undone_by"])
    audit.record(
        "pairs.edit_undone",
        study=edit.dataset.study,
        actor=edit.undone_by,
        subject=edit,
        dataset=edit.dataset.name,
        edit=edit.action,
        tag=edit.tag,
        changed=edit.changes.values("pair").distinct().count(),
    )
