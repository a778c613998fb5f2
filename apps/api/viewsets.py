"""The API's one scoped lookup, and the studies themselves.

A token sees the studies that its user researches in, and what belongs to them. Whatever else there
is looks as if it did not exist: the same 404, the same empty list.
"""

from __future__ import annotations

from typing import Any, ClassVar, Generic, TypeVar, cast

import django_filters
from django import forms
from django.db import models
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer
from rest_framework.viewsets import ReadOnlyModelViewSet

from apps.api.lists import query_known
from apps.api.study_serializers import ArchiveBody
from apps.api.views import ApiView
from apps.studies import retention
from apps.studies.access import studies_researched

M = TypeVar("M", bound=models.Model)


class IdFilter(django_filters.Filter):  # type: ignore[misc]
    """A row's number. Another study's number finds nothing, like one that does not exist."""

    field_class = forms.IntegerField

    def __init__(self, field_name: str, label: str | Promise) -> None:
        super().__init__(field_name=field_name, label=label, min_value=1, max_value=2**63 - 1)


class YesNoFilter(django_filters.TypedChoiceFilter):  # type: ignore[misc]
    """``true`` or ``false``, and nothing else."""

    def __init__(self, field_name: str, label: str | Promise, lookup_expr: str = "exact") -> None:
        super().__init__(
            field_name=field_name,
            lookup_expr=lookup_expr,
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


class ScopedViewSet(ApiView, ReadOnlyModelViewSet[M], Generic[M]):
    """A list and its rows, within the studies that the reader researches in.

    Writing is a method ``create``, ``partial_update`` or ``destroy``, or an action: it takes what was sent by
    :meth:`checked`, calls a service, and answers by :meth:`made` or :meth:`shown`.
    """

    model: ClassVar[type[models.Model]]
    filterset_class: ClassVar[type[django_filters.FilterSet] | None] = StudyFilters
    lookup_value_regex = "[0-9]{1,18}"

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if self.action == "list":
            filters = self.filterset_class.base_filters if self.filterset_class else {}
            query_known(request, {*filters, "cursor"})

    def get_queryset(self) -> QuerySet[M]:
        found = cast(QuerySet[M], self.model._default_manager.all())
        if getattr(self, "swagger_fake_view", False):  # the schema is made without a reader
            return found.none()
        path: str = cast(Any, self.model).STUDY_PATH
        # An ``IN (SELECT …)`` rather than a join, so that two roles don't show a row twice.
        return found.filter(**{f"{path}__in": studies_researched(self.user).values("pk")})

    def one(self) -> M:
        """The row that the address names, whatever the query's filters; 404 where it is in none of the
        reader's studies."""
        return get_object_or_404(self.get_queryset(), pk=self.kwargs["pk"])

    def hold(self) -> None:
        rows = self.model._default_manager.select_for_update(no_key=True).filter(pk=self.kwargs["pk"])
        list(rows.values_list("pk"))

    def shown(self, row: models.Model, *, status: int = 200) -> Response:
        """The row as it stands now, as its own address shows it."""
        fresh = self.get_queryset().get(pk=row.pk)
        self.action = "retrieve"
        return Response(self.get_serializer(fresh).data, status=status)

    def made(self, row: models.Model) -> Response:
        """201 with the new row, and its address in ``Location``."""
        answer = self.shown(row, status=201)
        answer["Location"] = reverse(f"api:{self.basename}-detail", args=[row.pk])
        return answer

    def page_of(self, rows: QuerySet[Any], shape: type[BaseSerializer[Any]], **context: Any) -> Response:
        """A page of rows that belong to this one, in the order of their numbers."""
        query_known(self.request, {"cursor"})
        page = self.paginate_queryset(rows)
        serializer = shape(page, many=True, context={**self.get_serializer_context(), **context})
        return self.get_paginated_response(serializer.data)


class Keeping(Generic[M]):
    """Mixed into a viewset of things that are archived and deleted (apps/studies/retention.py)."""

    @extend_schema(
        request=ArchiveBody,
        examples=[OpenApiExample("Into the archive", {"archived": True}, request_only=True)],
    )
    @action(detail=True, methods=["post"])
    def archive(self, request: Request, pk: str) -> Response:
        """Put it into the archive, or take it out: it stays as it is, and is left out of the pages' lists."""
        view = cast(ScopedViewSet[M], self)
        thing = view.one()
        retention.archive(thing=thing, actor=view.user, **view.checked(ArchiveBody))
        return view.shown(thing)

    def destroy(self, request: Request, pk: str) -> Response:
        """Delete it with all that belongs to it; refused (422) where somebody's work is in it."""
        view = cast(ScopedViewSet[M], self)
        thing: Any = view.one()
        retention.delete(thing=thing, actor=view.user, name=thing.name)
        return Response(status=204)
