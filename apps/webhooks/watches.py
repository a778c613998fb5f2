"""Events that nobody can record where they happen: they are looked for every now and then.

A room registers at start-up (in an ``AppConfig.ready``) what it looks for. Only studies with a webhook that
wants to know are looked at.
"""

from __future__ import annotations

from collections.abc import Callable

from apps.webhooks.events import EventType
from apps.webhooks.models import Webhook

#: Records what is found in some studies, by their numbers.
Look = Callable[[set[int]], None]

_looks: dict[EventType, Look] = {}


def add(event: EventType, look: Look) -> None:
    _looks[event] = look


def watch() -> None:
    """Look for every kind of event that some webhook wants. One query where none does."""
    hooks = list(Webhook.objects.filter(disabled_at=None).values_list("study", "events"))
    for event, look in _looks.items():
        if studies := {study for study, events in hooks if event in events}:
            look(studies)
