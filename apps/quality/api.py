"""Test questions, rules and flags through the API. A campaign's own are in its viewset."""

from __future__ import annotations

from typing import Any

import django_filters
from django.core.exceptions import ValidationError
from django.db.models import Count, F, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.viewsets import IdFilter, ScopedViewSet, StudyFilters
from apps.datasets.models import Dataset
from apps.quality import questions, signal_rules
from apps.quality.models import Flag, Rule, TestAnswer, TestQuestion
from apps.quality.serializers import (
    FlagSerializer,
    RuleBody,
    RuleChangeBody,
    RuleSerializer,
    TestAnswerSerializer,
    TestFileBody,
    TestFileSerializer,
    TestQuestionBody,
    TestQuestionChangeBody,
    TestQuestionSerializer,
)


class OfCampaign(StudyFilters):
    campaign = IdFilter("campaign_id", gettext_lazy("The campaign's id."))


class QuestionFilters(OfCampaign):
    state = django_filters.ChoiceFilter(choices=TestQuestion.State.choices, label=gettext_lazy("Its state."))


@extend_schema(tags=["quality"])
class TestQuestionViewSet(ScopedViewSet[TestQuestion]):
    """Items with a known answer, shown unmarked among the others."""

    __test__ = False  # pytest takes the name for a test

    model = TestQuestion
    serializer_class = TestQuestionSerializer
    filterset_class = QuestionFilters
    moving = ("shown", "right")

    def get_queryset(self) -> QuerySet[TestQuestion]:
        right = Count("answers", filter=Q(answers__answer=F("expected")))
        return (
            super()
            .get_queryset()
            .select_related("item__pair")
            .prefetch_related("item__pair__premises")
            .annotate(shown=Count("answers"), right=right)
        )

    @extend_schema(
        request=TestQuestionBody,
        responses={201: TestQuestionSerializer},
        examples=[
            OpenApiExample(
                "With its own texts",
                {
                    "campaign": 1,
                    "premises": ["No dogs bark."],
                    "hypothesis": "No big dogs bark.",
                    "expected": "entailment",
                    "explanation": "Big dogs are dogs.",
                },
                request_only=True,
            )
        ],
    )
    def create(self, request: Request) -> Response:
        """One more test question, in use from now on."""
        body = self.checked(TestQuestionBody)
        return self.made(
            questions.question_create(campaign=body["campaign"], actor=self.user, draft=_draft(body))
        )

    @extend_schema(
        request=TestQuestionChangeBody,
        responses=TestQuestionSerializer,
        examples=[OpenApiExample("Forgive it", {"state": "forgiven"}, request_only=True)],
    )
    def partial_update(self, request: Request, pk: str) -> Response:
        """Correct what is expected, or retire or forgive the question. Trust follows, and what the rules
        would not do today is undone."""
        question = self.one()
        questions.question_change(question=question, actor=self.user, **self.checked(TestQuestionChangeBody))
        return self.shown(question)

    @extend_schema(
        request=TestFileBody,
        responses=TestFileSerializer,
        examples=[
            OpenApiExample(
                "Look first",
                {
                    "campaign": 1,
                    "text": "premise,hypothesis,expected\nNo dogs bark.,No big dogs bark.,entailment",
                },
                request_only=True,
            )
        ],
    )
    @action(detail=False, methods=["post"], url_path="import")
    def from_file(self, request: Request) -> Response:
        """Read a CSV text: first look (every fault by its line), then store all of it or nothing."""
        body = self.checked(TestFileBody)
        campaign, text = body["campaign"], body["text"]
        stored = 0
        preview = questions.read_csv(campaign, text)
        if body["store"]:
            stored = questions.questions_import(campaign=campaign, actor=self.user, text=text)
        found = {"questions": len(preview.drafts), "stored": stored, "errors": preview.errors}
        return Response(TestFileSerializer(found).data)


def _draft(body: dict[str, Any]) -> questions.Draft:
    if "pair" not in body:
        return questions.Draft(
            tuple(body["premises"]), body["hypothesis"], body["expected"], body["explanation"]
        )
    pair = body["pair"]
    if pair.dataset.study_id != body["campaign"].study_id or pair.dataset.kind == Dataset.Kind.TESTS:
        raise ValidationError({"pair": _("This study has no pair of that number.")})
    return questions.draft_from_pair(pair, expected=body["expected"], explanation=body["explanation"])


class AnswerFilters(StudyFilters):
    campaign = IdFilter("question__campaign_id", gettext_lazy("The campaign's id."))
    question = IdFilter("question_id", gettext_lazy("The test question's id."))
    annotator = django_filters.CharFilter(
        field_name="participant__pseudonym", label=gettext_lazy("A pseudonym.")
    )


@extend_schema(tags=["quality"])
class TestAnswerViewSet(ScopedViewSet[TestAnswer]):
    """The first answers to test questions, which trust is computed from."""

    __test__ = False

    model = TestAnswer
    serializer_class = TestAnswerSerializer
    filterset_class = AnswerFilters

    def get_queryset(self) -> QuerySet[TestAnswer]:
        return super().get_queryset().select_related("question", "participant")


@extend_schema(tags=["quality"])
class RuleViewSet(ScopedViewSet[Rule]):
    """When a signal over somebody's last answers passes a threshold, something is done."""

    model = Rule
    serializer_class = RuleSerializer
    filterset_class = OfCampaign
    moving = ("fired",)

    def get_queryset(self) -> QuerySet[Rule]:
        return super().get_queryset().annotate(fired=Count("actions"))

    @extend_schema(
        request=RuleBody,
        responses={201: RuleSerializer},
        examples=[
            OpenApiExample(
                "Pause whom the test questions catch",
                {
                    "campaign": 1,
                    "signal": "trust",
                    "last": 10,
                    "least": 5,
                    "threshold": 0.7,
                    "action": "pause",
                },
                request_only=True,
            )
        ],
    )
    def create(self, request: Request) -> Response:
        """A new rule, in force from the next answer on."""
        return self.made(signal_rules.rule_create(actor=self.user, **self.checked(RuleBody)))

    @extend_schema(
        request=RuleChangeBody,
        responses=RuleSerializer,
        examples=[OpenApiExample("Out of force", {"is_active": False}, request_only=True)],
    )
    def partial_update(self, request: Request, pk: str) -> Response:
        """Put a rule in or out of force. What it did stands until it is undone."""
        rule = self.one()
        active = self.checked(RuleChangeBody)["is_active"]
        signal_rules.rule_set_active(rule=rule, actor=self.user, active=active)
        return self.shown(rule)


class FlagFilters(StudyFilters):
    campaign = IdFilter("judgement__item__campaign_id", gettext_lazy("The campaign's id."))
    judgement = IdFilter("judgement_id", gettext_lazy("The judgement's id."))
    code = django_filters.CharFilter(label=gettext_lazy("What is odd, such as near-duplicate."))


@extend_schema(tags=["quality"])
class FlagViewSet(ScopedViewSet[Flag]):
    """What the checks of written answers found odd."""

    model = Flag
    serializer_class = FlagSerializer
    filterset_class = FlagFilters
