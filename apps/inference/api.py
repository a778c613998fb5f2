"""Models, runs and predictions through the API."""

from __future__ import annotations

import django_filters
from django.db.models import Count, QuerySet
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema

from apps.inference.models import Model, Prediction, Run
from apps.inference.serializers import ModelSerializer, PredictionSerializer, RunSerializer
from apps.studies.api import IdFilter, ScopedViewSet, StudyFilters


class ModelFilters(StudyFilters):
    kind = django_filters.ChoiceFilter(choices=Model.Kind.choices, label=_("The model's kind."))


@extend_schema(tags=["models"])
class ModelViewSet(ScopedViewSet[Model]):
    """Registered models."""

    model = Model
    serializer_class = ModelSerializer
    filterset_class = ModelFilters

    def get_queryset(self) -> QuerySet[Model]:
        return super().get_queryset().select_related("study")


class RunFilters(StudyFilters):
    model = IdFilter("model_id", _("The model's id."))
    dataset = IdFilter("dataset_id", _("The dataset's id."))


@extend_schema(tags=["models"])
class RunViewSet(ScopedViewSet[Run]):
    """Passes of a model over a dataset; the job has the progress."""

    model = Run
    serializer_class = RunSerializer
    filterset_class = RunFilters

    def get_queryset(self) -> QuerySet[Run]:
        return super().get_queryset().select_related("job").annotate(prediction_count=Count("predictions"))


class PredictionFilters(StudyFilters):
    run = IdFilter("run_id", _("The run's id."))
    pair = IdFilter("pair_id", _("The pair's id."))
    label = django_filters.CharFilter(label=_("The predicted label."))


@extend_schema(tags=["models"])
class PredictionViewSet(ScopedViewSet[Prediction]):
    """What a run said of each pair."""

    model = Prediction
    serializer_class = PredictionSerializer
    filterset_class = PredictionFilters
