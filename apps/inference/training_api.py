"""Training sets, trainings and learning curves through the API."""

from __future__ import annotations

from typing import Any

from django.db.models import Prefetch, QuerySet
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.bodies import Body, Reference, StudyBody
from apps.api.lists import query_known
from apps.api.viewsets import IdFilter, ScopedViewSet, StudyFilters
from apps.datasets.labels import LABEL_SETS
from apps.inference import training_sets, trainings
from apps.inference.bodies import TrySentenceBody
from apps.inference.networks import labelling_networks
from apps.inference.training_models import LearningCurve, Training, TrainingEpoch, TrainingRun, TrainingSet
from apps.inference.training_sources import choices_of
from apps.inference.trying import sentence_try
from apps.jobs.api import job_answer
from apps.jobs.serializers import JobSerializer
from apps.studies.access import studies_researched

# Without their rows.
_SETS = Prefetch("training_sets", TrainingSet.objects.only("pk", "curve"))
_SOURCES = [{"source": "dataset:1", "count": 1500}, {"source": "dataset:2", "count": 500, "upward": 0.3}]
_SET = {"study": "dogs-and-cats", "name": "SICK and machine-made", "sources": _SOURCES, "test": ["dataset:3"]}
_TRAINING = {"training_set": 1, "name": "ESIM", "network": "esim", "small": True, "seeds": 3}
_CURVE = {
    "study": "dogs-and-cats", "name": "Figure 2", "varied": "dataset:2", "sizes": [50, 100, 200],
    "directions": ["upward", "downward"], "ratios": [0.0, 0.5, 1.0], "ratio_size": 200,
    "network": "esim", "small": True, "seeds": 3, "test": ["dataset:3"],
}  # fmt: skip


# ---- What is sent ---------------------------------------------------------------------------


class PortionBody(Body):
    """A source by its reference, and how much of it: ``count`` rows, or a ``share`` of the size; neither:
    all. ``upward``: of the two directions alone, so large a share upward."""

    source = serializers.CharField(max_length=200)  # type: ignore[assignment]
    count = serializers.IntegerField(required=False, allow_null=True, min_value=1)
    share = serializers.FloatField(required=False, allow_null=True, min_value=0)
    upward = serializers.FloatField(required=False, allow_null=True, min_value=0, max_value=1)


class SpecBody(StudyBody):
    """What rows are mixed of, and what is left out."""

    sources = PortionBody(many=True, required=False)
    size = serializers.IntegerField(required=False, allow_null=True, min_value=1)
    labels = serializers.ChoiceField(choices=list(LABEL_SETS), required=False)
    test = serializers.ListField(
        child=serializers.CharField(max_length=200),
        required=False,
        max_length=20,
        help_text=_("References of what is tested on: nothing is learnt of these."),
    )
    without_premises = serializers.BooleanField(required=False)
    validation = serializers.FloatField(required=False, min_value=0, max_value=0.9)
    validation_source = serializers.CharField(required=False, allow_null=True, max_length=200)
    seed = serializers.IntegerField(required=False, min_value=0, max_value=training_sets.LARGEST_SEED)


SPEC_FIELDS = (
    "sources", "size", "labels", "test", "without_premises", "validation", "validation_source", "seed",
)  # fmt: skip


class TrainingSetBody(SpecBody):
    name = serializers.CharField(max_length=200)


class OptionsBody(Body):
    """A network's training; what is left out is the network's own. ``sizes`` replace some of its sizes."""

    epochs = serializers.IntegerField(required=False, min_value=1)
    patience = serializers.IntegerField(required=False, min_value=0)
    batch = serializers.IntegerField(required=False, min_value=1)
    optimizer = serializers.CharField(required=False, max_length=20)
    learning_rate = serializers.FloatField(required=False, min_value=0)
    warmup = serializers.FloatField(required=False, min_value=0)
    clip = serializers.FloatField(required=False, min_value=0)
    vectors = serializers.CharField(required=False, max_length=200)
    dimensions = serializers.IntegerField(required=False, min_value=1)
    hypothesis_only = serializers.BooleanField(required=False)
    dropouts = serializers.ListField(child=serializers.FloatField(), required=False, max_length=20)
    precision = serializers.CharField(required=False, max_length=20)
    sizes = serializers.DictField(required=False)
    threads = serializers.IntegerField(required=False, min_value=1)


class TrainingBody(Body):
    training_set = Reference(TrainingSet)
    name = serializers.CharField(max_length=200)
    network = serializers.CharField(max_length=40)
    options = OptionsBody(required=False)
    small = serializers.BooleanField(required=False)
    seeds = serializers.IntegerField(required=False, min_value=1, max_value=trainings.MOST_SEEDS)
    keeps = serializers.BooleanField(required=False)


class CurveBody(SpecBody):
    name = serializers.CharField(max_length=150)
    varied = serializers.CharField(max_length=200)
    sizes = serializers.ListField(child=serializers.IntegerField(min_value=1), max_length=30)
    directions = serializers.ListField(
        child=serializers.ChoiceField(choices=["upward", "downward"]), max_length=2
    )
    ratios = serializers.ListField(
        child=serializers.FloatField(min_value=0, max_value=1), max_length=30, required=False
    )
    ratio_size = serializers.IntegerField(required=False, allow_null=True, min_value=1)
    network = serializers.CharField(max_length=40)
    options = OptionsBody(required=False)
    small = serializers.BooleanField(required=False)
    seeds = serializers.IntegerField(required=False, min_value=1, max_value=trainings.MOST_SEEDS)


# ---- What is shown --------------------------------------------------------------------------


class TrainingSetSerializer(serializers.ModelSerializer[TrainingSet]):
    """``counts`` are by part, then source, label and direction; ``fingerprint`` the SHA-256 of the rows."""

    study = serializers.SlugField(source="study.slug", read_only=True)

    class Meta:
        model = TrainingSet
        fields = ["id", "study", "name", "spec", "counts", "overlap", "fingerprint", "curve", "created_at"]


class TrainingRunSerializer(serializers.ModelSerializer[TrainingRun]):
    """``scores``: for each source of the test part [right, pairs] by direction and of all."""

    class Meta:
        model = TrainingRun
        fields = [
            "run", "seed", "dropout", "best_epoch", "validation_accuracy", "scores", "parameters", "seconds",
            "fingerprint",
        ]  # fmt: skip


class TrainingSerializer(serializers.ModelSerializer[Training]):
    study = serializers.SlugField(source="study.slug", read_only=True)
    state = serializers.CharField(source="job.state", read_only=True, default=None, allow_null=True)
    runs = TrainingRunSerializer(many=True, read_only=True)

    class Meta:
        model = Training
        fields = [
            "id", "study", "name", "training_set", "network", "options", "seeds", "keeps", "job", "state",
            "model", "runs", "created_at",
        ]  # fmt: skip


class TrainingEpochSerializer(serializers.ModelSerializer[TrainingEpoch]):
    """Accuracies are shares; the one on the training part is while training."""

    class Meta:
        model = TrainingEpoch
        fields = ["run", "number", "loss", "train_accuracy", "validation_accuracy", "seconds"]


class LearningCurveSerializer(serializers.ModelSerializer[LearningCurve]):
    study = serializers.SlugField(source="study.slug", read_only=True)
    training_sets = serializers.SerializerMethodField()

    class Meta:
        model = LearningCurve
        fields = ["id", "study", "name", "spec", "job", "training_sets", "created_at"]

    def get_training_sets(self, curve: LearningCurve) -> list[int]:
        """The numbers of its sets; the view has fetched them."""
        return [training_set.pk for training_set in curve.training_sets.all()]


class TrainingSourceSerializer(serializers.Serializer[Any]):
    reference = serializers.CharField()
    name = serializers.CharField()


class NetworkSerializer(serializers.Serializer[Any]):
    key = serializers.CharField()
    title = serializers.CharField()
    paper = serializers.CharField()
    sizes = serializers.DictField()
    usual = serializers.DictField()


# ---- Addresses ------------------------------------------------------------------------------


@extend_schema(tags=["models"])
class TrainingSetViewSet(ScopedViewSet[TrainingSet]):
    """Rows mixed out of datasets and releases, frozen, to train networks on."""

    model = TrainingSet
    serializer_class = TrainingSetSerializer

    def get_queryset(self) -> QuerySet[TrainingSet]:
        return super().get_queryset().select_related("study").defer("rows")

    @extend_schema(
        request=TrainingSetBody,
        responses={202: JobSerializer},
        examples=[OpenApiExample("Two sources", _SET, request_only=True)],
    )
    def create(self, request: Request) -> Response:
        """Mix a set in the background; the job stores it under the name, or says what there is too little
        of."""
        body = self.checked(TrainingSetBody)
        spec = {name: body[name] for name in SPEC_FIELDS if name in body}
        job = training_sets.training_set_start(
            study=body["study"], actor=self.user, name=body["name"], spec=spec
        )
        return job_answer(job)

    @extend_schema(responses=TrainingSourceSerializer(many=True))
    @action(detail=False, pagination_class=None, filterset_class=None)
    def sources(self, request: Request) -> Response:
        """What sets can be mixed of, in all of the reader's studies: datasets and releases."""
        query_known(request, set())
        found = [
            {"reference": reference, "name": name}
            for study in studies_researched(self.user)
            for _title, choices in choices_of(study)
            for reference, name in choices
        ]
        return Response(TrainingSourceSerializer(found, many=True).data)

    @extend_schema(responses=NetworkSerializer(many=True))
    @action(detail=False, pagination_class=None, filterset_class=None)
    def networks(self, request: Request) -> Response:
        """The networks that can be trained here, with their sizes and what is not as usual."""
        query_known(request, set())
        return Response(NetworkSerializer(list(labelling_networks().values()), many=True).data)


class TrainingFilters(StudyFilters):
    training_set = IdFilter("training_set_id", _("The training set's id."))


@extend_schema(tags=["models"])
class TrainingViewSet(ScopedViewSet[Training]):
    """Networks trained on a set; the job has the progress."""

    model = Training
    serializer_class = TrainingSerializer
    filterset_class = TrainingFilters

    def get_queryset(self) -> QuerySet[Training]:
        return super().get_queryset().select_related("study", "job").prefetch_related("runs")

    @extend_schema(
        request=TrainingBody,
        responses={201: TrainingSerializer},
        examples=[OpenApiExample("Three seeds", _TRAINING, request_only=True)],
    )
    def create(self, request: Request) -> Response:
        """Train a network in the background. With ``keeps`` (as usual) the best run becomes a model of the
        training's name."""
        return self.made(trainings.training_start(actor=self.user, **self.checked(TrainingBody)))

    @extend_schema(responses=TrainingEpochSerializer(many=True))
    @action(detail=True, filterset_class=None)
    def epochs(self, request: Request, pk: str) -> Response:
        """What each epoch of each run came to."""
        return self.page_of(self.one().epochs.all(), TrainingEpochSerializer)

    @extend_schema(
        request=TrySentenceBody,
        responses={202: JobSerializer},
        examples=[OpenApiExample("A sentence", {"sentence": "Every small dog ran"}, request_only=True)],
    )
    @action(detail=True, methods=["post"], url_path="try", pagination_class=None, filterset_class=None)
    def tried(self, request: Request, pk: str) -> Response:
        """Have a kept network that writes meanings write a sentence's: the job's result has what it wrote
        and the words it was never shown; where the grammar reads the sentence, the gold meaning, what follows
        from which, and the clauses that are the same."""
        return job_answer(sentence_try(training=self.one(), actor=self.user, **self.checked(TrySentenceBody)))


@extend_schema(tags=["models"])
class LearningCurveViewSet(ScopedViewSet[LearningCurve]):
    """Training sets that differ in size or ratio of directions alone, with their trainings."""

    model = LearningCurve
    serializer_class = LearningCurveSerializer

    def get_queryset(self) -> QuerySet[LearningCurve]:
        return super().get_queryset().select_related("study").prefetch_related(_SETS)

    @extend_schema(
        request=CurveBody,
        responses={201: LearningCurveSerializer},
        examples=[OpenApiExample("MED, Figure 2, small", _CURVE, request_only=True)],
    )
    def create(self, request: Request) -> Response:
        """Make the sets and start their trainings: rows of ``varied`` are added to ``sources``, ``sizes`` of
        each direction alone, and ``ratio_size`` in each of ``ratios``."""
        body = self.checked(CurveBody)
        spec = {name: body.pop(name) for name in SPEC_FIELDS if name in body}
        body.setdefault("ratios", [])
        body.setdefault("ratio_size", None)
        return self.made(trainings.curve_start(actor=self.user, spec=spec, **body))
