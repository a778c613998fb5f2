"""Models, runs and predictions through the API."""

from __future__ import annotations

import django_filters
from django.db.models import QuerySet
from django.http import Http404
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.lists import query_known
from apps.api.viewsets import IdFilter, ScopedViewSet, StudyFilters
from apps.inference import selectors, services
from apps.inference.bodies import BudgetBody, HubBody, ModelBody, RunBody, TryPairBody
from apps.inference.chat.budgets import budget_set
from apps.inference.chat.spending import usage_of
from apps.inference.folder_models import labels_confirm
from apps.inference.folders import folders_found, missing_libraries
from apps.inference.hub import hub_fetch_start
from apps.inference.kinds import KINDS
from apps.inference.models import Model, Prediction, Run
from apps.inference.pairs_left import pairs_pending
from apps.inference.serializers import (
    FoldersSerializer,
    ModelSerializer,
    PendingPairSerializer,
    PredictionSerializer,
    RunSerializer,
    ScoreSerializer,
    UsageSerializer,
)
from apps.inference.trying import pair_try
from apps.inference.verdicts import verdicts_of
from apps.jobs.api import job_answer
from apps.jobs.models import Job
from apps.jobs.serializers import JobSerializer

_OVERLAP = {"study": "dogs-and-cats", "name": "Overlap 0.9", "kind": "overlap", "threshold": 0.9}
_CHAT = {
    "study": "dogs-and-cats",
    "name": "Llama, two labels",
    "kind": "chat",
    "server": "http://127.0.0.1:11434/v1",
    "server_model": "llama3.2",
    "template": "two-way-1",
}
_LEARNT = {"study": "dogs-and-cats", "name": "Bag of words", "kind": "learnt", "dataset": 1}
_PAIR = {"premise": "No dogs ran.", "hypothesis": "No small dogs ran."}


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

    @extend_schema(
        request=ModelBody,
        responses={201: ModelSerializer, 202: JobSerializer},
        examples=[
            OpenApiExample("Word overlap", _OVERLAP, request_only=True),
            OpenApiExample("To be trained", _LEARNT, request_only=True),
            OpenApiExample("A chat model of Ollama's", _CHAT, request_only=True),
        ],
    )
    def create(self, request: Request) -> Response:
        """Register a model. 202 where a job has to be done first (training, reading weights), which
        registers it. The same name with the same content again is the model that is there."""
        body = self.checked(ModelBody)
        made = KINDS[body.pop("kind")].register(actor=self.user, **body)
        return job_answer(made) if isinstance(made, Job) else self.made(made)

    @extend_schema(request=None, responses=ModelSerializer)
    @action(detail=True, methods=["post"], pagination_class=None, filterset_class=None)
    def confirm(self, request: Request, pk: str) -> Response:
        """Say that you have seen which output is which label (``labels``), and that it is so."""
        return self.shown(labels_confirm(model=self.one(), actor=self.user))

    @extend_schema(
        request=TryPairBody,
        responses={202: JobSerializer},
        examples=[OpenApiExample("A downward pair", _PAIR, request_only=True)],
    )
    @action(detail=True, methods=["post"], url_path="try", pagination_class=None, filterset_class=None)
    def tried(self, request: Request, pk: str) -> Response:
        """Try a model on a pair: the job's result has its label and probabilities, and the calculus' label
        with its reason."""
        return job_answer(pair_try(model=self.one(), actor=self.user, **self.checked(TryPairBody)))

    @extend_schema(
        request=HubBody,
        responses={202: JobSerializer},
        examples=[
            OpenApiExample(
                "A commit",
                {"study": "dogs-and-cats", "hub": "owner/name", "revision": "0" * 40},
                request_only=True,
            )
        ],
    )
    @action(detail=False, methods=["post"], pagination_class=None, filterset_class=None)
    def fetch(self, request: Request) -> Response:
        """Fetch a model from the hub, where whoever hosts the server allows one, into the models' directory:
        the job's result names the ``folder``, to be registered."""
        return job_answer(hub_fetch_start(actor=self.user, **self.checked(HubBody)))

    @extend_schema(responses=FoldersSerializer)
    @action(detail=False, pagination_class=None, filterset_class=None)
    def folders(self, request: Request) -> Response:
        """The Hugging Face folders on this server, what it lacks to run them, and the ONNX folders."""
        query_known(request, set())
        found = {
            "folders": folders_found(),
            "onnx_folders": folders_found(onnx=True),
            "missing_libraries": missing_libraries(),
        }
        return Response(FoldersSerializer(found).data)


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
        return selectors.predictions_counted(super().get_queryset()).select_related("job")

    @extend_schema(
        request=RunBody,
        responses={201: RunSerializer},
        examples=[OpenApiExample("A model on a dataset", {"model": 1, "dataset": 1}, request_only=True)],
    )
    def create(self, request: Request) -> Response:
        """Have a model predict, in the background, the pairs of a dataset that this version of it has not
        predicted. There is one run of both: while it is at work it is the answer; afterwards it goes on with
        pairs that came in since, or were left pending. Nothing is predicted twice."""
        return self.made(services.run_start(actor=self.user, **self.checked(RunBody)))

    @extend_schema(responses=PendingPairSerializer(many=True))
    @action(detail=True, methods=["get"], filterset_class=None)
    def pending(self, request: Request, pk: str) -> Response:
        """The pairs that the run has no prediction of, and why. To try them again, start the run again."""
        run = Run.objects.select_related("dataset").get(pk=self.one().pk)
        return self.page_of(pairs_pending(run), PendingPairSerializer)

    @extend_schema(responses=ScoreSerializer(many=True))
    @action(detail=True, pagination_class=None, filterset_class=None)
    def scores(self, request: Request, pk: str) -> Response:
        """How often the run agrees with calculus, people and gold labels."""
        query_known(request, set())
        run = Run.objects.select_related("dataset", "model").get(pk=self.one().pk)
        figures, _found = selectors.run_figures(run, wait=True)
        said = verdicts_of(figures)
        scores = [
            {
                "key": score.key,
                "title": score.title,
                "overall": score.overall,
                "by_direction": score.by_direction,
                "verdicts": [verdict for verdict in said if verdict.against in ("", score.key)],
            }
            for score in figures.scores
        ]
        return Response(ScoreSerializer(scores, many=True).data)

    @extend_schema(responses=UsageSerializer)
    @action(detail=True, pagination_class=None, filterset_class=None)
    def usage(self, request: Request, pk: str) -> Response:
        """What a chat model's run has used: requests, tokens, money; 404 for a model of another kind."""
        query_known(request, set())
        usage = usage_of(self._run_with_model())
        if usage is None:
            raise Http404
        return Response(UsageSerializer(usage.row).data)

    @extend_schema(
        request=BudgetBody,
        responses=RunSerializer,
        examples=[OpenApiExample("A hundred thousand tokens", {"tokens": 100000}, request_only=True)],
    )
    @action(detail=True, methods=["post"])
    def budget(self, request: Request, pk: str) -> Response:
        """Give a chat model's run another budget; one that has stopped goes on where it is."""
        run = self._run_with_model()
        return self.shown(budget_set(run=run, actor=self.user, **self.checked(BudgetBody)))

    def _run_with_model(self) -> Run:
        return Run.objects.select_related("model__study", "job").get(pk=self.one().pk)


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
