"""What happens when somebody leaves a study: rooms that hold something for a member have a say.

They register at start-up (in an ``AppConfig.ready``); each is told in the transaction in which the last role
of the person goes.
"""

from __future__ import annotations

from collections.abc import Callable

from apps.studies.models import Participant

#: Takes ``participant`` by name.
Listener = Callable[..., object]

_listeners: list[Listener] = []


def add_listener(listener: Listener) -> None:
    if listener not in _listeners:
        _listeners.append(listener)


def tell(participant: Participant) -> None:
    for listener in _listeners:
        listener(participant=participant)
