"""What a campaign asks of its people and knows of them, through the API: mixed into the campaigns' viewset
(config/api_urls.py)."""

from __future__ import annotations

from django.utils.translation import gettext
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.models import Scope
from apps.api.problems import Conflict
from apps.api.viewsets import ScopedViewSet
from apps.campaigns.models import Campaign
from apps.jobs.api import job_answer
from apps.jobs.serializers import JobSerializer
from apps.quality.checks import check_start
from apps.quality.reliability import estimate_start, people_of
from apps.quality.serializers import AllowListBody, PersonSerializer, QualityBody, QualitySerializer
from apps.quality.settings import allow_list_set, quality_of, quality_update


class WithQuality(ScopedViewSet[Campaign]):
    @extend_schema(
        methods=["get"],
        responses=QualitySerializer,
        filters=False,
        description="What the campaign asks of its people and watches.",
    )
    @extend_schema(
        methods=["patch"],
        request=QualityBody,
        responses=QualitySerializer,
        description="Change some of these settings.",
        examples=[OpenApiExample("A quiz of ten", {"quiz_size": 10, "quiz_wrong": 3}, request_only=True)],
    )
    @action(detail=True, methods=["get", "patch"], pagination_class=None)
    def quality(self, request: Request, pk: str) -> Response:
        campaign = self.one()
        if request.method == "PATCH":
            body = self.checked(QualityBody, partial=True)
            quality_update(campaign=campaign, actor=self.user, **body)
        return Response(QualitySerializer(quality_of(campaign)).data)

    @extend_schema(
        methods=["get"],
        responses=AllowListBody,
        filters=False,
        description="The people who may work, where the quality settings use this list.",
    )
    @extend_schema(
        methods=["put"],
        request=AllowListBody,
        responses=AllowListBody,
        description="Replace the list. Blank and doubled names are left out.",
        examples=[
            OpenApiExample("Two people", {"names": ["a1b2c3d4", "ada@example.org"]}, request_only=True)
        ],
    )
    @action(
        detail=True,
        methods=["get", "put"],
        url_path="allow-list",
        pagination_class=None,
        read_scope=Scope.PEOPLE,
        write_scope=Scope.PEOPLE,
    )
    def allow_list(self, request: Request, pk: str) -> Response:
        campaign = self.one()
        if request.method == "PUT":
            allow_list_set(campaign=campaign, actor=self.user, **self.checked(AllowListBody))
        return Response({"names": list(campaign.allowed_people.values_list("name", flat=True))})

    @extend_schema(responses=PersonSerializer(many=True), filters=False)
    @action(detail=True, methods=["get"], pagination_class=None)
    def annotators(self, request: Request, pk: str) -> Response:
        """Everybody who answered, most answers first: trust, agreement, reliability."""
        return Response(PersonSerializer(people_of(self.one(), wait=True)[0], many=True).data)

    @extend_schema(request=None, responses={202: JobSerializer})
    @action(detail=True, methods=["post"])
    def estimate(self, request: Request, pk: str) -> Response:
        """Estimate everybody's reliability anew (Dawid–Skene, MACE), in the background."""
        return job_answer(estimate_start(campaign=self.one(), actor=self.user))

    @extend_schema(request=None, responses={202: JobSerializer})
    @action(detail=True, methods=["post"])
    def check(self, request: Request, pk: str) -> Response:
        """Check the written answers by the calculus that were not checked yet, in the background."""
        job = check_start(self.one())
        if job is None:
            raise Conflict(gettext("A check waits or runs already."))
        return job_answer(job)
