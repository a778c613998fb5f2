"""Corrections by hand of what the calculus says of a pair beside its label: its direction and its tags.

The calculus' own values stay as it gave them, and a new labelling gives new ones; what was corrected stands
in force beside them until it is taken back. Lists, filters, comparisons and releases go by it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.datasets.models import Correction, Direction, Pair, Tag
from apps.datasets.tags import CORRECTED, MED_TAGS, NATLOG
from apps.studies import audit


@dataclass(frozen=True)
class Said:
    """A pair's direction and tags as they stand without any correction."""

    direction: str
    tags: tuple[str, ...]


def said_of(pair: Pair) -> Said:
    """The direction that a pair came with, else the calculus'; the calculus' tags. One query, none where its
    ``calculus_labels`` were prefetched."""
    current = next((label for label in pair.calculus_labels.all() if label.is_current), None)
    tags = tuple(sorted(current.detail.get("tags", ()))) if current else ()
    return Said(pair.direction or (current.direction if current else ""), tags)


def in_force(pair: Pair) -> Correction | None:
    """One query, none where the pair's ``corrections`` were prefetched."""
    return next((one for one in pair.corrections.all() if one.undone_at is None), None)


@transaction.atomic
def pair_correct(
    *, pair: Pair, actor: User, direction: str, tags: Sequence[str], note: str = ""
) -> Correction:
    """Put a direction and tags (all of the pair's) in place of the calculus', instead of any correction that
    was in force. ValidationError where nothing would differ from what the calculus says."""
    held = Pair.objects.select_for_update(no_key=True).get(pk=pair.pk)
    was = said_of(held)
    wanted = tuple(sorted(set(tags)))
    if direction not in Direction.values and direction != was.direction:
        raise ValidationError({"direction": _("Choose upward, downward or non-monotone.")})
    if unknown := sorted(set(wanted) - {*MED_TAGS, *was.tags}):
        raise ValidationError({"tags": _("%(names)s: no such tag.") % {"names": ", ".join(unknown)}})
    if len(note) > 500 or "\0" in note:
        raise ValidationError({"note": _("At most 500 characters.")})
    if (direction, wanted) == (was.direction, was.tags):
        raise ValidationError(_("This is what the calculus says; there is nothing to correct."))
    _take_back(held, actor)
    made = Correction.objects.create(
        pair=held,
        direction=direction if direction != was.direction else "",
        direction_was=was.direction,
        tags=list(wanted) if wanted != was.tags else None,
        tags_was=list(was.tags),
        note=note.strip(),
        created_by=actor,
    )
    tags_apply([held.pk])
    audit.record(
        "pair.corrected",
        study=held.dataset.study,
        actor=actor,
        subject=held,
        direction=made.direction,
        tags=made.tags,
        direction_was=made.direction_was,
        tags_was=made.tags_was,
    )
    return made


@transaction.atomic
def correction_undo(*, pair: Pair, actor: User) -> None:
    """Take the correction in force back: the calculus' values stand again. ValidationError without one."""
    held = Pair.objects.select_for_update(no_key=True).get(pk=pair.pk)
    if not _take_back(held, actor):
        raise ValidationError(_("Nothing of this pair is corrected, or it was taken back already."))
    tags_apply([held.pk])
    audit.record("pair.correction_undone", study=held.dataset.study, actor=actor, subject=held)


def _take_back(pair: Pair, actor: User) -> int:
    standing = Correction.objects.filter(pair=pair, undone_at=None)
    return standing.update(undone_at=timezone.now(), undone_by=actor)


def tags_apply(pairs: Collection[int]) -> None:
    """Make the tags of pairs those of the calculus' current labels or, where these are corrected, those of
    the correction; in the caller's transaction. Three queries, and those that write."""
    corrections = Correction.objects.filter(pair__in=pairs, undone_at=None, tags__isnull=False)
    corrected = dict(corrections.values_list("pair_id", "tags"))
    labels = Pair.objects.filter(pk__in=pairs, calculus_labels__is_current=True)
    said = {pk: detail.get("tags", ()) for pk, detail in labels.values_list("pk", "calculus_labels__detail")}
    Tag.objects.filter(pair__in=pairs, source__in=[NATLOG, CORRECTED]).delete()
    rows = []
    for pk in pairs:
        own = said.get(pk, ())
        rows += [
            Tag(pair_id=pk, name=name, source=NATLOG if name in own else CORRECTED)
            for name in corrected.get(pk) or ([] if pk in corrected else own)
        ]
    Tag.objects.bulk_create(rows)
