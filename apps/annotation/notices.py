"""What an annotator is told after sending: the quiz is over, a rule warns, an answer looks odd."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db.models import F
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.campaigns.models import Campaign, Judgement
from apps.frame.clock import database_now
from apps.quality import checks, question_answers, quizzes, signals
from apps.quality.models import Flag, Quality, QualityAction, TestAnswer, TestQuestion
from apps.quality.settings import quality_or_none
from apps.studies.models import Participant

TOLD_AT_ONCE = 3
TOLD_WITHIN = timedelta(days=1)


def after_sending(judgements: Sequence[Judgement]) -> list[str]:
    """The sentences to show once, after these answers of one person were taken in. No query without
    quality settings."""
    if not judgements:
        return []
    campaign, participant = judgements[0].item.campaign, judgements[0].participant
    quality = quality_or_none(campaign)
    seen = [_("It does not count: you can see the labels of this study.")] * judgements[0].could_see_labels
    if quality is None:
        return seen
    told = seen + [text for judgement in judgements for text in checks.warnings(judgement, quality)]
    told += found_later(campaign, participant)
    if quality.quiz_size and any(judgement.item.is_test for judgement in judgements):
        told += _quiz_passed(quality, participant, judgements)
    return told + _warnings(campaign, participant)


def found_later(campaign: Campaign, participant: Participant) -> list[str]:
    """What the calculus found in somebody's earlier answers, each told once, with a link to the answer.

    One query where the campaign wants it, else none; two where there is something. At most
    ``TOLD_AT_ONCE`` of the oldest, and nothing older than ``TOLD_WITHIN``: who switches this on does not
    send people to what they have forgotten.
    """
    quality = quality_or_none(campaign)
    if quality is None or quality.calculus != Quality.Response.WARN:
        return []
    waiting = Flag.objects.filter(
        source=Flag.Source.CALCULUS,
        was_told=False,
        created_at__gte=database_now() - TOLD_WITHIN,
        judgement__participant=participant,
        judgement__item__campaign=campaign,
        judgement__replacements__position=F("position"),
    ).annotate(text=F("judgement__replacements__text"), assignment=F("judgement__assignment"))
    found: list[Any] = list(waiting.order_by("pk")[:TOLD_AT_ONCE])
    if found:
        Flag.objects.filter(pk__in=[flag.pk for flag in found]).update(was_told=True)
    return [
        format_html(
            _("Your earlier answer “{phrase}”: {why}. {link}"),
            phrase=format_html('<bdi translate="no">{}</bdi>', flag.text),
            why=checks.name_of(flag.code),
            link=format_html(
                '<a href="{}">{}</a>',
                reverse("work:card", args=[campaign.pk, flag.assignment]),
                _("You may change it."),
            ),
        )
        for flag in found
    ]


def _quiz_passed(quality: Quality, participant: Participant, judgements: Sequence[Judgement]) -> list[str]:
    last = TestAnswer.objects.filter(judgement__in=[j.pk for j in judgements], in_quiz=True)
    quiz = quizzes.quiz_of(quality, participant)
    if quiz.is_running or quiz.is_failed or not last.exists():
        return []
    text = _("You passed the quiz: %(right)d of %(all)d right. Now the work begins.")
    return [text % {"right": quiz.right, "all": quiz.answered}]


def _warnings(campaign: Campaign, participant: Participant) -> list[str]:
    unseen = QualityAction.objects.filter(
        campaign=campaign,
        participant=participant,
        kind=QualityAction.Kind.WARN,
        shown_at=None,
        undone_at=None,
    )
    found = list(unseen)
    if found:
        unseen.filter(pk__in=[action.pk for action in found]).update(shown_at=database_now())
    return [warning_of(action) for action in found]


def warning_of(action: QualityAction) -> str:
    """A rule's warning in words for its annotator; a researcher's own note where one was written."""
    if action.note:
        return action.note
    text = signals.of(action.signal).warning if action.signal else None
    again = _("Please look at the instructions again.")
    return f"{text} {again}" if text else again


@dataclass(frozen=True)
class Missed:
    """A test question that somebody got wrong, to be explained to them."""

    premise: str
    hypothesis: str
    answer: str
    expected: str
    explanation: str


def missed_by(campaign: Campaign, participant: Participant) -> list[Missed]:
    """The test questions that somebody answered wrong, forgiven ones left out, in the order of answers."""
    answers = (
        question_answers.answers_of(campaign.pk, participant.pk)
        .exclude(question__state=TestQuestion.State.FORGIVEN)
        .select_related("question__item__pair")
        .prefetch_related("question__item__pair__premises")
        .order_by("pk")
    )
    return [
        Missed(
            premise=answer.question.item.pair.premise if answer.question.item.pair else "",
            hypothesis=answer.question.item.pair.hypothesis if answer.question.item.pair else "",
            answer=answer.answer,
            expected=answer.question.expected,
            explanation=answer.question.explanation,
        )
        for answer in answers
        if answer.answer != answer.question.expected
    ]


def quiz_line(campaign: Campaign, participant: Participant, is_test: bool) -> str:
    """What the line above a card says during the quiz, such as “Quiz: 3 of 10”; "" outside it."""
    if not is_test:
        return ""
    quality = quality_or_none(campaign)
    quiz = quizzes.quiz_of(quality, participant) if quality and quality.quiz_size else None
    if quiz is None or not quiz.is_open:
        return ""
    return ngettext(
        "Quiz: question %(n)d of %(size)d, at most %(allowed)d may be wrong",
        "Quiz: question %(n)d of %(size)d, at most %(allowed)d may be wrong",
        quiz.size,
    ) % {"n": quiz.answered + 1, "size": quiz.size, "allowed": quiz.allowed}
