"""First answers to test questions: whose they are, which are wrong, which questions are left for somebody."""

from __future__ import annotations

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from apps.campaigns.models import Assignment
from apps.quality.models import TestAnswer, TestQuestion
from apps.studies.models import Participant


def answers_of(campaign: int, participant: int) -> QuerySet[TestAnswer]:
    return TestAnswer.objects.filter(question__campaign=campaign, participant=participant)


def wrong() -> Q:
    """Of first answers: not what the question expects today, which is not forgiven."""
    return ~Q(answer=F("question__expected")) & ~Q(question__state=TestQuestion.State.FORGIVEN)


def questions_left(campaign: int, participant: Participant) -> QuerySet[TestQuestion]:
    """The questions in use that the person has not answered: nobody is asked one twice."""
    answered = Assignment.objects.filter(
        item=OuterRef("item"), participant=participant, state=Assignment.State.SUBMITTED
    )
    return TestQuestion.objects.filter(~Exists(answered), campaign=campaign, state=TestQuestion.State.ACTIVE)
