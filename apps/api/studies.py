"""Studies, through the API."""

from __future__ import annotations

from typing import Any, TypeVar

from django.core.exceptions import PermissionDenied
from django.db import models
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ReadOnlyModelViewSet

from apps.api.lists import query_known
from apps.api.study_serializers import ArchiveBody, GlanceSerializer, StudyCreateBody, StudySerializer
from apps.api.views import ApiView
from apps.studies import retention, services
from apps.studies.access import ADMINISTRATION, studies_researched
from apps.studies.glance import glance
from apps.studies.models import Study

M = TypeVar("M", bound=models.Model)


@extend_schema(tags=["studies"])
class StudyViewSet(ApiView, ReadOnlyModelViewSet[Study]):
    """The studies that you research in, by their address (slug)."""

    serializer_class = StudySerializer
    lookup_field = "slug"
    lookup_value_regex = "[-a-zA-Z0-9_]+"
    queryset = Study.objects.none()
    moving = ("as_of",)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if self.action == "list":
            query_known(request, {"cursor"})

    def get_queryset(self) -> QuerySet[Study]:
        if getattr(self, "swagger_fake_view", False):
            return Study.objects.none()
        return studies_researched(self.user)

    def hold(self) -> None:
        list(Study.objects.select_for_update(no_key=True).filter(slug=self.kwargs["slug"]).values_list("pk"))

    @extend_schema(
        request=StudyCreateBody,
        responses={201: StudySerializer},
        examples=[OpenApiExample("A study", {"name": "Dogs and cats"}, request_only=True)],
    )
    def create(self, request: Request) -> Response:
        """A new study, with you as admin and researcher; for those who may create studies."""
        if not (self.user.may_create_studies or self.user.is_superuser):
            raise PermissionDenied(_("Ask whoever hosts this server for an invitation to create studies."))
        study = services.study_create(actor=self.user, **self.checked(StudyCreateBody))
        address = reverse("api:study-detail", args=[study.slug])
        return Response(StudySerializer(study).data, status=201, headers={"Location": address})

    @extend_schema(
        request=StudyCreateBody,
        responses=StudySerializer,
        examples=[OpenApiExample("Another name", {"name": "Cats and dogs"}, request_only=True)],
    )
    def partial_update(self, request: Request, slug: str) -> Response:
        """Another name or description, by one of the study's admins; the address stays."""
        study = self.get_object()
        self.access_in(study, ADMINISTRATION)
        changed = services.study_update(
            study=study, actor=self.user, **self.checked(StudyCreateBody, partial=True)
        )
        return Response(StudySerializer(changed).data)

    @extend_schema(
        request=ArchiveBody,
        responses=StudySerializer,
        examples=[OpenApiExample("Into the archive", {"archived": True}, request_only=True)],
    )
    @action(detail=True, methods=["post"])
    def archive(self, request: Request, slug: str) -> Response:
        """Put it into the archive, or take it out: it stays as it is, and is left out of lists."""
        study = self._administered()
        retention.archive(thing=study, actor=self.user, **self.checked(ArchiveBody))
        study.refresh_from_db()
        return Response(StudySerializer(study).data)

    @extend_schema(responses=GlanceSerializer)
    @action(detail=True, methods=["get"])
    def glance(self, request: Request, slug: str) -> Response:
        """What to do next, how far the campaigns are, answers a day, money, and open problems."""
        query_known(request, set())
        return Response(GlanceSerializer(glance(self.get_object(), wait=True)).data)

    def destroy(self, request: Request, slug: str) -> Response:
        """Delete a study with all that is in it; refused (422) where annotators' answers or releases are."""
        study = self._administered()
        retention.delete(thing=study, actor=self.user, name=study.name)
        return Response(status=204)

    def _administered(self) -> Study:
        study: Study = self.get_object()
        self.access_in(study, ADMINISTRATION)
        return study
