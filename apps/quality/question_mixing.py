"""Where test questions stand among the others: the quiz first, then one in each run of so many."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.campaigns.models import Campaign, Item, Judgement
from apps.campaigns.readiness import Doubt
from apps.quality.models import Quality, TestQuestion
from apps.quality.question_answers import questions_left
from apps.quality.quizzes import quiz_of
from apps.quality.settings import quality_or_none
from apps.studies.models import Participant


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
