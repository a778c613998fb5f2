"""Writing down what happened, for those who want to be told. Called where it happens, in its transaction."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from apps.studies.models import Study
from apps.webhooks.models import Event


def events_record(type_: str, *, study: Study, at: datetime, data: Iterable[dict[str, Any]]) -> None:
    """Record one event for each of ``data``. No query where nobody listens for the type, else one insert.

    ``data`` holds numbers and pseudonyms, no texts: whoever receives it reads the rest through the API.
    """
    if type_ in study.told_events:
        Event.objects.bulk_create(Event(study=study, type=type_, data=each, at=at) for each in data)


def event_record_once(type_: str, *, study: Study, at: datetime, key: str, data: dict[str, Any]) -> None:
    """Record an event unless the study has one under this key already."""
    if type_ in study.told_events:
        event = Event(study=study, type=type_, data=data, key=key, at=at)
        Event.objects.bulk_create([event], ignore_conflicts=True)
