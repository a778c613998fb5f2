"""What others can be told of, and writing it down: called where it happens, in its transaction."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.studies.models import Study
from apps.webhooks.models import Event


class EventType(models.TextChoices):
    """What an address can be told of. The first word is the event's subject: its number stands under that
    word in the event's data, and the API has an address for it."""

    JUDGEMENT_SUBMITTED = "judgement.submitted", _("an answer was sent or revised")
    CAMPAIGN_FINISHED = "campaign.finished", _("a campaign has all its answers, or was closed")
    RELEASE_READY = "release.ready", _("a release's file is ready")


def subject_of(type_: str) -> str:
    """
    >>> subject_of("judgement.submitted")
    'judgement'
    """
    return type_.partition(".")[0]


def address_name(type_: str) -> str:
    """The name of the API's address of the event's subject, which takes its number."""
    return f"api:{subject_of(type_)}-detail"


def events_record(type_: str, *, study: Study, at: datetime, data: Iterable[dict[str, Any]]) -> None:
    """Record one event for each of ``data``. No query where nobody listens for the type, else one insert.

    ``data`` holds numbers and pseudonyms, no texts: whoever receives it reads the rest through the API.
    ValueError where it lacks the subject's number: the delivery would be without an address.
    """
    if type_ in study.told_events:
        Event.objects.bulk_create(_event(type_, study, at, each) for each in data)


def event_record_once(type_: str, *, study: Study, at: datetime, key: str, data: dict[str, Any]) -> None:
    """Record an event unless the study has one under this key already."""
    if type_ in study.told_events:
        event = _event(type_, study, at, data, key=key)
        Event.objects.bulk_create([event], ignore_conflicts=True)


def _event(type_: str, study: Study, at: datetime, data: dict[str, Any], *, key: str | None = None) -> Event:
    if subject_of(type_) not in data:
        raise ValueError(f"the data of {type_} does not say which {subject_of(type_)}")
    return Event(study=study, type=type_, data=data, key=key, at=at)
