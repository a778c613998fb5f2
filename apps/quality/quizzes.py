"""Test questions at work: the quiz, their place among the others, and the trust that follows.

Nothing here is stored but each person's first answer (:class:`TestAnswer`). The quiz' outcome and trust are
computed from these answers and the questions as they are today, so that a question that is forgiven, or
whose expected answer is put right, changes both for everybody at once.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from django.db.models import BooleanField, Count, Exists, ExpressionWrapper, F, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.campaigns.models import Assignment, Campaign, Item, Judgement
from apps.campaigns.readiness import Doubt
from apps.quality.models import Quality, QualityAction, TestAnswer, TestQuestion
from apps.quality.settings import quality_or_none
from apps.studies.models import Participant


@dataclass(frozen=True)
class Quiz:
    """Somebody's quiz: ``size`` questions (fewer than set where there are not so many), of which
    ``allowed`` may be wrong. An answer to a forgiven question is answered, and not wrong. ``number`` says
    which try it is, from 1."""

    size: int
    allowed: int
    answered: int
    wrong: int
    is_waived: bool = False
    number: int = 1

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


@dataclass(frozen=True)
class _Record:
    """What a quiz is computed from: each of its answers as its try and whether it is wrong, in the order
    of answering; whether the quiz is waived; how often it was begun again."""

    answers: Sequence[tuple[int, bool]] = ()
    is_waived: bool = False
    begun_again: int = 0


def quiz_of(quality: Quality, participant: Participant) -> Quiz:
    """The latest try, or an earlier one that is passed by the questions of today. Two queries, and one
    while questions are left to answer."""
    record = _records(quality, [participant.pk]).get(participant.pk, _Record())
    quiz = _standing(quality, record)
    if quiz.answered >= quiz.size:
        return quiz
    there = questions_left(quality.campaign_id, participant).count()
    return replace(quiz, size=min(quiz.size, quiz.answered + there))


def failed_among(quality: Quality, participants: Collection[int]) -> set[int]:
    """The numbers of those who have not passed the quiz, and may not go on with it. Two queries."""
    records = _records(quality, participants) if quality.quiz_size else {}
    return {pk for pk, record in records.items() if _standing(quality, record).is_failed}


def may_retry(quality: Quality, participant: Participant, quiz: Quiz) -> bool:
    """Whether somebody who failed the quiz may begin it again by themselves: the campaign gives a further
    try, and there are as many new questions as a whole quiz has. At most one query."""
    return quiz.is_failed and quiz.number < quality.quiz_tries and has_another_quiz(quality, participant)


def has_another_quiz(quality: Quality, participant: Participant) -> bool:
    return questions_left(quality.campaign_id, participant).count() >= quality.quiz_size


def _records(quality: Quality, participants: Collection[int]) -> dict[int, _Record]:
    given = TestAnswer.objects.filter(
        question__campaign=quality.campaign_id, participant__in=participants, in_quiz=True
    ).annotate(is_wrong=ExpressionWrapper(_wrong(), output_field=BooleanField()))
    answers: dict[int, list[tuple[int, bool]]] = {}
    for pk, number, is_wrong in given.order_by("pk").values_list("participant", "quiz_try", "is_wrong"):
        answers.setdefault(pk, []).append((number, is_wrong))
    changes = QualityAction.objects.filter(
        campaign=quality.campaign_id, participant__in=participants, kind__in=_OF_QUIZ, undone_at=None
    )
    kinds: dict[int, list[str]] = {}
    for pk, kind in changes.values_list("participant", "kind"):
        kinds.setdefault(pk, []).append(kind)
    return {
        pk: _Record(
            answers.get(pk, ()),
            QualityAction.Kind.WAIVE_QUIZ in kinds.get(pk, ()),
            kinds.get(pk, []).count(QualityAction.Kind.RETRY_QUIZ),
        )
        for pk in {*answers, *kinds}
    }


_OF_QUIZ = (QualityAction.Kind.WAIVE_QUIZ, QualityAction.Kind.RETRY_QUIZ)


def _standing(quality: Quality, record: _Record) -> Quiz:
    """The quiz without regard to how many questions there are."""
    tries = [
        Quiz(
            quality.quiz_size,
            quality.quiz_wrong,
            answered=sum(of == number for of, _wrong in record.answers),
            wrong=sum(of == number and wrong for of, wrong in record.answers),
            is_waived=record.is_waived,
            number=number,
        )
        for number in range(1, record.begun_again + 2)
    ]
    return next((one for one in tries if not one.is_running and not one.is_failed), tries[-1])


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


def mixed_in(items: Sequence[Item], campaign: Campaign, participant: Participant) -> list[Item]:
    """``items``, about to be handed out, with test questions in the place of some of them.

    The quiz first, alone. After it, in each run of so many questions as the share asks for (ten at 10 %)
    one place is drawn from the campaign's seed, and a test question stands there. Without work there are
    no test questions: nobody is quizzed for nothing.
    """
    quality = quality_or_none(campaign)
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


def hides_tests(campaign: Campaign) -> bool:
    """Whether test questions stand unmarked among the items: an exact count would tell how many they are."""
    quality = quality_or_none(campaign)
    return bool(quality and quality.test_share)


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
    quality = quality_or_none(judgement.item.campaign)
    quiz = quiz_before(quality, judgement) if quality and quality.quiz_size else None
    return TestAnswer.objects.create(
        question=question,
        participant_id=judgement.participant_id,
        judgement=judgement,
        answer=judgement.answer,
        in_quiz=bool(quiz and quiz.is_running),
        quiz_try=quiz.number if quiz else 1,
        at=judgement.submitted_at,
    )


def quiz_before(quality: Quality, judgement: Judgement) -> Quiz:
    """The quiz as it stood before ``judgement``, whose question is answered but not recorded yet."""
    quiz = quiz_of(quality, judgement.participant)
    return replace(quiz, size=min(quality.quiz_size, max(quiz.size, quiz.answered + 1)))


def missing_questions(campaign: Campaign) -> Iterator[Doubt]:
    """A quiz or test questions that are asked for and not written yet: before a campaign opens."""
    quality = Quality.objects.filter(campaign=campaign).first()
    if quality is None or not (quality.quiz_size or quality.test_share):
        return
    written = TestQuestion.objects.filter(campaign=campaign, state=TestQuestion.State.ACTIVE).count()
    if quality.quiz_size > written:
        yield Doubt(
            ngettext(
                "A quiz of %(size)d is asked for, and %(n)d test question is written: the quiz is shorter, "
                "or there is none.",
                "A quiz of %(size)d is asked for, and %(n)d test questions are written: the quiz is shorter, "
                "or there is none.",
                written,
            )
            % {"size": quality.quiz_size, "n": written}
        )
    elif quality.test_share and not written:
        yield Doubt(_("Test questions among the others are asked for, and none is written."))
