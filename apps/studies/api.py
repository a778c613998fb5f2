"""The API's one scoped lookup, and the studies themselves.

A token sees the studies that its user researches in, and what belongs to them. Whatever else there
is looks as if it did not exist: the same 404, the same empty list.
"""

from __future__ import annotations

from typing import Any, ClassVar, Generic, TypeVar, cast

import django_filters
from django import forms
from django.db import models
from django.db.models import Q, QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.viewsets import ReadOnlyModelViewSet

from apps.accounts.models import User
from apps.studies.access import RESEARCH
from apps.studies.models import Study
from apps.studies.serializers import StudySerializer
from config.api import query_checked, query_known

M = TypeVar("M", bound=models.Model)


def studies_researched(user: User) -> QuerySet[Study]:
    """The studies in which ``user`` is researcher or admin."""
    membership = Q(memberships__user=user, memberships__role__in=RESEARCH)
    return Study.objects.filter(membership).distinct()


class IdFilter(django_filters.Filter):  # type: ignore[misc]
    """A row's number. Another study's number finds nothing, like one that does not exist."""

    field_class = forms.IntegerField

    def __init__(self, field_name: str, label: str | Promise) -> None:
        super().__init__(field_name=field_name, label=label, min_value=1, max_value=2**63 - 1)


class YesNoFilter(django_filters.TypedChoiceFilter):  # type: ignore[misc]
    """``true`` or ``false``, and nothing else."""

    def __init__(self, field_name: str, label: str | Promise) -> None:
        super().__init__(
            field_name=field_name,
            label=label,
            choices=(("true", "true"), ("false", "false")),
            coerce=lambda value: value == "true",
        )


class StudyFilters(django_filters.FilterSet):  # type: ignore[misc]
    """Every list can be narrowed to one study by its address (slug)."""

    study = django_filters.CharFilter(method="in_study", label=_("The study's address (slug)."))

    def in_study(self, queryset: QuerySet[Any], name: str, value: str) -> QuerySet[Any]:
        path: str = cast(Any, queryset.model).STUDY_PATH
        return queryset.filter(**{f"{path}__slug": value})


class ScopedViewSet(ReadOnlyModelViewSet[M], Generic[M]):
    """A read-only list and its rows, within the studies that the reader researches in."""

    model: ClassVar[type[models.Model]]
    filterset_class: ClassVar[type[django_filters.FilterSet] | None] = StudyFilters
    lookup_value_regex = "[0-9]{1,18}"

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        query_checked(request)
        if self.action == "list":
            filters = self.filterset_class.base_filters if self.filterset_class else {}
            query_known(request, {*filters, "cursor"})

    def get_queryset(self) -> QuerySet[M]:
        found = cast(QuerySet[M], self.model._default_manager.all())
        if getattr(self, "swagger_fake_view", False):  # the schema is made without a reader
            return found.none()
        path: str = cast(Any, self.model).STUDY_PATH
        # An ``IN (SELECT …)`` rather than a join, so that two roles don't show a row twice.
        return found.filter(**{f"{path}__in": studies_researched(cast(User, self.request.user)).values("pk")})


@extend_schema(tags=["studies"])
class StudyViewSet(ReadOnlyModelViewSet[Study]):
    """The studies that you research in, by their address (slug)."""

    serializer_class = StudySerializer
    lookup_field = "slug"
    queryset = Study.objects.none()

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        query_checked(request)
        if self.action == "list":
            query_known(request, {"cursor"})

    def get_queryset(self) -> QuerySet[Study]:
        if getattr(self, "swagger_fake_view", False):
            return Study.objects.none()
        return studies_researched(cast(User, self.request.user))
