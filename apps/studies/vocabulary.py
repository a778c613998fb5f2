"""What the trail is told in: the words of every room.

A room names its actions, what they were done to, and their details in its ``trail_words.py``, and registers
them at start-up (in an ``AppConfig.ready``). An action that is recorded and not named shows as its code;
``tests/studies/test_trail.py`` finds it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db import models
from django.utils.functional import Promise

Text = str | Promise


@dataclass(frozen=True)
class Group:
    """What is shown of the trail at once. ``is_answers``: what people did in the study, rather than to it."""

    key: str
    title: Text
    place: int
    is_answers: bool = False


@dataclass(frozen=True, eq=False)
class Words:
    """What a room says of its part of the trail.

    ``actions`` stand under their codes, ``details`` under their names, ``kinds`` of things under the names of
    their models. ``groups`` are those that the room adds; ``within`` says to which group, maybe another
    room's, the first words of its actions belong. ``named`` are kinds of things with a name of their own.
    ``choices`` are details that are one of a field's choices, by the action's first word and the detail's
    name; ``fields`` says whose fields the names of what changed are, by the action's first word.
    """

    actions: Mapping[str, Text]
    within: Mapping[str, tuple[str, ...]]
    groups: tuple[Group, ...] = ()
    details: Mapping[str, Text] = field(default_factory=dict)
    kinds: Mapping[str, Text] = field(default_factory=dict)
    named: Mapping[str, type[models.Model]] = field(default_factory=dict)
    choices: Mapping[tuple[str, str], Any] = field(default_factory=dict)
    fields: Mapping[str, type[models.Model]] = field(default_factory=dict)


ACTIONS: dict[str, Text] = {}
DETAILS: dict[str, Text] = {}
KINDS: dict[str, Text] = {}
NAMED: dict[str, type[models.Model]] = {}
CHOICES: dict[tuple[str, str], Any] = {}
FIELDS: dict[str, type[models.Model]] = {}
_groups: dict[str, Group] = {}
_within: dict[str, set[str]] = {}
_registered: list[Words] = []


def register(words: Words) -> None:
    """Add a room's words. ValueError where another room says one of them already."""
    if words in _registered:
        return
    _registered.append(words)
    _add(ACTIONS, words.actions)
    _add(DETAILS, words.details)
    _add(KINDS, words.kinds)
    _add(NAMED, words.named)
    _add(CHOICES, words.choices)
    _add(FIELDS, words.fields)
    _add(_groups, {group.key: group for group in words.groups})
    for key, firsts in words.within.items():
        _within.setdefault(key, set()).update(firsts)


def _add(known: dict[Any, Any], new: Mapping[Any, Any]) -> None:
    if twice := known.keys() & new.keys():
        raise ValueError(f"the trail has words for {sorted(twice)} already")
    known.update(new)


def groups() -> list[Group]:
    """What the trail can be narrowed to, in order."""
    return sorted(_groups.values(), key=lambda group: group.place)


def firsts_of(key: str) -> list[str]:
    """The first words of a group's actions."""
    return sorted(_within[key])
