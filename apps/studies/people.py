"""Who belongs to a study, and who did: what pages about its people read."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q, QuerySet

from apps.accounts.models import User
from apps.studies.models import Membership, Participant, Role, Study


def annotators_of(study: Study) -> QuerySet[User]:
    """The members with the role of annotator, by name."""
    return User.objects.filter(memberships__study=study, memberships__role=Role.ANNOTATOR).order_by(
        "name", "email"
    )


def with_departure(participants: QuerySet[Participant]) -> QuerySet[Participant]:
    """Participants with ``has_left``: whether their person is no member any more, or was erased. Whoever
    came from a panel or is a program has not left: they never were a member."""
    member = Membership.objects.filter(study=OuterRef("study"), user=OuterRef("user"))
    gone = Q(erased_at__isnull=False) | (Q(user__isnull=False) & ~Exists(member))
    return participants.annotate(has_left=gone)
