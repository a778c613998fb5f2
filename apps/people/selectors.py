"""Who belongs to a study: what pages about its people read."""

from __future__ import annotations

from collections.abc import Callable

from django.db.models import QuerySet
from django.db.models.expressions import Combinable

from apps.accounts.models import User
from apps.studies.models import Participant, Role, Study
from apps.studies.selectors import has_left

_counts: dict[str, Callable[[], Combinable]] = {}


def add_count(name: str, count: Callable[[], Combinable]) -> None:
    """A room that counts something of each participant, as ``name``, registers it at start-up."""
    _counts[name] = count


def annotators_in(study: Study) -> QuerySet[Participant]:
    """Whoever judges, or did, with ``has_left`` and what the rooms count (``answers``)."""
    counts = {name: count() for name, count in _counts.items()}
    rows = Participant.objects.filter(study=study).annotate(has_left=has_left(), **counts)
    return rows.order_by("pseudonym")


def annotators_of(study: Study) -> QuerySet[User]:
    """The members with the role of annotator, by name."""
    return User.objects.filter(memberships__study=study, memberships__role=Role.ANNOTATOR).order_by(
        "name", "email"
    )
