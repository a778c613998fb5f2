"""What gives labels away without reading both sentences, through the API."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.lists import query_known
from apps.api.views import ApiView
from apps.comparison.campaign_choice import JudgesForm
from apps.dashboard import artifacts, counted
from apps.dashboard.breakdown_api import CAMPAIGNS
from apps.dashboard.choices import choices, latest, references
from apps.dashboard.forms import ReferenceForm
from apps.dashboard.hard_pairs import REFERENCES
from apps.dashboard.model_api import ID, dataset_read, form_refused
from apps.dashboard.serializers import AS_OF


class CueSerializer(serializers.Serializer[Any]):
    """A word of hypotheses in one source of labels; null where a figure is undefined."""

    word = serializers.CharField()
    pairs = serializers.IntegerField()
    label = serializers.CharField(  # type: ignore[assignment]
        allow_blank=True, help_text=gettext_lazy("The one that comes with it more often than in all.")
    )
    share = serializers.FloatField(allow_null=True, help_text=gettext_lazy("Of that label, with the word."))
    pmi = serializers.FloatField(
        allow_null=True, help_text=gettext_lazy("In bits, smoothed (Gururangan et al., 2018).")
    )
    z = serializers.FloatField(
        allow_null=True,
        help_text=gettext_lazy("Positive towards entailment (Gardner et al., 2021, section 3.1)."),
    )


class LongerSerializer(serializers.Serializer[Any]):
    label = serializers.CharField()  # type: ignore[assignment]
    words = serializers.FloatField(
        help_text=gettext_lazy("Of the hypothesis less those of the premise, mean.")
    )


class CueSourceSerializer(serializers.Serializer[Any]):
    """Whose labels: ``all`` the reference's, ``agreed`` those on which people and calculus agree, ``run_``
    and a number a model's; with how often rules of thumb give them."""

    key = serializers.CharField()
    pairs = serializers.IntegerField()
    common = serializers.FloatField(
        allow_null=True, help_text=gettext_lazy("Always saying the commoner label.")
    )
    overlap = serializers.FloatField(
        allow_null=True, help_text=gettext_lazy("All words in the premise: entailment.")
    )
    negation = serializers.FloatField(
        allow_null=True, help_text=gettext_lazy("A negating word: no entailment.")
    )
    longer = LongerSerializer(many=True)
    words = CueSerializer(many=True)


class ArtifactsSerializer(serializers.Serializer[Any]):
    """``reference`` is null, and ``sources`` empty, where there is no label."""

    dataset = serializers.IntegerField()
    as_of = serializers.DateTimeField(allow_null=True, help_text=AS_OF)
    reference = serializers.CharField(allow_null=True)
    campaigns = serializers.ListField(child=serializers.IntegerField())
    least = serializers.IntegerField(
        help_text=gettext_lazy("In fewer labelled hypotheses a word says nothing.")
    )
    sources = CueSourceSerializer(many=True)


class ArtifactsView(ApiView):
    """Words, lengths and overlap that give labels away."""

    moving = ("as_of",)

    @extend_schema(
        tags=["dashboard"],
        responses=ArtifactsSerializer,
        parameters=[
            ID,
            OpenApiParameter(
                "against",
                enum=list(REFERENCES),
                description=gettext_lazy("Whose labels; left out, the first of them there is."),
            ),
            CAMPAIGNS,
        ],
    )
    def get(self, request: Request, id: str) -> Response:
        """In the labels, in those that filtering leaves, and in what each model says; the words that tell
        most of the labels first."""
        query_known(request, {*ReferenceForm.base_fields, "campaigns"})
        dataset = dataset_read(self.user, id)
        there = choices(dataset)
        form = ReferenceForm(request.query_params, references=references(dataset, there))
        judges = JudgesForm(request.query_params, dataset=dataset)
        form_refused(form)
        form_refused(judges)
        told: dict[str, Any] = {
            "dataset": dataset.pk,
            "as_of": None,
            "reference": form.reference,
            "campaigns": judges.judges.numbers,
            "least": artifacts.LEAST,
            "sources": [],
        }
        if form.reference is not None:
            kept = counted.given_away(dataset, form.reference, judges.judges, latest(there), wait=True)
            told |= {"as_of": kept.found.as_of, "sources": _sources(kept.there)}
        return Response(ArtifactsSerializer(told).data)


def _sources(found: artifacts.Artifacts) -> list[dict[str, Any]]:
    return [
        {
            **vars(source),
            "longer": [{"label": label, "words": words} for label, words in source.longer.items()],
            "words": [{"word": word, **vars(source.cues[word])} for word in found.words],
        }
        for source in found.sources
    ]
