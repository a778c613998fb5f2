"""The rooms of a study: what its sidebar and its overview list.

A room registers at start-up (in an ``AppConfig.ready``) what it is called, where in the order of the work it
stands, and what it holds; so that adding one touches no other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from django.db.models import Exists, QuerySet
from django.urls import reverse
from django.utils.functional import Promise

from apps.studies.models import Study


@dataclass(frozen=True)
class Contents:
    """What is in a room: ``unit`` is the word for what is counted ("corpora"), ``text`` says more of it."""

    count: int
    unit: str
    text: str


@dataclass(frozen=True)
class Room:
    """``place`` sorts the rooms, ``address`` names the page that one enters by. ``contents`` makes a room a
    step of the work, which the overview of a study without a campaign shows; ``first`` says what to do while
    it is empty. The step is done where there are ``rows``, or those of the room ``spared_by``: whoever brings
    pairs in needs no sentences."""

    name: str
    title: str | Promise
    place: int
    address: str
    contents: Callable[[Study], Contents] | None = None
    first: str | Promise = ""
    rows: Callable[[Study], QuerySet[Any]] | None = None
    spared_by: str = ""

    def url(self, study: Study) -> str:
        return reverse(self.address, args=[study.slug])


@dataclass(frozen=True)
class Step:
    """One room of a study in the order of the work: what is there, or what to do first."""

    title: str
    url: str
    count: int
    unit: str
    text: str


_rooms: dict[str, Room] = {}
_namespaces: dict[str, str] = {}


def register(room: Room, *namespaces: str) -> None:
    """Add a room; pages with addresses in ``namespaces`` stand in it."""
    _rooms[room.name] = room
    belong(*namespaces, to=room.name)


def belong(*namespaces: str, to: str) -> None:
    """Pages with addresses in ``namespaces`` stand in the room ``to``, which another app may have added."""
    _namespaces.update(dict.fromkeys(namespaces, to))


def work() -> list[Room]:
    """The rooms that are steps of the work, in its order."""
    return [room for room in _in_order() if room.contents]


def beside_the_work() -> list[Room]:
    return [room for room in _in_order() if not room.contents]


def _in_order() -> list[Room]:
    return sorted(_rooms.values(), key=attrgetter("place"))


def room_of(namespace: str) -> Room | None:
    """Where a page stands, by the namespace of its address."""
    return _rooms.get(_namespaces.get(namespace, ""))


def steps_of(study: Study) -> list[Step]:
    """The steps of the work with what each holds. Some queries for each."""
    return [_step(room, room.contents(study), study) for room in work() if room.contents]


def first_undone(study: Study) -> Room | None:
    """The first step of the work that nobody has done; None where each has been. One query, which looks for
    one row of each room."""
    asked = {f"{room.name}_done": Exists(room.rows(study)) for room in work() if room.rows}
    row = Study.objects.filter(pk=study.pk).values(**asked).get()
    done = {room.name for room in work() if row.get(f"{room.name}_done", True)}
    return next((room for room in work() if not done & {room.name, room.spared_by}), None)


def _step(room: Room, found: Contents, study: Study) -> Step:
    text = found.text if found.count else str(room.first)
    return Step(str(room.title), room.url(study), found.count, found.unit, text)
