"""Background work through the API."""

from __future__ import annotations

import django_filters
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.viewsets import ScopedViewSet, StudyFilters
from apps.jobs import services
from apps.jobs.models import Job
from apps.jobs.serializers import JobFailureSerializer, JobSerializer


class JobFilters(StudyFilters):
    state = django_filters.ChoiceFilter(choices=Job.State.choices, label=_("The job's state."))
    kind = django_filters.CharFilter(label=_("What the job does, such as inference.run."))


@extend_schema(tags=["jobs"])
class JobViewSet(ScopedViewSet[Job]):
    """Background work and how far it is."""

    model = Job
    serializer_class = JobSerializer
    filterset_class = JobFilters

    def get_queryset(self) -> QuerySet[Job]:
        return super().get_queryset().select_related("study")

    @extend_schema(request=None, responses=JobSerializer)
    @action(detail=True, methods=["post"])
    def cancel(self, request: Request, pk: str) -> Response:
        """Stop: a queued job at once, a running one after its present chunk, or within seconds where
        that takes long. One that is over stays so."""
        services.job_cancel(job=self.one(), actor=self.user)
        return self.shown(self.one())

    @extend_schema(request=None, responses=JobSerializer)
    @action(detail=True, methods=["post"])
    def retry(self, request: Request, pk: str) -> Response:
        """Queue a failed or cancelled job again, from where it stopped; any other stays as it is."""
        services.job_retry(job=self.one(), actor=self.user)
        return self.shown(self.one())

    @extend_schema(responses=JobFailureSerializer(many=True))
    @action(detail=True, methods=["get"], filterset_class=None)
    def failures(self, request: Request, pk: str) -> Response:
        """The items that the job could not do, and why."""
        return self.page_of(self.one().failures.all(), JobFailureSerializer)


def job_answer(job: Job, *, status: int = 202) -> Response:
    """202 with the job that now works on it, and its address in ``Location``."""
    address = reverse("api:job-detail", args=[job.pk])
    return Response(JobSerializer(job).data, status=status, headers={"Location": address})
