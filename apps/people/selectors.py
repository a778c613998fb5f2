"""Who belongs to a study: what pages about its people read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db.models import QuerySet

from apps.accounts.models import User
from apps.studies.models import Participant, Role, Study
from apps.studies.selectors import has_left

# What gives a study's answers, kept: a "Found" of apps/tallies/selectors.py, whose value is by the number of
# their participant, as text.
Count = Callable[[Study], Any]
_counts: list[Count] = []


def add_count(count: Count) -> None:
    """The room that counts answers registers it at start-up."""
    _counts.append(count)


def annotators_in(study: Study) -> QuerySet[Participant]:
    """Whoever judges, or did, with ``has_left``."""
    return Participant.objects.filter(study=study).annotate(has_left=has_left()).order_by("pseudonym")


def answers_in(study: Study) -> Any:
    """How many answers each of them gave, by their number as text."""
    (count,) = _counts
    return count(study)


def annotators_of(study: Study) -> QuerySet[User]:
    """The members with the role of annotator, by name."""
    return User.objects.filter(memberships__study=study, memberships__role=Role.ANNOTATOR).order_by(
        "name", "email"
    )
