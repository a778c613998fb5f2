"""What a signal is, and what each one reads its number from.

Shares are in [0, 1], speed in seconds, a row of same answers is a count. A signal that has too little to
go by is None: nobody is judged on nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from django.db.models import QuerySet

from apps.campaigns.models import Campaign, Judgement
from apps.quality.models import Rule
from apps.quality.models.signal_rules import RuleSignal

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

ALL_TASKS = frozenset(Campaign.Task.values)
CREATION = frozenset({Campaign.Task.CREATION.value})
JUDGING = ALL_TASKS - CREATION


@dataclass(frozen=True)
class Reading:
    """A signal's value over so many answers."""

    value: float
    answers: int


@dataclass(frozen=True)
class Signal:
    """One of :class:`RuleSignal`: how it is read for a rule and a participant's number (of answers after a
    moment), for which tasks it means something, and what whoever it speaks of is told.

    ``fires_above``: high values are the bad ones. ``of_quizzes``: a quiz that is waived or begun again counts
    no more.
    """

    key: RuleSignal
    read: Callable[[Rule, int, datetime | None], Reading | None]
    warning: StrOrPromise
    tasks: frozenset[str] = ALL_TASKS
    is_share: bool = False
    fires_above: bool = False
    of_quizzes: bool = False

    def speaks_at(self, value: float, threshold: float) -> bool:
        """At or above the threshold where much is bad, below it for the others."""
        return value >= threshold if self.fires_above else value < threshold


def given(rule: Rule, participant: int, since: datetime | None) -> QuerySet[Judgement]:
    """Somebody's answers that a rule looks at, the latest first."""
    found = Judgement.objects.filter(item__campaign=rule.campaign_id, participant=participant)
    if since:
        found = found.filter(submitted_at__gt=since)
    return found.order_by("-submitted_at", "-pk")


def share(hits: Sequence[bool]) -> Reading | None:
    return Reading(sum(hits) / len(hits), len(hits)) if hits else None
