"""Outside norms through the API: keeping them, and one beside what is said of its words' pairs."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.bodies import StudyBody
from apps.api.lists import query_known
from apps.api.problems import QueryError
from apps.api.views import ApiView
from apps.api.viewsets import ScopedViewSet
from apps.comparison.campaign_choice import JudgesForm
from apps.dashboard import counted, norms
from apps.dashboard.breakdown import Breakdown
from apps.dashboard.breakdown_api import CAMPAIGNS, correlations_told
from apps.dashboard.choices import choices, latest
from apps.dashboard.model_api import ID, dataset_read, form_refused
from apps.dashboard.models import Norm
from apps.dashboard.serializers import AS_OF, NormCorrelationSerializer

_NORM = {
    "study": "dogs-and-cats",
    "name": "Veridicality",
    "source": "White and Rawlins 2018, MegaVeridicality",
    "numbers": {"know": 2.5, "hope": -1},
}


class NormSerializer(serializers.ModelSerializer[Norm]):
    study = serializers.SlugField(source="study.slug", read_only=True)

    class Meta:
        model = Norm
        fields = ["id", "study", "name", "source", "size", "created_at"]


class NormWithNumbersSerializer(NormSerializer):
    numbers = serializers.DictField(
        child=serializers.FloatField(), help_text=gettext_lazy("By word, in lower case.")
    )

    class Meta(NormSerializer.Meta):
        fields = [*NormSerializer.Meta.fields, "numbers"]


class NormBody(StudyBody):
    name = serializers.CharField(max_length=100)
    source = serializers.CharField(  # type: ignore[assignment]
        max_length=500, help_text=gettext_lazy("Who measured it, where it is published.")
    )
    numbers = serializers.DictField(
        child=serializers.FloatField(), help_text=gettext_lazy("A number for each word."), allow_empty=False
    )

    def validate_numbers(self, sent: dict[str, float]) -> dict[str, float]:
        """By folded words, as a file's (apps/dashboard/norms.py)."""
        try:
            return norms.numbers_checked(sent)
        except ValidationError as error:
            raise serializers.ValidationError(error.messages) from None


@extend_schema(tags=["dashboard"])
class NormViewSet(ScopedViewSet[Norm]):
    """Numbers that somebody else measured of words, such as a verb's veridicality."""

    model = Norm

    def get_queryset(self) -> QuerySet[Norm]:
        found = super().get_queryset().select_related("study")
        return found.defer("numbers") if self.action == "list" else found

    def get_serializer_class(self) -> type[NormSerializer]:
        return NormSerializer if self.action == "list" else NormWithNumbersSerializer

    @extend_schema(
        request=NormBody,
        responses={201: NormWithNumbersSerializer},
        examples=[OpenApiExample("Veridicality of verbs", _NORM, request_only=True)],
    )
    def create(self, request: Request) -> Response:
        """A norm under a name that the study has not yet."""
        return self.made(norms.norm_create(actor=self.user, **self.checked(NormBody)))

    def destroy(self, request: Request, pk: str) -> Response:
        """Remove it; no number of the study's own hangs on it."""
        norms.norm_remove(norm=self.one(), actor=self.user)
        return Response(status=204)


class EntailedSerializer(serializers.Serializer[Any]):
    """How many of a judge's ``labels`` of a word's pairs are entailment."""

    judge = serializers.CharField()
    entailments = serializers.IntegerField(source="right")
    labels = serializers.IntegerField(source="of")


class NormWordSerializer(serializers.Serializer[Any]):
    word = serializers.CharField()
    number = serializers.FloatField(allow_null=True, help_text=gettext_lazy("Null: the norm has none."))
    pairs = serializers.IntegerField()
    said = EntailedSerializer(many=True)


class NormAgainstSerializer(serializers.Serializer[Any]):
    """``fact`` is what the words are called, null where the pairs say none."""

    dataset = serializers.IntegerField()
    norm = serializers.IntegerField()
    as_of = serializers.DateTimeField(allow_null=True, help_text=AS_OF)
    facts = serializers.ListField(child=serializers.CharField())
    fact = serializers.CharField(allow_null=True)
    campaigns = serializers.ListField(child=serializers.IntegerField())
    words = NormWordSerializer(many=True)
    correlations = NormCorrelationSerializer(many=True)


class NormAgainstView(ApiView):
    """An outside norm beside how often entailment is said of the pairs with its words."""

    moving = ("as_of",)

    @extend_schema(
        tags=["dashboard"],
        responses=NormAgainstSerializer,
        parameters=[
            ID,
            OpenApiParameter("norm", OpenApiTypes.INT64, OpenApiParameter.PATH),
            OpenApiParameter(
                "fact",
                OpenApiTypes.STR,
                description=gettext_lazy(
                    "One of “facts”; left out, the one whose words the norm knows most of."
                ),
            ),
            CAMPAIGNS,
        ],
    )
    def get(self, request: Request, id: str, norm: str) -> Response:
        """By word: its number, and how many of each judge's labels are entailment; two-way."""
        query_known(request, {"fact", "campaigns"})
        dataset = dataset_read(self.user, id)
        chosen = get_object_or_404(Norm, pk=norm, study=dataset.study_id)
        judges = JudgesForm(request.query_params, dataset=dataset)
        form_refused(judges)
        there = choices(dataset)
        fact = request.query_params.get("fact") or norms.best_fact(there.facts, chosen.numbers)
        if fact is not None and fact not in there.facts:
            raise QueryError({"fact": [_("One of: %(names)s.") % {"names": ", ".join(there.facts)}]})
        told: dict[str, Any] = {
            "dataset": dataset.pk,
            "norm": chosen.pk,
            "as_of": None,
            "facts": list(there.facts),
            "fact": fact,
            "campaigns": judges.judges.numbers,
            "words": [],
            "correlations": [],
        }
        if fact is not None:
            kept = counted.entailed_by(dataset, fact, judges.judges, latest(there), wait=True)
            told |= {"as_of": kept.found.as_of, **_against(kept.there, chosen.numbers)}
        return Response(NormAgainstSerializer(told).data)


def _against(found: Breakdown, numbers: dict[str, float]) -> dict[str, Any]:
    return {
        "words": [
            {
                "word": line.value,
                "number": numbers.get(norms.folded(line.value)),
                "pairs": line.pairs,
                "said": [{"judge": name, **vars(score)} for name, score in line.scores.items()],
            }
            for line in found.lines
            if line.value is not None
        ],
        "correlations": correlations_told(found, numbers),
    }
