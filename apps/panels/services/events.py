"""What a platform says about a visit, signed: taken once, or refused."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from apps.campaigns.services import leases_release
from apps.frame.clock import database_now
from apps.panels.models import Panel, PanelEvent, Visit
from apps.panels.platforms import EVENT_ID_HEADER, EVENT_SECONDS, PLATFORMS, is_signed
from apps.studies import audit

RETURNED = "RETURNED"
# The person has gone: whatever they hold goes back.
_GONE = {RETURNED, "TIMED-OUT"}


class EventRefused(Exception):
    """An event that is not the platform's, or too old; nothing of it is stored."""


@transaction.atomic
def event_receive(*, panel: Panel, headers: Mapping[str, str], body: bytes) -> PanelEvent | None:
    """Take a signed event; None when it was taken before.

    EventRefused for a wrong or missing signature, and for a time outside the window; ValidationError
    for a body that is signed but no JSON object. A return frees what the person holds and ends the
    visit; their judgements and their pay stay.
    """
    now = database_now()
    sent_at, signature = _verified(panel, headers, body, now)
    content = _content(body)
    event = PanelEvent(
        panel=panel,
        event_id=headers.get(EVENT_ID_HEADER, "")[:200] or signature,
        signature=signature,
        sent_at=sent_at,
        received_at=now,
        event_type=_word(content, "event_type", 100),
        status=_word(content, "status", 40).upper().replace(" ", "-").replace("_", "-"),
        visit=_visit(panel, content),
    )
    try:
        with transaction.atomic():
            event.save()
    except IntegrityError:
        return None
    if event.visit and event.status:
        _apply(event.visit, event.status, now)
    return event


def _verified(panel: Panel, headers: Mapping[str, str], body: bytes, now: datetime) -> tuple[datetime, str]:
    """When the event was signed, and the digest of what was signed; EventRefused otherwise."""
    platform = PLATFORMS[panel.kind]
    timestamp = headers.get(platform.timestamp_header, "")
    if not is_signed(panel.secret, timestamp, body, headers.get(platform.signature_header, "")):
        raise EventRefused(_("The signature is not this panel's."))
    if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 12):
        raise EventRefused(_("The time of the signature makes no sense."))
    sent_at = datetime.fromtimestamp(int(timestamp), UTC)
    if abs(now - sent_at) > timedelta(seconds=EVENT_SECONDS):
        raise EventRefused(_("This was signed too long ago."))
    return sent_at, hashlib.sha256(timestamp.encode() + b"\0" + body).hexdigest()


def _content(body: bytes) -> dict[str, Any]:
    try:
        content = json.loads(body)
    except ValueError as error:
        raise ValidationError(_("The body is not JSON.")) from error
    if not isinstance(content, dict):
        raise ValidationError(_("The body is not a JSON object."))
    return content


def _word(content: dict[str, Any], name: str, longest: int) -> str:
    value = content.get(name, "")
    if not isinstance(value, str) or len(value) > longest or "\0" in value:
        raise ValidationError(_("“%(name)s” must be a short text.") % {"name": name})
    return value.strip()


def _visit(panel: Panel, content: dict[str, Any]) -> Visit | None:
    """The visit that a submission's event speaks of: ``resource_id`` is the session."""
    session = _word(content, "resource_id", 200)
    person = _word(content, "participant_id", 200)
    visits = Visit.objects.filter(panel=panel, session_id=session).exclude(session_id="")
    if person:
        visits = visits.filter(participant__external_id=person)
    return visits.select_related("participant__study").first()


def _apply(visit: Visit, status: str, now: datetime) -> None:
    """Events come in any order: a return stays a return."""
    if visit.returned_at:
        return
    visit.status = status
    if status == RETURNED:
        visit.returned_at = now
    visit.save(update_fields=["status", "returned_at"])
    if status in _GONE:
        leases_release(participant=visit.participant)
    audit.record(
        "visit.status",
        study=visit.participant.study,
        participant=visit.participant,
        subject=visit,
        status=status,
    )
