"""Datasets, pairs and releases through the API."""

from __future__ import annotations

from typing import Any

import django_filters
from django.db.models import Count, Prefetch, QuerySet
from django.http import FileResponse, Http404
from django.utils.translation import gettext_lazy as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request

from apps.campaigns.models import Judgement
from apps.datasets.models import CalculusLabel, Dataset, Direction, Pair, Release
from apps.datasets.releasing.archive import final_path
from apps.datasets.serializers import DatasetSerializer, PairSerializer, ReleaseSerializer
from apps.studies.api import IdFilter, ScopedViewSet, StudyFilters


@extend_schema(tags=["datasets"])
class DatasetViewSet(ScopedViewSet[Dataset]):
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


class PairFilters(StudyFilters):
    dataset = IdFilter("dataset_id", _("The dataset's id."))
    direction = django_filters.ChoiceFilter(
        choices=Direction.choices, label=_("upward, downward or non-monotone.")
    )
    origin = django_filters.ChoiceFilter(choices=Pair.Origin.choices, label=_("Where the pair came from."))
    tag = django_filters.CharFilter(method="tagged", label=_("A tag's name, such as conditionals."))
    calculus = django_filters.CharFilter(
        method="labelled", label=_("The current calculus label, such as entailment.")
    )

    def tagged(self, queryset: QuerySet[Pair], name: str, value: str) -> QuerySet[Pair]:
        return queryset.filter(tags__name=value).distinct()

    def labelled(self, queryset: QuerySet[Pair], name: str, value: str) -> QuerySet[Pair]:
        current = CalculusLabel.objects.filter(is_current=True, label=value)
        return queryset.filter(pk__in=current.values("pair"))


@extend_schema(tags=["datasets"])
class PairViewSet(ScopedViewSet[Pair]):
    """Inference problems with every label they have: people, calculus, gold, and their tags."""

    model = Pair
    serializer_class = PairSerializer
    filterset_class = PairFilters

    def get_queryset(self) -> QuerySet[Pair]:
        answers = Judgement.objects.filter(counted=True).exclude(answer="").only("item", "answer")
        return (
            super()
            .get_queryset()
            .exclude(dataset__kind=Dataset.Kind.TESTS)
            .prefetch_related(
                "premises",
                "tags",
                "gold_labels",
                "calculus_labels",
                Prefetch("items__judgements", queryset=answers),
            )
        )


class ReleaseFilters(StudyFilters):
    dataset = IdFilter("dataset_id", _("The dataset's id."))


@extend_schema(tags=["releases"])
class ReleaseViewSet(ScopedViewSet[Release]):
    """Frozen, numbered, checksummed exports of a dataset."""

    model = Release
    serializer_class = ReleaseSerializer
    filterset_class = ReleaseFilters

    def get_queryset(self) -> QuerySet[Release]:
        return super().get_queryset().select_related("dataset__study")

    @extend_schema(
        responses={(200, "application/zip"): OpenApiResponse(OpenApiTypes.BINARY, _("The release's file."))}
    )
    @action(detail=True)
    def download(self, request: Request, *args: Any, **kwargs: Any) -> FileResponse:
        """The release's file, as it was frozen; 404 until then."""
        release = self.get_object()
        if release.frozen_at is None or not final_path(release).is_file():
            raise Http404
        return FileResponse(final_path(release).open("rb"), as_attachment=True, filename=release.file_name)
