"""Balance and leakage reports through the API."""

from __future__ import annotations

from django.db.models import QuerySet
from django.http import HttpResponse
from django.utils.translation import gettext_lazy as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema, extend_schema_view
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer

from apps.api.files import FileRenderer
from apps.api.viewsets import IdFilter, ScopedViewSet, StudyFilters
from apps.reports.models import BalanceReport
from apps.reports.presentation import csv_text
from apps.reports.serializers import FullReportSerializer, ReportBody, ReportSerializer
from apps.reports.services import report_start


class ReportFilters(StudyFilters):
    dataset = IdFilter("dataset_id", _("The dataset's id."))
    release = IdFilter("release_id", _("The release's id."))


@extend_schema(tags=["datasets"])
@extend_schema_view(retrieve=extend_schema(responses=FullReportSerializer))
class ReportViewSet(ScopedViewSet[BalanceReport]):
    """How balanced a dataset or a release is, and what gives its labels away."""

    model = BalanceReport
    filterset_class = ReportFilters

    def get_serializer_class(self) -> type[BaseSerializer[BalanceReport]]:
        return ReportSerializer if self.action == "list" else FullReportSerializer

    def get_queryset(self) -> QuerySet[BalanceReport]:
        found = super().get_queryset()
        return found.defer("facts") if self.action == "list" else found.select_related("dataset")

    @extend_schema(
        request=ReportBody,
        responses={201: FullReportSerializer},
        examples=[
            OpenApiExample("By the file's labels", {"dataset": 1, "labels": "file"}, request_only=True)
        ],
    )
    def create(self, request: Request) -> Response:
        """Begin a report; ``job`` fills its ``facts``."""
        return self.made(report_start(actor=self.user, **self.checked(ReportBody)))

    @extend_schema(
        responses={(200, "text/csv"): OpenApiResponse(OpenApiTypes.STR, _("The figures, one a row."))}
    )
    @action(detail=True, filterset_class=None, renderer_classes=[FileRenderer])
    def csv(self, request: Request, pk: str) -> HttpResponse:
        """The figures that there are, as CSV."""
        report = self.one()
        answer = HttpResponse(csv_text(report), content_type="text/csv")
        answer["Content-Disposition"] = f'attachment; filename="report-{report.pk}.csv"'
        return answer
