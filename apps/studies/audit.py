"""The one way into the audit trail: every service that writes calls :func:`record`."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db import models

from apps.accounts.models import User
from apps.studies.models import AuditEvent, Participant, Study


def record(
    action: str,
    *,
    study: Study | None,
    actor: User | AnonymousUser | None = None,
    participant: Participant | None = None,
    subject: models.Model | None = None,
    **data: Any,
) -> AuditEvent:
    """Add an event such as ``corpus.imported``; ``data`` holds counts and names, no personal text."""
    return AuditEvent.objects.create(
        study=study,
        actor=actor if isinstance(actor, User) else None,
        participant=participant,
        action=action,
        object_type=subject._meta.model_name or "" if subject else "",
        object_id=subject.pk if subject else None,
        data=data,
    )


def event_of(
    action: str, *, study: int, participant: int, subject: type[models.Model], **data: Any
) -> AuditEvent:
    """The event of something that a participant (by number) did, to be written in the statement that writes
    its subject (:func:`apps.frame.rows.insert_with`, under ``object_id``)."""
    return AuditEvent(
        study_id=study,
        participant_id=participant,
        action=action,
        object_type=subject._meta.model_name or "",
        data=data,
    )
