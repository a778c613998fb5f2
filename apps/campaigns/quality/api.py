"""Test questions, rules, actions and annotators through the API. A campaign's own are in its viewset."""

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

from apps.accounts.models import Scope
from apps.campaigns.models import Flag, QualityAction, Rule, TestAnswer, TestQuestion
from apps.campaigns.quality import actions, eligibility, questions, rules
from apps.campaigns.quality.serializers import (
    ActionBody,
    ActionSerializer,
    BlockBody,
    BlockedSerializer,
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
    UndoneSerializer,
)
from apps.datasets.models import Dataset
from apps.studies.access import ADMINISTRATION
from apps.studies.api import IdFilter, ScopedViewSet, StudyFilters, YesNoFilter
from apps.studies.models import Participant
from apps.studies.serializers import AnnotatorSerializer


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
        return self.made(rules.rule_create(actor=self.user, **self.checked(RuleBody)))

    @extend_schema(
        request=RuleChangeBody,
        responses=RuleSerializer,
        examples=[OpenApiExample("Out of force", {"is_active": False}, request_only=True)],
    )
    def partial_update(self, request: Request, pk: str) -> Response:
        """Put a rule in or out of force. What it did stands until it is undone."""
        rule = self.one()
        active = self.checked(RuleChangeBody)["is_active"]
        rules.rule_set_active(rule=rule, actor=self.user, active=active)
        return self.shown(rule)


class ActionFilters(OfCampaign):
    annotator = django_filters.CharFilter(
        field_name="participant__pseudonym", label=gettext_lazy("A pseudonym.")
    )
    kind = django_filters.ChoiceFilter(
        choices=QualityAction.Kind.choices, label=gettext_lazy("What was done.")
    )
    stands = YesNoFilter("undone_at", gettext_lazy("true for what was not undone."), "isnull")


@extend_schema(tags=["quality"])
class ActionViewSet(ScopedViewSet[QualityAction]):
    """What rules and researchers did to somebody's standing in a campaign. Nobody's pay depends on it."""

    model = QualityAction
    serializer_class = ActionSerializer
    filterset_class = ActionFilters
    write_scope = Scope.PEOPLE

    def get_queryset(self) -> QuerySet[QualityAction]:
        return super().get_queryset().select_related("participant")

    @extend_schema(
        request=ActionBody,
        responses={201: ActionSerializer},
        examples=[
            OpenApiExample(
                "Pause",
                {"campaign": 1, "annotator": 7, "kind": "pause", "note": "Too fast."},
                request_only=True,
            )
        ],
    )
    def create(self, request: Request) -> Response:
        """Warn or pause somebody, send their work to review, ask others again instead, or let them in without
        the quiz. A pause ends when it is undone."""
        body = self.checked(ActionBody)
        campaign, participant = body["campaign"], body.pop("annotator")
        if participant.study_id != campaign.study_id:
            raise ValidationError({"annotator": _("This is nobody of the campaign's study.")})
        taken = actions.action_take(participant=participant, actor=self.user, **body)
        assert taken is not None  # only a rule's own pause can be there already
        return self.made(taken)

    @extend_schema(request=None, responses=UndoneSerializer)
    @action(detail=True, methods=["post"])
    def undo(self, request: Request, pk: str) -> Response:
        """Undo it; a review is marked as looked at. Done again, it changes nothing."""
        found = self.one()
        is_review = found.kind == QualityAction.Kind.REVIEW
        why = QualityAction.Undone.DONE if is_review else QualityAction.Undone.BY_HAND
        return Response({"counted": actions.action_undo(action=found, actor=self.user, why=why)})


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


class AnnotatorFilters(StudyFilters):
    pseudonym = django_filters.CharFilter(label=gettext_lazy("The pseudonym."))
    panel = django_filters.CharFilter(label=gettext_lazy("The panel that they came from."))
    simulated = YesNoFilter("simulated", gettext_lazy("true for programs."))


@extend_schema(tags=["people"])
class AnnotatorViewSet(ScopedViewSet[Participant]):
    """Whoever judges in a study, under a pseudonym."""

    model = Participant
    serializer_class = AnnotatorSerializer
    filterset_class = AnnotatorFilters
    write_scope = Scope.PEOPLE

    def get_queryset(self) -> QuerySet[Participant]:
        return super().get_queryset().select_related("study")

    @extend_schema(
        request=BlockBody,
        responses=BlockedSerializer,
        examples=[OpenApiExample("Keep the answers", {"past": "keep"}, request_only=True)],
    )
    @action(detail=True, methods=["post"])
    def block(self, request: Request, pk: str) -> Response:
        """Give somebody no more work in the whole study; for admins. Their answers stay, and stay paid."""
        person = self.one()
        self.access_in(person.study, ADMINISTRATION)
        body = self.checked(BlockBody)
        requeued = actions.participant_block(participant=person, actor=self.user, **body)
        return Response({"requeued": requeued})

    @extend_schema(request=None, responses=AnnotatorSerializer)
    @action(detail=True, methods=["post"])
    def unblock(self, request: Request, pk: str) -> Response:
        """Let a blocked person work again; for admins."""
        person = self.one()
        self.access_in(person.study, ADMINISTRATION)
        actions.participant_unblock(participant=person, actor=self.user)
        return self.shown(person)

    @extend_schema(request=None, responses=AnnotatorSerializer)
    @action(detail=True, methods=["post"], url_path="forget-declaration")
    def forget_declaration(self, request: Request, pk: str) -> Response:
        """Ask them again for language, country and what else campaigns want to know."""
        person = self.one()
        eligibility.declaration_forget(participant=person, actor=self.user)
        return self.shown(person)
