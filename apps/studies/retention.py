"""What becomes of a thing that is no longer worked on: another name, put into the archive, or deleted.

Rooms register their things when Django starts (in an ``AppConfig.ready``), so that this one need not know
them. An archived thing stays as it is and is left out of lists. Only what nobody worked on is deleted:
people's answers, and what was published, stay.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.studies import audit
from apps.studies.deletion import remove_all
from apps.studies.models import Study


@dataclass(frozen=True)
class Keepable:
    """A kind of thing, with what its room knows of it.

    ``rename`` gives it another name for an actor.
    ``address`` is its own page, ``among`` that of a study's others of its kind; ``along`` are rows that its
    deletion leaves without a reason to be.
    ``jobs`` are the numbers of background work that is its alone and goes on; ``stop`` cancels it before
    the thing is deleted, and holds it until the transaction ends (docs/developers.md, the lock order).
    """

    kind: str
    model: Any
    rename: Callable[[Any, User, str], Any]
    address: Callable[[Any], str]
    among: Callable[[Study], str]
    along: Callable[[Any], list[Any]] = lambda thing: []
    jobs: Callable[[Any], Collection[int]] = lambda thing: ()
    stop: Callable[[Any, User], None] = lambda thing, actor: None


#: What a room says of a thing before it is deleted: reasons to keep it, and what goes with it, in sentences.
Tell = Callable[[Any], tuple[list[str], list[str]]]
#: What a room says before anything of a study is deleted, but for the work (by its number) that goes with it.
Keep = Callable[[Study, Collection[int]], list[str]]

_kinds: dict[str, Keepable] = {}
_tells: dict[str, list[Tell]] = {}
_keeps: list[Keep] = []
_busy: dict[str, list[Callable[[Any], list[str]]]] = {}


def register(keepable: Keepable) -> None:
    _kinds[keepable.kind] = keepable


def before_deleting(kind: str, tell: Tell) -> None:
    """A room that keeps something of a kind of thing has a say before one is deleted."""
    if tell not in _tells.setdefault(kind, []):
        _tells[kind].append(tell)


def before_deleting_anything(keep: Keep) -> None:
    """A room that is at work in a study has a say before anything of it is deleted: reasons not to, now."""
    if keep not in _keeps:
        _keeps.append(keep)


def before_archiving(kind: str, busy: Callable[[Any], list[str]]) -> None:
    """A room that is at work with a kind of thing has a say before one is archived."""
    if busy not in _busy.setdefault(kind, []):
        _busy[kind].append(busy)


def reasons_not_to_archive(thing: Any) -> list[str]:
    """Why a thing can't be put into the archive, in sentences; empty where it can."""
    return [text for busy in _busy.get(kind_of(thing).kind, []) for text in busy(thing)]


def kind_named(name: str) -> Keepable | None:
    return _kinds.get(name)


def kind_of(thing: Any) -> Keepable:
    return next(keepable for keepable in _kinds.values() if keepable.model is type(thing))


def study_of(thing: Any) -> Study:
    study: Study = thing if isinstance(thing, Study) else thing.study
    return study


def said_before_deleting(thing: Any) -> tuple[list[str], list[str]]:
    """Why a thing can't be deleted (empty where it can), and what goes with it. Nothing is changed."""
    reasons, goes = [], []
    for tell in _tells.get(kind_of(thing).kind, []):
        because, with_it = tell(thing)
        reasons += because
        goes += with_it
    own = kind_of(thing).jobs(thing)
    return reasons + [text for keep in _keeps for text in keep(study_of(thing), own)], goes


def _held(rows: Any, thing: Any) -> Any:
    """The thing's row; 404 where somebody else has deleted it meanwhile, as it is for whoever comes later."""
    return get_object_or_404(rows, pk=thing.pk)


@transaction.atomic
def archive(*, thing: Any, actor: User, archived: bool = True) -> None:
    """Put a thing into the archive, or take it out. ValidationError where it is at work."""
    held = _held(type(thing).objects.select_for_update(no_key=True), thing)
    if bool(held.archived_at) == archived:
        return
    if archived and (busy := reasons_not_to_archive(held)):
        raise ValidationError(busy)
    held.archived_at = timezone.now() if archived else None
    held.save(update_fields=["archived_at"])
    action = "archived" if archived else "unarchived"
    audit.record(f"{kind_of(held).kind}.{action}", study=study_of(held), actor=actor, subject=held)


@transaction.atomic
def delete(*, thing: Any, actor: User, name: str) -> None:
    """Delete a thing with all that belongs to it. ValidationError where somebody's work is in it, or where
    ``name`` is not its name. A line in the trail says so, but for a study, whose trail goes with it."""
    kind_of(thing).stop(thing, actor)
    held = _held(type(thing).objects.select_for_update(), thing)
    if name.strip() != held.name:
        raise ValidationError({"name": _("Type the name as it is written above.")})
    if reasons := said_before_deleting(held)[0]:
        raise ValidationError(reasons)
    if not isinstance(held, Study):
        kind = kind_of(held).kind
        audit.record(f"{kind}.deleted", study=study_of(held), actor=actor, subject=held, name=held.name)
    along = kind_of(held).along(held)
    remove_all(held)
    for row in along:
        remove_all(row)
