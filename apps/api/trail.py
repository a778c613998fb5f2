"""A study's trail through the API."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import django_filters
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema

from apps.api.study_serializers import EventSerializer
from apps.api.viewsets import ScopedViewSet, StudyFilters
from apps.studies.models import AuditEvent


class _Moment(django_filters.IsoDateTimeFilter):  # type: ignore[misc]
    """A moment in UTC: PostgreSQL takes no offset of more than 16 hours, as ISO 8601 and Python do."""

    def filter(self, qs: QuerySet[Any], value: datetime | None) -> QuerySet[Any]:
        if value is not None and value.tzinfo is not None:
            try:
                value = value.astimezone(UTC)
            except OverflowError:  # a day before the first, or after the last, that there is
                value = value.replace(tzinfo=UTC)
        found: QuerySet[Any] = super().filter(qs, value)
        return found


class EventFilters(StudyFilters):
    action = django_filters.CharFilter(label=_("What was done, such as campaign.state."))
    annotator = django_filters.CharFilter(field_name="participant__pseudonym", label=_("A pseudonym."))
    since = _Moment(field_name="at", lookup_expr="gte", label=_("From this moment on."))
    until = _Moment(field_name="at", lookup_expr="lte", label=_("Up to this moment."))


@extend_schema(tags=["studies"])
class EventViewSet(ScopedViewSet[AuditEvent]):
    """The trail: who did what to which thing, and when."""

    model = AuditEvent
    serializer_class = EventSerializer
    filterset_class = EventFilters

    def get_queryset(self) -> QuerySet[AuditEvent]:
        return super().get_queryset().select_related("study", "actor", "participant")
