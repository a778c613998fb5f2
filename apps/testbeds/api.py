"""Testbeds through the API: generated, proved, counted cell by cell, given to people."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.lists import query_known
from apps.api.problems import QueryError
from apps.api.viewsets import IdFilter, ScopedViewSet, StudyFilters
from apps.comparison.judges import judges_of
from apps.datasets.models import Dataset
from apps.inference.selectors import latest_runs
from apps.jobs.api import job_answer
from apps.jobs.serializers import JobSerializer
from apps.testbeds import licensed, sampling, selectors, services
from apps.testbeds.models import Testbed
from apps.testbeds.options import TestbedOptions
from apps.testbeds.serializers import (
    SampledSerializer,
    TestbedBody,
    TestbedCellSerializer,
    TestbedPairsBody,
    TestbedSampleBody,
    TestbedSerializer,
)

_NEW = {"study": "dogs-and-cats", "name": "Depth 2", "kind": "systematicity", "size": 5000, "depth": 2}
_SAMPLE = {"name": "Ask about cells", "factor": "cell", "each": 240, "task": "likert"}


class TestbedFilters(StudyFilters):
    dataset = IdFilter("dataset_id", gettext_lazy("The dataset's id."))


@extend_schema(tags=["testbeds"])
class TestbedViewSet(ScopedViewSet[Testbed]):
    """Generated, controlled datasets (docs/natlog-testbeds.md)."""

    model = Testbed
    serializer_class = TestbedSerializer
    filterset_class = TestbedFilters

    def get_queryset(self) -> QuerySet[Testbed]:
        return super().get_queryset().select_related("dataset__study")

    @extend_schema(
        request=TestbedBody,
        responses={201: TestbedSerializer},
        examples=[OpenApiExample("Systematicity", _NEW, request_only=True)],
    )
    def create(self, request: Request) -> Response:
        """A dataset, filled by a job; the same kind, size, depth and seed make the same rows."""
        body = self.checked(TestbedBody)
        study, name = body.pop("study"), body.pop("name")
        options = TestbedOptions(**body)
        return self.made(services.testbed_create(study=study, actor=self.user, name=name, options=options))

    @extend_schema(request=None, responses={202: TestbedSerializer})
    @action(detail=True, methods=["post"])
    def prove(self, request: Request, pk: str) -> Response:
        """Have a prover check every claim of the rows, in the background."""
        return self.shown(services.proving_start(testbed=self.one(), actor=self.user), status=202)

    @extend_schema(
        request=TestbedSampleBody,
        responses={201: SampledSerializer},
        examples=[OpenApiExample("240 of each cell", _SAMPLE, request_only=True)],
    )
    @action(detail=True, methods=["post"])
    def sample(self, request: Request, pk: str) -> Response:
        """As many pairs of each value of a column, as a dataset of their own with a campaign in draft."""
        campaign = sampling.sample_begin(
            testbed=self.one(), actor=self.user, **self.checked(TestbedSampleBody)
        )
        shown = SampledSerializer({"campaign": campaign.pk, "dataset": campaign.dataset_id}).data
        return Response(shown, status=201)

    @extend_schema(
        request=TestbedPairsBody,
        responses={202: JobSerializer},
        examples=[OpenApiExample("Pairs", {"name": "Depth 2, pairs"}, request_only=True)],
    )
    @action(detail=True, methods=["post"])
    def pairs(self, request: Request, pk: str) -> Response:
        """Of a testbed of meanings: the pairs that its sentences license, as a new dataset, which the job's
        parameters name (``dataset``)."""
        body = self.checked(TestbedPairsBody)
        _made, job = licensed.licensed_begin(testbed=self.one(), actor=self.user, **body)
        return job_answer(job)

    @extend_schema(
        responses=TestbedCellSerializer(many=True),
        parameters=[OpenApiParameter("by", required=True, description="A column of few values.")],
    )
    @action(detail=True, pagination_class=None, filterset_class=None)
    def cells(self, request: Request, pk: str) -> Response:
        """Who gives the testbed's label how often: people by majority (human) and by single answers (single),
        calculus and models; by a column's values, and over all."""
        testbed = self.one()
        query_known(request, {"by"})
        factor = request.query_params.get("by", "")
        if testbed.dataset.kind != Dataset.Kind.PAIRS or factor not in selectors.factors(testbed.dataset):
            raise QueryError({"by": [_("Choose a column of this list.")]})
        runs = latest_runs(testbed.dataset)
        found = selectors.cells(testbed.dataset, factor, judges_of(testbed.dataset), runs)
        titles = [*found.judges[:3], *(run.model.name for run in runs)]
        rows: list[dict[str, Any]] = [
            {
                "value": row.value,
                "pairs": row.pairs,
                "scores": [
                    {"judge": title, "right": score.right, "of": score.of}
                    for title, score in zip(titles, row.scores, strict=True)
                ],
            }
            for row in found.rows
        ]
        return Response(TestbedCellSerializer(rows, many=True).data)
