"""Experiments through the API: started, followed, read; splits as files, answers brought in."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.bodies import Body, StudyBody
from apps.api.lists import query_known
from apps.api.viewsets import ScopedViewSet, StudyFilters
from apps.experiments import answers, services
from apps.experiments.models import Experiment, Split
from apps.experiments.protocols import PRESETS, protocols
from apps.experiments.results import cells_of, lines_of, progress_of

_NEW = {"study": "dogs-and-cats", "name": "Productivity", "protocol": "systematicity_productivity"}
_ANSWERS = {
    "split": 1, "contestant": "RoBERTa", "seed": 1,
    "answers": [{"id": "test-1", "label": "entailment"}, {"id": "test-2", "label": "non-entailment"}],
}  # fmt: skip


class SplitSerializer(serializers.ModelSerializer[Split]):
    """A training's rows and its tests'. ``seed`` is 0 where every seed has the same."""

    fingerprint = serializers.CharField(source="training_set.fingerprint", read_only=True)

    class Meta:
        model = Split
        fields = ["id", "training", "seed", "training_set", "fingerprint"]


class ExperimentSerializer(serializers.ModelSerializer[Experiment]):
    """``job`` deals the rows; the trainings are jobs of their own, and stand in the splits' training sets."""

    sizes = serializers.DictField(source="spec.sizes", read_only=True)
    roles = serializers.DictField(source="spec.roles", read_only=True)
    splits = SplitSerializer(many=True, read_only=True)

    class Meta:
        model = Experiment
        fields = ["id", "name", "protocol", "preset", "sizes", "roles", "splits", "job", "calculus_job",
                  "created_at"]  # fmt: skip


class ExperimentBody(StudyBody):
    name = serializers.CharField(max_length=150)
    protocol = serializers.ChoiceField(choices=sorted(protocols()))
    preset = serializers.ChoiceField(choices=list(PRESETS), default="smoke")
    roles = serializers.DictField(
        child=serializers.CharField(max_length=200),
        required=False,
        help_text=gettext_lazy("The study's datasets or releases, by the role that they play: “dataset:1”."),
    )
    networks = serializers.ListField(
        child=serializers.CharField(max_length=40),
        required=False,
        help_text=gettext_lazy("Some of the preset's; left out: all."),
    )
    keeps = serializers.BooleanField(
        default=False, help_text=gettext_lazy("Whether the first seed's networks become models.")
    )


class AnswerBody(Body):
    id = serializers.CharField(max_length=60)
    label = serializers.CharField(max_length=60)  # type: ignore[assignment]


class AnswersBody(Body):
    split = serializers.IntegerField(min_value=1)
    contestant = serializers.CharField(max_length=80)
    seed = serializers.IntegerField(min_value=1, max_value=2**31 - 1, default=1)
    answers = AnswerBody(many=True)


class ReachedSerializer(serializers.Serializer[Any]):
    """Mean and standard deviation (null of one seed) of the share that is right."""

    contestant = serializers.CharField()
    mean = serializers.FloatField()
    sd = serializers.FloatField(allow_null=True)
    seeds = serializers.IntegerField()


class ExperimentLineSerializer(serializers.Serializer[Any]):
    """A training with one of its tests. ``published`` is in per cent, by network: mean and deviation."""

    trained_on = serializers.CharField(source="training")
    tested_on = serializers.CharField(source="test")
    pairs = serializers.IntegerField()
    reached = serializers.SerializerMethodField()
    published = serializers.DictField(child=serializers.ListField(child=serializers.FloatField()))

    @extend_schema_field(ReachedSerializer(many=True))
    def get_reached(self, line: Any) -> list[dict[str, Any]]:
        return [{"contestant": name, **vars(found)} for name, found in line.reached.items()]


class ExperimentResultsSerializer(serializers.Serializer[Any]):
    """How many trainings are over, and the lines of the table as far as they are there."""

    trainings = serializers.IntegerField()
    done = serializers.IntegerField()
    failed = serializers.IntegerField()
    lines = ExperimentLineSerializer(many=True)


@extend_schema(tags=["experiments"])
class ExperimentViewSet(ScopedViewSet[Experiment]):
    """The papers' protocols (docs/experiments.md)."""

    model = Experiment
    serializer_class = ExperimentSerializer
    filterset_class = StudyFilters

    def get_queryset(self) -> QuerySet[Experiment]:
        return super().get_queryset().select_related("study").prefetch_related("splits__training_set")

    @extend_schema(
        request=ExperimentBody,
        responses={201: ExperimentSerializer},
        examples=[OpenApiExample("Productivity", _NEW, request_only=True)],
    )
    def create(self, request: Request) -> Response:
        """Rows dealt, networks trained, the calculus asked: in the background."""
        body = self.checked(ExperimentBody)
        protocol = protocols()[body.pop("protocol")]
        return self.made(services.experiment_start(actor=self.user, protocol=protocol, **body))

    @extend_schema(request=None, responses={200: ExperimentSerializer})
    @action(detail=True, methods=["post"])
    def cancel(self, request: Request, pk: str) -> Response:
        """Cancel what still goes on; what is there stays."""
        experiment = self.one()
        services.experiment_cancel(experiment=experiment, actor=self.user)
        return self.shown(experiment)

    @extend_schema(responses=ExperimentResultsSerializer)
    @action(detail=True, pagination_class=None, filterset_class=None)
    def results(self, request: Request, pk: str) -> Response:
        """The table as far as it is there."""
        query_known(request, set())
        experiment = self.one()
        cells = cells_of(experiment)
        progress = progress_of(cells)
        found = {"trainings": progress.total, "done": progress.done, "failed": progress.failed,
                 "lines": lines_of(experiment, cells)}  # fmt: skip
        return Response(ExperimentResultsSerializer(found).data)

    @extend_schema(
        request=AnswersBody,
        responses={201: ExperimentSerializer},
        examples=[OpenApiExample("Answers from elsewhere", _ANSWERS, request_only=True)],
    )
    @action(detail=True, methods=["post"])
    def answers(self, request: Request, pk: str) -> Response:
        """A label for each test row of a split, from a model that was trained elsewhere."""
        experiment, body = self.one(), self.checked(AnswersBody)
        split = experiment.splits.filter(pk=body.pop("split")).first()
        if split is None:
            raise ValidationError({"split": _("The experiment has no such split.")})
        said = enumerate(body.pop("answers"), 1)
        answers.answers_count(split=split, actor=self.user, said=said, **body)
        return self.made(experiment)
