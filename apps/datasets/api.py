"""Datasets through the API."""

from __future__ import annotations

from typing import Any, cast

from django.db.models import Count, QuerySet
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.lists import query_known
from apps.api.problems import QueryError
from apps.api.viewsets import Keeping, ScopedViewSet
from apps.datasets import selectors, services
from apps.datasets.labelling import LabelKey
from apps.datasets.labels import three_way_labels, two_way_labels
from apps.datasets.models import Dataset
from apps.datasets.serializers import (
    DatasetBody,
    DatasetSerializer,
    LabelChangeSerializer,
    LabelSetSerializer,
    RelabelBody,
)
from apps.jobs.api import job_answer
from apps.jobs.serializers import JobSerializer

_NEW = {"study": "dogs-and-cats", "name": "Farm pairs", "licence": "CC BY 4.0", "source": "ourselves"}


@extend_schema(tags=["datasets"])
class DatasetViewSet(Keeping[Dataset], ScopedViewSet[Dataset]):
    """Sets of pairs (or meanings), each with its own set of labels."""

    model = Dataset
    serializer_class = DatasetSerializer

    def get_queryset(self) -> QuerySet[Dataset]:
        return (
            super()
            .get_queryset()
            .exclude(kind=Dataset.Kind.TESTS)
            .select_related("study")
            .annotate(pair_count=Count("pairs"))
        )

    @extend_schema(
        request=DatasetBody,
        responses={201: DatasetSerializer},
        examples=[OpenApiExample("Farm pairs", _NEW, request_only=True)],
    )
    def create(self, request: Request) -> Response:
        """An empty dataset of pairs. Files come in by pair drafts, people's pairs by campaigns."""
        body = self.checked(DatasetBody)
        labels = three_way_labels() if body.pop("three_way") else two_way_labels()
        return self.made(services.dataset_create(actor=self.user, labels=labels, **body))

    @extend_schema(responses=LabelSetSerializer(many=True))
    @action(detail=True, url_path="label-sets", pagination_class=None, filterset_class=None)
    def label_sets(self, request: Request, pk: str) -> Response:
        """By which engines and conventions the pairs are labelled, the ones in force first."""
        query_known(request, set())
        return Response(LabelSetSerializer(selectors.label_sets(self.one()), many=True).data)

    @extend_schema(
        responses=LabelChangeSerializer(many=True),
        parameters=[
            OpenApiParameter(name, required=True, description=_("Of the earlier set, as label-sets has it."))
            for name in LabelKey._fields
        ],
    )
    @action(detail=True, url_path="label-changes", filterset_class=None)
    def label_changes(self, request: Request, pk: str) -> Response:
        """The pairs whose current calculus label differs from an earlier set's, with both reasons."""
        dataset = self.one()
        query_known(request, {*LabelKey._fields, "cursor"})
        asked = {name: request.query_params.get(name) for name in LabelKey._fields}
        if missing := [name for name, value in asked.items() if not value]:
            raise QueryError({name: [_("This is needed.")] for name in missing})
        found = selectors.label_changes(dataset, LabelKey(**cast(dict[str, str], asked)))
        page: Any = self.paginate_queryset(cast(Any, found))
        return self.get_paginated_response(LabelChangeSerializer(page, many=True).data)

    @extend_schema(
        request=RelabelBody,
        responses={202: JobSerializer},
        examples=[OpenApiExample("The default", {"convention": "default"}, request_only=True)],
    )
    @action(detail=True, methods=["post"])
    def relabel(self, request: Request, pk: str) -> Response:
        """Have the calculus label every pair under a convention; earlier labels stay beside."""
        dataset = self.one()
        return job_answer(
            services.labelling_start(dataset=dataset, actor=self.user, **self.checked(RelabelBody))
        )
