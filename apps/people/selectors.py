"""Who belongs to a study: what pages about its people read."""

from __future__ import annotations

from django.db.models import QuerySet

from apps.accounts.models import User
from apps.studies.models import Role, Study


def annotators_of(study: Study) -> QuerySet[User]:
    """The members with the role of annotator, by name."""
    return User.objects.filter(memberships__study=study, memberships__role=Role.ANNOTATOR).order_by(
        "name", "email"
    )
