"""A study's report through the API: what is in it, making it anew, and the file."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import get_language
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.lists import query_known
from apps.api.views import ApiView
from apps.dashboard.models import StudyReportFile
from apps.dashboard.report.selectors import chapters_of, report_of
from apps.dashboard.report.services import study_report_start
from apps.jobs.api import job_answer
from apps.jobs.serializers import JobSerializer
from apps.studies.access import studies_researched
from apps.studies.models import Study

SLUG = OpenApiParameter("slug", OpenApiTypes.STR, OpenApiParameter.PATH)


class ReportChapterSerializer(serializers.Serializer[Any]):
    """A page of the study as it was: of which dataset ("" of the study), sentences, exhibits' titles."""

    name = serializers.CharField()
    title = serializers.CharField()
    dataset = serializers.CharField(source="group")
    as_of = serializers.DateTimeField()
    sentences = serializers.ListField(child=serializers.CharField())
    exhibits = serializers.ListField(child=serializers.CharField())


class StudyReportSerializer(serializers.Serializer[Any]):
    """``made_at`` is null until it was made; ``job`` makes it."""

    made_at = serializers.DateTimeField(allow_null=True)
    job = serializers.IntegerField(allow_null=True)
    chapters = ReportChapterSerializer(many=True)


class StudyReportView(ApiView):
    """The printable report of a study."""

    @extend_schema(tags=["dashboard"], responses=StudyReportSerializer, parameters=[SLUG])
    def get(self, request: Request, slug: str) -> Response:
        """What is in it, in your language."""
        query_known(request, set())
        report = report_of(self._study(slug), None)
        chapters = [
            {**vars(one), "exhibits": [str(shown.exhibit.title) for shown in one.exhibits]}
            for one in chapters_of(report, get_language())
        ]
        told = {
            "made_at": report.made_at if report else None,
            "job": report.job_id if report else None,
            "chapters": chapters,
        }
        return Response(StudyReportSerializer(told).data)

    @extend_schema(tags=["dashboard"], request=None, responses={202: JobSerializer}, parameters=[SLUG])
    def post(self, request: Request, slug: str) -> Response:
        """Make it, or make it anew, in the background."""
        return job_answer(study_report_start(study=self._study(slug), actor=self.user))

    def _study(self, slug: str) -> Study:
        return get_object_or_404(studies_researched(self.user), slug=slug)


class StudyReportPdfView(ApiView):
    """The report as a file."""

    @extend_schema(
        tags=["dashboard"],
        parameters=[SLUG],
        responses={(200, "application/pdf"): OpenApiTypes.BINARY},
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        """As a PDF, in your language; 404 until it was made."""
        query_known(request, set())
        study = get_object_or_404(studies_researched(self.user), slug=slug)
        files = StudyReportFile.objects.filter(report__study=study, report__dataset=None)
        file = get_object_or_404(files, language=get_language() or "en")
        headers = {"Content-Disposition": f'attachment; filename="report-{study.slug}.pdf"'}
        return HttpResponse(bytes(file.content), content_type="application/pdf", headers=headers)
