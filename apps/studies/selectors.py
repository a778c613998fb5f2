"""What a study's pages read."""

from __future__ import annotations

from django.db.models import Case, Exists, OuterRef, Q, QuerySet, Value, When

from apps.accounts.models import User
from apps.studies.models import Membership, Study


def studies_of(user: User, *, archived: bool = False) -> QuerySet[Study]:
    return Study.objects.filter(memberships__user=user, archived_at__isnull=not archived).distinct()


def has_left(participant: str = "") -> Case:
    """Whether somebody, by the path to the participant, is a member no more or was erased. Whoever came by a
    panel or with a file never was one; what a person who left has judged stays where it is."""
    member = Membership.objects.filter(
        study=OuterRef(f"{participant}study"), user=OuterRef(f"{participant}user")
    )
    gone = Q(**{f"{participant}erased_at__isnull": False}) | Q(
        ~Exists(member), **{f"{participant}user__isnull": False}
    )
    return Case(When(gone, then=Value(True)), default=Value(False))
