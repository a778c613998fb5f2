"""Trust: the share of test questions that somebody answered right, by the questions as they are today."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count

from apps.campaigns.models import Campaign
from apps.quality.models import TestQuestion
from apps.quality.question_answers import answers_of, wrong
from apps.studies.models import Participant


@dataclass(frozen=True)
class Trust:
    """Test questions that somebody answered, forgiven ones left out, and how many of them right."""

    right: int
    shown: int

    @property
    def share(self) -> float | None:
        return self.right / self.shown if self.shown else None


def trust_of(campaign: Campaign, participant: Participant) -> Trust:
    """One query."""
    answers = answers_of(campaign.pk, participant.pk).exclude(question__state=TestQuestion.State.FORGIVEN)
    counts = answers.aggregate(shown=Count("pk"), wrong=Count("pk", filter=wrong()))
    return Trust(counts["shown"] - counts["wrong"], counts["shown"])
