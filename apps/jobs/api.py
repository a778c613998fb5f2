"""Background work through the API."""

from __future__ import annotations

import django_filters
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema

from apps.jobs.models import Job
from apps.jobs.serializers import JobSerializer
from apps.studies.api import ScopedViewSet, StudyFilters


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
