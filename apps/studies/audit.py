"""The one way into the audit trail: every service that writes calls :func:`record`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db import models

from apps.accounts.models import User
from apps.studies.models import AuditEvent, Participant, Study
from apps.studies.rows import insert


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


def record_each(
    action: str,
    *,
    study: int,
    participant: int,
    subjects: Sequence[tuple[models.Model, dict[str, Any]]],
) -> None:
    """The same event for each of several things that a participant (by number) did at once."""
    for subject, data in subjects:
        insert(
            AuditEvent(
                study_id=study,
                participant_id=participant,
                action=action,
                object_type=subject._meta.model_name or "",
                object_id=subject.pk,
                data=data,
            )
        )
