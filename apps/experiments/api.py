"""Experiments through the API: started, followed, read; splits as files, answers brought in."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.bodies import Body, StudyBody
from apps.api.lists import query_known
from apps.api.viewsets import Keeping, ScopedViewSet, StudyFilters
from apps.experiments import answers, elsewhere, own_protocols, retention, services
from apps.experiments.models import Experiment, Split
from apps.experiments.protocols import PRESETS, protocols
from apps.experiments.results import cells_of, lines_of, progress_of, published_shares

_NEW = {"study": "dogs-and-cats", "name": "Productivity", "protocol": "systematicity_productivity"}
_ANSWERS = {
    "split": 1, "contestant": "RoBERTa", "seed": 1,
    "answers": [{"id": "test-1-3f2a9c", "label": "entailment"}],
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
    protocol_sha256 = serializers.CharField(source="spec.sha256", read_only=True)
    splits = SplitSerializer(many=True, read_only=True)

    class Meta:
        model = Experiment
        fields = ["id", "name", "protocol", "protocol_sha256", "preset", "sizes", "roles", "splits", "job",
                  "calculus_job", "archived_at", "created_at"]  # fmt: skip


class ExperimentBody(StudyBody):
    name = serializers.CharField(max_length=150)
    protocol = serializers.CharField(
        max_length=80,
        help_text=gettext_lazy("One that comes with the program, or the study's own, by its name."),
    )
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
        default=False, help_text=gettext_lazy("Whether the trained networks become models.")
    )


class NameBody(Body):
    name = serializers.CharField(max_length=150)


class ProtocolTextSerializer(serializers.Serializer[Any]):
    """A protocol's TOML, and its SHA-256."""

    name = serializers.CharField()
    sha256 = serializers.CharField()
    text = serializers.CharField()


class AnswerBody(Body):
    id = serializers.CharField(max_length=60)
    label = serializers.CharField(max_length=60, required=False)  # type: ignore[assignment]
    meaning = serializers.CharField(
        max_length=100_000,
        required=False,
        allow_blank=True,
        help_text=gettext_lazy("In the place of the label where meanings are learnt."),
    )


class AnswersBody(Body):
    split = serializers.IntegerField(min_value=1)
    contestant = serializers.CharField(max_length=80)
    seed = serializers.IntegerField(min_value=1, max_value=2**31 - 1, default=1)
    answers = AnswerBody(many=True)


class SeedSerializer(serializers.Serializer[Any]):
    """What one seed came to. ``rows`` is the seed by which its rows were dealt, 0 where every seed has the
    same."""

    rows = serializers.IntegerField()
    seed = serializers.IntegerField()
    share = serializers.FloatField()


class ReachedSerializer(serializers.Serializer[Any]):
    """Mean and standard deviation (null of one seed) of the share that is right, and each seed's share."""

    contestant = serializers.CharField()
    mean = serializers.FloatField()
    sd = serializers.FloatField(allow_null=True)
    seeds = serializers.IntegerField()
    by_seed = SeedSerializer(many=True)


class PublishedSerializer(serializers.Serializer[Any]):
    """A paper's figure for a network, as a share; the deviation is null where none is printed."""

    contestant = serializers.CharField()
    mean = serializers.FloatField()
    sd = serializers.FloatField(allow_null=True)


class ExperimentLineSerializer(serializers.Serializer[Any]):
    """A training with one of its tests: what was reached here, and what is published. All are shares of 1."""

    trained_on = serializers.CharField(source="training")
    tested_on = serializers.CharField(source="test")
    measure = serializers.SerializerMethodField()
    pairs = serializers.IntegerField()
    reached = serializers.SerializerMethodField()
    published = serializers.SerializerMethodField()

    def get_measure(self, line: Any) -> str:
        """What is measured: “right”, or what stands behind a network in a protocol's published figures."""
        return line.measure.published or "right"

    @extend_schema_field(ReachedSerializer(many=True))
    def get_reached(self, line: Any) -> list[dict[str, Any]]:
        return [
            {
                "contestant": name,
                "mean": each.mean,
                "sd": each.sd,
                "seeds": each.seeds,
                "by_seed": [vars(seed) for seed in each.by_seed],
            }
            for name, each in line.reached.items()
        ]

    @extend_schema_field(PublishedSerializer(many=True))
    def get_published(self, line: Any) -> list[dict[str, Any]]:
        return [
            {"contestant": name, "mean": mean, "sd": sd}
            for name, (mean, sd) in published_shares(line.published).items()
        ]


class ExperimentResultsSerializer(serializers.Serializer[Any]):
    """How many trainings are over, a guess at what is left, and the lines of the table as far as they are
    there."""

    trainings = serializers.IntegerField()
    done = serializers.IntegerField()
    failed = serializers.IntegerField()
    seconds_left = serializers.IntegerField(allow_null=True)
    lines = ExperimentLineSerializer(many=True)


@extend_schema(tags=["experiments"])
class ExperimentViewSet(Keeping[Experiment], ScopedViewSet[Experiment]):
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
        protocol = own_protocols.protocol_named(body["study"], body.pop("protocol"))
        if protocol is None:
            known = ", ".join(protocols())
            text = _("There is no such protocol here; those that come with the program: %(names)s.")
            raise ValidationError({"protocol": text % {"names": known}})
        return self.made(services.experiment_start(actor=self.user, protocol=protocol, **body))

    @extend_schema(
        request=NameBody,
        responses=ExperimentSerializer,
        examples=[OpenApiExample("Another name", {"name": "Productivity, first try"}, request_only=True)],
    )
    def partial_update(self, request: Request, pk: str) -> Response:
        """Give it another name; its trainings keep theirs."""
        experiment = self.one()
        retention.experiment_rename(experiment, self.user, **self.checked(NameBody))
        return self.shown(experiment)

    @extend_schema(responses=ProtocolTextSerializer)
    @action(detail=True, pagination_class=None, filterset_class=None)
    def protocol(self, request: Request, pk: str) -> Response:
        """The protocol's text as it was when the experiment began, with its SHA-256."""
        query_known(request, set())
        experiment = self.one()
        spec = experiment.spec
        found = {"name": experiment.protocol, "sha256": spec["sha256"], "text": spec["text"]}
        return Response(ProtocolTextSerializer(found).data)

    @extend_schema(request=None, responses={200: ExperimentSerializer})
    @action(detail=True, methods=["post"])
    def cancel(self, request: Request, pk: str) -> Response:
        """Cancel what still goes on; what is there stays."""
        experiment = self.one()
        services.experiment_cancel(experiment=experiment, actor=self.user)
        return self.shown(experiment)

    @extend_schema(request=None, responses={200: ExperimentSerializer})
    @action(detail=True, methods=["post"], url_path="go-on")
    def go_on(self, request: Request, pk: str) -> Response:
        """Go on with what was cancelled or failed, from where it stopped."""
        experiment = self.one()
        services.experiment_go_on(experiment=experiment, actor=self.user)
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
                 "seconds_left": progress.seconds_left,
                 "lines": [line for group in services.protocol_of(experiment).measures
                           for line in lines_of(experiment, cells, group)]}  # fmt: skip
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
        try:
            answers.answers_count(split=split, actor=self.user, said=said, **body)
        except ValidationError as error:  # there is no file here
            named = {"answers" if name == "file" else name: own for name, own in error.message_dict.items()}
            raise ValidationError(named) from error
        return self.made(experiment)

    @extend_schema(
        request=None,
        responses={204: None},
        parameters=[OpenApiParameter("contestant", required=True, description="The model's name.")],
    )
    @answers.mapping.delete
    def answers_remove(self, request: Request, pk: str) -> Response:
        """Take back all that a model from elsewhere answered, of every split, seed and form."""
        query_known(request, {"contestant"})
        elsewhere.answers_remove(
            experiment=self.one(), actor=self.user, contestant=request.query_params.get("contestant", "")
        )
        return Response(status=204)
