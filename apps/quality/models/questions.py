"""Test questions and the first answers to them."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.campaigns.models import Campaign, Item, Judgement
from apps.quality.models.settings import NOT_OFFERED


class TestQuestionState(models.TextChoices):
    ACTIVE = "active", _("in use")
    RETIRED = "retired", _("not asked any more")
    FORGIVEN = "forgiven", _("forgiven")


class TestQuestion(models.Model):
    """An item with a known answer. Its pair stands in the study's dataset of test questions.

    ``forgiven``: the question was bad; its answers say nothing about anybody any more. ``retired``: it is
    asked no more, but its answers still count for trust.
    """

    __test__ = False  # pytest takes the name for a test

    State = TestQuestionState

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="test_questions")
    item = models.OneToOneField(Item, models.CASCADE, related_name="test_question")
    expected = models.CharField(_("expected answer"), max_length=40)
    explanation = models.TextField(_("explanation"), blank=True)
    state = models.CharField(max_length=10, choices=State.choices, default=State.ACTIVE)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    STUDY_PATH = "campaign__study"

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["campaign", "state"], name="test_question_in_use")]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(state__in=TestQuestionState.values),
                name="test_state_known",
                violation_error_message=NOT_OFFERED,
            )
        ]

    def __str__(self) -> str:
        return f"test question {self.pk}"


class TestAnswer(models.Model):
    """The first answer that somebody sent to a test question. Trust is computed from these rows alone.

    ``answer`` is what was sent first ("" for a skip): who changes it later, having seen the explanation,
    gains nothing. Whether it is right follows from the question's expected answer of today. ``quiz_try`` is
    which of the person's tries it belongs to, where it was given in the quiz.
    """

    __test__ = False

    question = models.ForeignKey(TestQuestion, models.CASCADE, related_name="answers")
    participant = models.ForeignKey("studies.Participant", models.PROTECT, related_name="test_answers")
    judgement = models.OneToOneField(Judgement, models.CASCADE, related_name="test_answer")
    answer = models.CharField(max_length=40, blank=True)
    in_quiz = models.BooleanField(default=False)
    quiz_try = models.PositiveSmallIntegerField(default=1)
    at = models.DateTimeField()

    STUDY_PATH = "question__campaign__study"

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["question", "participant"], name="test_answer_once")]

    def __str__(self) -> str:
        return self.answer or "skip"
