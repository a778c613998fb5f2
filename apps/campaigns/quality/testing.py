"""Test questions at work: the quiz, their place among the others, and the trust that follows.

Nothing here is stored but each person's first answer (:class:`TestAnswer`). The quiz' outcome and trust are
computed from these answers and the questions as they are today, so that a question that is forgiven, or
whose expected answer is put right, changes both for everybody at once.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from apps.campaigns.models import (
    Assignment,
    Campaign,
    Item,
    Judgement,
    Quality,
    QualityAction,
    TestAnswer,
    TestQuestion,
)
from apps.studies.models import Participant


@dataclass(frozen=True)
class Quiz:
    """Somebody's quiz: ``size`` questions (fewer than set where there are not so many), of which
    ``allowed`` may be wrong. An answer to a forgiven question is answered, and not wrong."""

    size: int
    allowed: int
    answered: int
    wrong: int
    is_waived: bool = False

    @property
    def is_running(self) -> bool:
        return self.answered < self.size and not self.is_waived

    @property
    def is_failed(self) -> bool:
        return self.wrong > self.allowed and not self.is_waived

    @property
    def is_open(self) -> bool:
        """Whether there are questions to answer before the work."""
        return self.is_running and not self.is_failed

    @property
    def right(self) -> int:
        return self.answered - self.wrong

    @property
    def left(self) -> int:
        return max(0, self.size - self.answered)


@dataclass(frozen=True)
class Trust:
    """Test questions that somebody answered, forgiven ones left out, and how many of them right."""

    right: int
    shown: int

    @property
    def share(self) -> float | None:
        return self.right / self.shown if self.shown else None


def quiz_of(quality: Quality, participant: Participant) -> Quiz:
    """Three queries."""
    answers = answers_of(quality.campaign_id, participant.pk).filter(in_quiz=True)
    counts = answers.aggregate(answered=Count("pk"), wrong=Count("pk", filter=_wrong()))
    waived = QualityAction.objects.filter(
        campaign=quality.campaign_id,
        participant=participant,
        kind=QualityAction.Kind.WAIVE_QUIZ,
        undone_at=None,
    )
    size = quality.quiz_size
    if counts["answered"] < size:
        there = questions_left(quality.campaign_id, participant).count()
        size = min(size, counts["answered"] + there)
    return Quiz(size, quality.quiz_wrong, counts["answered"], counts["wrong"], waived.exists())


def trust_of(campaign: Campaign, participant: Participant) -> Trust:
    """One query."""
    answers = answers_of(campaign.pk, participant.pk).exclude(question__state=TestQuestion.State.FORGIVEN)
    counts = answers.aggregate(shown=Count("pk"), wrong=Count("pk", filter=_wrong()))
    return Trust(counts["shown"] - counts["wrong"], counts["shown"])


def answers_of(campaign: int, participant: int) -> QuerySet[TestAnswer]:
    return TestAnswer.objects.filter(question__campaign=campaign, participant=participant)


def _wrong() -> Q:
    return ~Q(answer=F("question__expected")) & ~Q(question__state=TestQuestion.State.FORGIVEN)


def questions_left(campaign: int, participant: Participant) -> QuerySet[TestQuestion]:
    """The questions in use that the person has not answered: nobody is asked one twice."""
    answered = Assignment.objects.filter(
        item=OuterRef("item"), participant=participant, state=Assignment.State.SUBMITTED
    )
    return TestQuestion.objects.filter(~Exists(answered), campaign=campaign, state=TestQuestion.State.ACTIVE)


# ---- Handing out -------------------------------------------------------------------------------


def mixed_in(items: Sequence[Item], *, campaign: Campaign, participant: Participant) -> list[Item]:
    """``items``, about to be handed out, with test questions in the place of some of them.

    The quiz first, alone. After it, in each run of so many questions as the share asks for (ten at 10 %)
    one place is drawn from the campaign's seed, and a test question stands there. Without work there are
    no test questions: nobody is quizzed for nothing.
    """
    quality = campaign.quality_or_none
    if not items or quality is None or not (quality.quiz_size or quality.test_share):
        return list(items)
    quiz = quiz_of(quality, participant)
    if quiz.is_open:
        return _drawn(campaign, participant, min(campaign.page_size, quiz.left)) or list(items)
    if not quality.test_share:
        return list(items)
    places = _test_places(quality, campaign, participant, len(items))
    mixed = list(items)
    for place, test in zip(places, _drawn(campaign, participant, len(places)), strict=False):
        mixed[place] = test
    return mixed


def _test_places(quality: Quality, campaign: Campaign, participant: Participant, count: int) -> list[int]:
    """Which of the next ``count`` questions are test questions, from 0."""
    given = Judgement.objects.filter(item__campaign=campaign, participant=participant)
    turn = given.exclude(test_answer__in_quiz=True).count()
    run = round(100 / quality.test_share)
    return [place for place in range(count) if _is_test_turn(turn + place, run, campaign, participant)]


def _is_test_turn(turn: int, run: int, campaign: Campaign, participant: Participant) -> bool:
    drawn = random.Random(f"{campaign.seed}:tests:{participant.pk}:{turn // run}").randrange(run)
    return turn % run == drawn


def _drawn(campaign: Campaign, participant: Participant, count: int) -> list[Item]:
    """Items of ``count`` questions that the person has not answered, in an order of their own."""
    left = list(questions_left(campaign.pk, participant).select_related("item").order_by("pk"))
    random.Random(f"{campaign.seed}:questions:{participant.pk}").shuffle(left)
    return [question.item for question in left[:count]]


# ---- Taking in ---------------------------------------------------------------------------------


def answer_record(judgement: Judgement) -> TestAnswer:
    """Keep the first answer to a test question; what comes later changes nothing."""
    found = TestAnswer.objects.filter(judgement=judgement).first()
    if found:
        return found
    question = TestQuestion.objects.get(item=judgement.item_id)
    quality = judgement.item.campaign.quality_or_none
    in_quiz = bool(quality and quality.quiz_size and quiz_before(quality, judgement).is_running)
    return TestAnswer.objects.create(
        question=question,
        participant_id=judgement.participant_id,
        judgement=judgement,
        answer=judgement.answer,
        in_quiz=in_quiz,
        at=judgement.submitted_at,
    )


def quiz_before(quality: Quality, judgement: Judgement) -> Quiz:
    """The quiz as it stood before ``judgement``, whose question is answered but not recorded yet."""
    quiz = quiz_of(quality, judgement.participant)
    size = min(quality.quiz_size, max(quiz.size, quiz.answered + 1))
    return Quiz(size, quiz.allowed, quiz.answered, quiz.wrong, quiz.is_waived)
