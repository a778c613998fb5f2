"""How far annotators agree, through the API: every coefficient of the page, slice by slice."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.lists import query_known
from apps.api.views import ApiView
from apps.comparison.campaign_choice import JudgesForm
from apps.dashboard import counted
from apps.dashboard.agreement import Line, Scaled
from apps.dashboard.breakdown_api import CAMPAIGNS
from apps.dashboard.model_api import ID, dataset_read, form_refused
from apps.dashboard.serializers import AS_OF
from measures.agreement import Agreement
from measures.ratings import Correlation


class CoefficientSerializer(serializers.Serializer[Any]):
    """``undefined`` is the reason where there is no value."""

    value = serializers.FloatField(allow_null=True)
    undefined = serializers.CharField(allow_null=True)


class AgreementLineSerializer(serializers.Serializer[Any]):
    """The pairs whose ``by`` is ``value``; all of them where both are empty. ``pairs`` have two answers or
    more, ``alpha_from`` to ``alpha_to`` is the 95 % interval."""

    by = serializers.CharField(allow_blank=True)
    value = serializers.CharField(allow_blank=True)
    pairs = serializers.IntegerField()
    answers = serializers.IntegerField()
    raw = serializers.FloatField(allow_null=True)
    alpha = CoefficientSerializer()
    alpha_from = serializers.FloatField(allow_null=True)
    alpha_to = serializers.FloatField(allow_null=True)
    ac1 = CoefficientSerializer()
    fleiss = CoefficientSerializer()


class ScaleAgreementSerializer(serializers.Serializer[Any]):
    """On the points of the scale: α ordinal and interval; Pearson's r of each rater against the mean of the
    others, and averaged over pairs of raters."""

    ratings = serializers.IntegerField()
    ordinal = CoefficientSerializer()
    interval = CoefficientSerializer()
    against_the_others = CoefficientSerializer()
    between_pairs = CoefficientSerializer()


class TwoRatersSerializer(serializers.Serializer[Any]):
    one = serializers.CharField()
    two = serializers.CharField()
    pairs = serializers.IntegerField()
    raw = serializers.FloatField(allow_null=True)
    kappa = CoefficientSerializer()


class AgreementReportSerializer(serializers.Serializer[Any]):
    dataset = serializers.IntegerField()
    as_of = serializers.DateTimeField(allow_null=True, help_text=AS_OF)
    campaigns = serializers.ListField(child=serializers.IntegerField())
    lines = AgreementLineSerializer(many=True)
    scale = ScaleAgreementSerializer(allow_null=True)
    raters = TwoRatersSerializer(many=True)


class AgreementView(ApiView):
    """Agreement by campaign, direction, label, tag, operator and time; of each two annotators."""

    moving = ("as_of",)

    @extend_schema(tags=["dashboard"], responses=AgreementReportSerializer, parameters=[ID, CAMPAIGNS])
    def get(self, request: Request, id: str) -> Response:
        """A coefficient is null where it is undefined, with the reason beside it."""
        query_known(request, {"campaigns"})
        dataset = dataset_read(self.user, id)
        judges = JudgesForm(request.query_params, dataset=dataset)
        form_refused(judges)
        kept = counted.report(dataset, judges.judges, wait=True)
        found = kept.there
        told = {
            "dataset": dataset.pk,
            "as_of": kept.found.as_of,
            "campaigns": judges.judges.numbers,
            "lines": [_line(line) for line in (found.whole, *found.lines)],
            "scale": _scale(found.scaled) if found.scaled else None,
            "raters": [
                {
                    "one": found.raters[one],
                    "two": found.raters[two],
                    "pairs": kappa.n,
                    "raw": kappa.raw,
                    "kappa": _coefficient(kappa),
                }
                for (one, two), kappa in found.kappas.items()
            ],
        }
        return Response(AgreementReportSerializer(told).data)


def _coefficient(found: Agreement | Correlation) -> dict[str, Any]:
    return {"value": found.value, "undefined": None if found.undefined is None else str(found.undefined)}


def _line(line: Line) -> dict[str, Any]:
    low, high = line.interval or (None, None)
    return {
        "by": line.by,
        "value": line.value,
        "pairs": line.alpha.n,
        "answers": line.answers,
        "raw": line.alpha.raw,
        "alpha": _coefficient(line.alpha),
        "alpha_from": low,
        "alpha_to": high,
        "ac1": _coefficient(line.ac1),
        "fleiss": _coefficient(line.fleiss),
    }


def _scale(found: Scaled) -> dict[str, Any]:
    return {
        "ratings": found.ratings,
        **{
            name: _coefficient(getattr(found, name))
            for name in ("ordinal", "interval", "against_the_others", "between_pairs")
        },
    }
