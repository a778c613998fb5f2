"""People, calculus and models by what tells pairs apart, through the API."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils.translation import gettext_lazy
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.lists import query_known
from apps.api.views import ApiView
from apps.comparison.campaign_choice import JudgesForm
from apps.dashboard import breakdown, counted, norms
from apps.dashboard.choices import choices, latest, references
from apps.dashboard.forms import BreakdownForm
from apps.dashboard.hard_pairs import REFERENCES
from apps.dashboard.model_api import ID, dataset_read, form_refused
from apps.dashboard.models import Norm
from apps.dashboard.serializers import BreakdownSerializer, SoftLabelsSerializer
from measures.undefined import Undefined

CAMPAIGNS = OpenApiParameter(
    "campaigns",
    OpenApiTypes.STR,
    description=gettext_lazy(
        "The campaigns whose answers are read, as 3,5; left out, those that ask for a label."
    ),
)


class BreakdownView(ApiView):
    """Accuracy by direction, genre, tag, or whatever else tells pairs apart (MED, Tables 6 to 9)."""

    moving = ("as_of",)

    @extend_schema(
        tags=["dashboard"],
        responses=BreakdownSerializer,
        parameters=[
            ID,
            OpenApiParameter(
                "by", OpenApiTypes.STR, description=gettext_lazy("One of “ways”; left out, direction.")
            ),
            OpenApiParameter(
                "against",
                enum=list(REFERENCES),
                description=gettext_lazy("Left out: the first of them there is."),
            ),
            OpenApiParameter("one", OpenApiTypes.INT64, description=gettext_lazy("A run, with “two”.")),
            OpenApiParameter(
                "two", OpenApiTypes.INT64, description=gettext_lazy("The run that is held against it.")
            ),
            OpenApiParameter(
                "norm", OpenApiTypes.INT64, description=gettext_lazy("An outside norm of the study.")
            ),
            CAMPAIGNS,
        ],
    )
    def get(self, request: Request, id: str) -> Response:
        """How many labels of each judge are the reference's, by value; the last line is of all pairs."""
        query_known(request, {*BreakdownForm.base_fields, "campaigns"})
        dataset = dataset_read(self.user, id)
        there = choices(dataset)
        runs, ways = latest(there), breakdown.ways_with(there.facts)
        form = BreakdownForm(
            request.query_params,
            ways=ways,
            references=references(dataset, there),
            runs=runs,
            norms=list(Norm.objects.filter(study=dataset.study_id).defer("numbers")),
        )
        judges = JudgesForm(request.query_params, dataset=dataset)
        form_refused(form)
        form_refused(judges)
        lines: list[dict[str, Any]] = []
        as_of: datetime | None = None
        norm: dict[str, Any] | None = None
        if form.reference is not None:
            asked = (dataset, form.by_what, form.reference, judges.judges, runs, form.pair)
            kept = counted.broken_down(*asked, wait=True)
            found, as_of = kept.there, kept.found.as_of
            lines = [_line(line) for line in found.lines]
            if (number := form.said("norm")) is not None:
                chosen = Norm.objects.get(pk=number, study=dataset.study_id)
                norm = _norm(chosen, found)
        told = {
            "dataset": dataset.pk,
            "ways": list(ways),
            "by": form.by_what,
            "reference": form.reference,
            "campaigns": judges.judges.numbers,
            "as_of": as_of,
            "lines": lines,
            "norm": norm,
        }
        return Response(BreakdownSerializer(told).data)


class SoftLabelsView(ApiView):
    """Models beside people's soft labels."""

    moving = ("as_of",)

    @extend_schema(tags=["dashboard"], responses=SoftLabelsSerializer, parameters=[ID, CAMPAIGNS])
    def get(self, request: Request, id: str) -> Response:
        """How well people themselves and each model foresee the share of people who say entailment."""
        query_known(request, {"campaigns"})
        dataset = dataset_read(self.user, id)
        judges = JudgesForm(request.query_params, dataset=dataset)
        form_refused(judges)
        kept = counted.foresight(dataset, judges.judges, latest(choices(dataset)), wait=True)
        told = {
            "dataset": dataset.pk,
            "campaigns": judges.judges.numbers,
            "as_of": kept.found.as_of,
            "judges": [
                {
                    **vars(one),
                    "cross_entropy": _figure(one.entropy),
                    "brier": _figure(one.distance),
                    "calibration_error": _figure(one.error),
                    "r": _figure(one.r),
                }
                for one in kept.there
            ],
        }
        return Response(SoftLabelsSerializer(told).data)


def _figure(value: float | Undefined) -> float | None:
    return None if isinstance(value, Undefined) else value


def _norm(norm: Norm, found: breakdown.Breakdown) -> dict[str, Any]:
    values = [line.value for line in found.lines if line.value is not None]
    by_value = {value: norm.numbers.get(norms.folded(value)) for value in values}
    return {
        "id": norm.pk,
        "name": norm.name,
        "source": norm.source,
        "numbers": {value: number for value, number in by_value.items() if number is not None},
        "correlations": correlations_told(found, norm.numbers),
    }


def correlations_told(found: breakdown.Breakdown, numbers: Mapping[str, float]) -> list[dict[str, Any]]:
    """As ``NormCorrelationSerializer`` shows them."""
    return [
        {
            "judge": row.judge,
            "values": row.n,
            "pearson": _figure(row.pearson),
            "spearman": _figure(row.spearman),
        }
        for row in norms.correlations(found, numbers)
    ]


def _line(line: breakdown.Line) -> dict[str, Any]:
    return {
        "value": line.value,
        "pairs": line.pairs,
        "scores": [{"judge": name, **vars(score)} for name, score in line.scores.items()],
        "difference": line.difference,
        "only_one": line.only_one,
        "only_two": line.only_two,
        "p": line.p,
    }
