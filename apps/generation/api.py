"""Machine-made pairs through the API: examples first, then the pairs."""

from __future__ import annotations

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_view
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer

from apps.api.viewsets import IdFilter, ScopedViewSet, StudyFilters
from apps.generation import contrast_sets, services
from apps.generation.models import MachineBatch
from apps.generation.options import MachineOptions
from apps.generation.serializers import (
    ContrastBody,
    FullMachineBatchSerializer,
    MachineBatchSerializer,
    MachineBody,
)
from apps.jobs.api import job_answer
from apps.jobs.serializers import JobSerializer

_CONTRASTS = {"dataset": 1, "name": "Farm: few", "contrasts": ["few → a few", "few deleted"]}
_NEW = {"dataset": 1, "corpus": 1, "operations": ["substitute", "shorten"], "per_sentence": 2, "seed": 1}


class MachineBatchFilters(StudyFilters):
    dataset = IdFilter("dataset_id", _("The dataset's id."))


@extend_schema(tags=["datasets"])
@extend_schema_view(retrieve=extend_schema(responses=FullMachineBatchSerializer))
class MachineBatchViewSet(ScopedViewSet[MachineBatch]):
    """Pairs made of a corpus' sentences by the program, in batches."""

    model = MachineBatch
    filterset_class = MachineBatchFilters

    def get_serializer_class(self) -> type[BaseSerializer[MachineBatch]]:
        return MachineBatchSerializer if self.action == "list" else FullMachineBatchSerializer

    def get_queryset(self) -> QuerySet[MachineBatch]:
        return super().get_queryset().select_related("dataset")

    @extend_schema(
        request=MachineBody,
        responses={201: FullMachineBatchSerializer},
        examples=[OpenApiExample("Words and modifiers", _NEW, request_only=True)],
    )
    def create(self, request: Request) -> Response:
        """A batch. A job makes a few examples (``preview``); no pair is stored until it is started."""
        body = self.checked(MachineBody)
        dataset, corpus = body.pop("dataset"), body.pop("corpus")
        options = MachineOptions(**{**body, "operations": tuple(dict.fromkeys(body["operations"]))})
        return self.made(
            services.machine_batch_create(dataset=dataset, corpus=corpus, actor=self.user, options=options)
        )

    @extend_schema(request=None, responses={202: FullMachineBatchSerializer})
    @action(detail=True, methods=["post"])
    def start(self, request: Request, pk: str) -> Response:
        """Make the pairs, in the background; started again, it changes nothing."""
        return self.shown(services.machine_batch_start(batch=self.one(), actor=self.user), status=202)

    @extend_schema(
        request=ContrastBody,
        responses={202: JobSerializer},
        examples=[OpenApiExample("The paper's two", _CONTRASTS, request_only=True)],
    )
    @action(detail=False, methods=["post"])
    def contrasts(self, request: Request) -> Response:
        """A new dataset of a dataset's pairs under other operators (MED, section 4.3); the job's parameters
        name it (``dataset``), each pair's facts its original (``contrast_of``)."""
        _made, job = contrast_sets.contrast_set_create(actor=self.user, **self.checked(ContrastBody))
        return job_answer(job)
