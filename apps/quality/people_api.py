"""Annotators, and what is done to their standing, through the API."""

from __future__ import annotations

import django_filters
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.models import Scope
from apps.api.viewsets import ScopedViewSet, StudyFilters, YesNoFilter
from apps.people import erasure as erasing
from apps.people import pseudonyms
from apps.people.serializers import AnnotatorSerializer, ErasureSerializer, MatchBody, MatchSerializer
from apps.quality import actions, eligibility
from apps.quality.api import OfCampaign
from apps.quality.models import QualityAction
from apps.quality.serializers import (
    ActionBody,
    ActionSerializer,
    BlockBody,
    BlockedSerializer,
    UndoneSerializer,
)
from apps.studies.access import ADMINISTRATION
from apps.studies.models import Participant


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
    shown_once = ("people",)

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

    @extend_schema(responses=ErasureSerializer)
    @action(detail=True, methods=["get"])
    def erasure(self, request: Request, pk: str) -> Response:
        """What erasing this person would do, before it is done; for admins."""
        person = self.one()
        self.access_in(person.study, ADMINISTRATION)
        return Response(ErasureSerializer(erasing.outcome_of(person)).data)

    @extend_schema(request=None, responses=AnnotatorSerializer)
    @action(detail=True, methods=["post"])
    def erase(self, request: Request, pk: str) -> Response:
        """Forget who somebody is, for good; for admins. Their answers stay under the pseudonym. Look at
        ``erasure`` first; done again, it changes nothing."""
        person = self.one()
        self.access_in(person.study, ADMINISTRATION)
        erasing.participant_erase(participant=person, actor=self.user)
        return self.shown(person)

    @extend_schema(
        request=MatchBody,
        responses=MatchSerializer,
        examples=[
            OpenApiExample(
                "Two people", {"study": "dogs-and-cats", "names": ["a1b2c3d4", "P-77"]}, request_only=True
            )
        ],
    )
    @action(detail=False, methods=["post"])
    def match(self, request: Request) -> Response:
        """Who is behind pseudonyms, or which pseudonym somebody has; for admins, and noted in the trail."""
        body = self.checked(MatchBody)
        self.access_in(body["study"], ADMINISTRATION)
        found = pseudonyms.pseudonyms_match(study=body["study"], actor=self.user, names=body["names"])
        return Response(MatchSerializer({"people": found}).data)
