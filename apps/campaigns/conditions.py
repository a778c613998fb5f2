"""What a campaign asks of its people beside its own rules, in words, for its pages.

Rooms that ask for something register when Django starts (in an ``AppConfig.ready``): a module with the three
functions of :class:`Asking`.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

from apps.campaigns.models import Campaign
from apps.campaigns.presets import Preset


class Setting(NamedTuple):
    """A setting's name and what it is, both in the reader's language."""

    title: str
    text: str


class Asking(Protocol):
    def asked_in(self, campaign: Campaign, /) -> list[Setting]:
        """What the campaign asks; empty where it asks for nothing."""

    def asked_by(self, preset: Preset, /) -> list[Setting]:
        """What choosing the preset asks of people, beside the fields of the form."""

    def differs(self, campaign: Campaign, preset: Preset, /) -> bool:
        """Whether the campaign asks for something else now than the preset does."""


_rooms: list[Asking] = []


def add(room: Asking) -> None:
    if room not in _rooms:
        _rooms.append(room)


def asked_in(campaign: Campaign) -> list[Setting]:
    return [setting for room in _rooms for setting in room.asked_in(campaign)]


def asked_by(preset: Preset) -> list[Setting]:
    return [setting for room in _rooms for setting in room.asked_by(preset)]


def is_changed(campaign: Campaign, preset: Preset) -> bool:
    """Whether a rule, or something asked, is another now than the preset's: then the campaign is after the
    paper, and not as in it."""
    rules = any(getattr(campaign, name) != value for name, value in preset.rules.items())
    return rules or any(room.differs(campaign, preset) for room in _rooms)
