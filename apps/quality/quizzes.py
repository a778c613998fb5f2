"""The quiz: how somebody stands in it, and which answers belong to it.

Nothing is stored but each person's first answer (:class:`TestAnswer`). The outcome is computed from these
answers and the questions as they are today, as trust is (:mod:`apps.quality.trust`): a question that is
forgiven, or whose expected answer is put right, changes both for everybody at once.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from django.db.models import BooleanField, ExpressionWrapper

from apps.campaigns.models import Judgement
from apps.quality.models import Quality, QualityAction, TestAnswer, TestQuestion
from apps.quality.question_answers import questions_left, wrong
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
    ).annotate(is_wrong=ExpressionWrapper(wrong(), output_field=BooleanField()))
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
