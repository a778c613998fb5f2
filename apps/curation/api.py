"""Pairs through the API: a dataset's under the page's filters, and each with all that is said of it."""

from __future__ import annotations

from typing import Any, cast

import django_filters
from django.db.models import Prefetch, QuerySet
from django.http import StreamingHttpResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.lists import query_known
from apps.api.problems import QueryError
from apps.api.viewsets import IdFilter, ScopedViewSet, StudyFilters
from apps.comparison.decisions import answers_changed
from apps.comparison.judges import usual_answers
from apps.curation.adjudication import pair_adjudicate
from apps.curation.download import FORMATS, answer
from apps.curation.filters import PairFilters
from apps.curation.flags import pair_set_swappable
from apps.curation.serializers import (
    AdjudicationBody,
    CorrectionBody,
    PairBody,
    PairSerializer,
    SwappableBody,
)
from apps.datasets import api as datasets
from apps.datasets.corrections import correction_undo, pair_correct
from apps.datasets.models import CalculusLabel, Dataset, Direction, GoldLabel, Pair
from apps.datasets.sureness import ASSUMED, NOT_ASSUMED, NOT_KNOWN, of_sureness
from apps.datasets.typed_pairs import pair_type_in

_TYPED = {
    "dataset": 1,
    "premises": ["Every man sang."],
    "hypothesis": "Every man sang or danced.",
    "source": "Winter 2016, example 7",
    "label": "entailment",
}
_CORRECTED = {"direction": "downward", "tags": ["npi"], "note": "“ever” stands under “few”."}
_TYPES = {
    "IntegerField": OpenApiTypes.INT64,
    "ModelChoiceField": OpenApiTypes.INT64,
    "FloatField": OpenApiTypes.DOUBLE,
}
PAGE_FILTERS = [
    OpenApiParameter(
        name,
        _TYPES.get(type(field).__name__, OpenApiTypes.STR),
        description=_("As on the pairs' page: %(label)s.") % {"label": field.label},
    )
    for name, field in PairFilters.base_fields.items()
]


def in_full(pairs: QuerySet[Pair]) -> QuerySet[Pair]:
    """Pairs with all that their serializer shows. Seven queries a page."""
    answers = usual_answers().only("item", "answer")
    gold = GoldLabel.objects.annotate(is_outdated=answers_changed())
    return pairs.select_related("not_read").prefetch_related(
        "premises",
        "tags",
        Prefetch("gold_labels", queryset=gold),
        "calculus_labels",
        "corrections",
        Prefetch("items__judgements", queryset=answers),
    )


class DatasetViewSet(datasets.DatasetViewSet):
    """Sets of pairs (or meanings), each with its own set of labels."""

    @extend_schema(responses=PairSerializer(many=True), parameters=PAGE_FILTERS)
    @action(detail=True, filterset_class=None)
    def pairs(self, request: Request, pk: str) -> Response:
        """The dataset's pairs under every filter that the pairs' page has."""
        query_known(request, {*PairFilters.base_fields, "cursor"})
        filters = _filters(request, self.one())
        numbers = filters.apply().order_by().values("pk")
        page: Any = self.paginate_queryset(cast(Any, in_full(Pair.objects.filter(pk__in=numbers))))
        return self.get_paginated_response(PairSerializer(page, many=True).data)

    @extend_schema(
        responses={(200, media.partition(";")[0]): OpenApiTypes.BINARY for media in FORMATS.values()},
        parameters=[
            OpenApiParameter(
                "form", enum=list(FORMATS), description=_("The kind of file; left out, JSON lines.")
            ),
            *PAGE_FILTERS,
        ],
    )
    @action(detail=True, filterset_class=None, pagination_class=None, url_path="pairs/file")
    def pairs_file(self, request: Request, pk: str) -> StreamingHttpResponse:
        """The same pairs as one file, each with its answers and the models' predictions: a look at the data,
        where a release is for good."""
        query_known(request, {*PairFilters.base_fields, "form"})
        form = request.query_params.get("form", "jsonl")
        if form not in FORMATS:
            raise QueryError({"form": [gettext("One of: %(names)s.") % {"names": ", ".join(FORMATS)}]})
        dataset = self.one()
        return answer(dataset, _filters(request, dataset), form)


def _filters(request: Request, dataset: Dataset) -> PairFilters:
    filters = PairFilters(request.query_params, dataset=dataset, shown=False)
    if not filters.is_valid():
        raise QueryError({name: [str(text) for text in texts] for name, texts in filters.errors.items()})
    return filters


class PairFilterSet(StudyFilters):
    dataset = IdFilter("dataset_id", _("The dataset's id."))
    direction = django_filters.ChoiceFilter(
        choices=Direction.choices, label=_("upward, downward or non-monotone.")
    )
    origin = django_filters.ChoiceFilter(choices=Pair.Origin.choices, label=_("Where the pair came from."))
    tag = django_filters.CharFilter(method="tagged", label=_("A tag's name, such as conditionals."))
    calculus = django_filters.CharFilter(
        method="labelled", label=_("The current calculus label, such as entailment.")
    )
    sure_from = django_filters.NumberFilter(
        method="sure", label=_("The confidence of the current calculus label, at least.")
    )
    sure_below = django_filters.NumberFilter(
        method="sure", label=_("The confidence of the current calculus label, less than.")
    )
    assumed = django_filters.ChoiceFilter(
        choices=[(value, value) for value in (ASSUMED, NOT_ASSUMED, NOT_KNOWN)],
        method="resting",
        label=_("Whether the current calculus label takes an unknown word to be more specific."),
    )

    def sure(self, queryset: QuerySet[Pair], name: str, value: Any) -> QuerySet[Pair]:
        if name == "sure_from":
            return of_sureness(queryset, least=float(value))
        return of_sureness(queryset, below=float(value))

    def resting(self, queryset: QuerySet[Pair], name: str, value: str) -> QuerySet[Pair]:
        return of_sureness(queryset, assumed=value)

    def tagged(self, queryset: QuerySet[Pair], name: str, value: str) -> QuerySet[Pair]:
        return queryset.filter(tags__name=value).distinct()

    def labelled(self, queryset: QuerySet[Pair], name: str, value: str) -> QuerySet[Pair]:
        current = CalculusLabel.objects.filter(is_current=True, label=value)
        return queryset.filter(pk__in=current.values("pair"))


@extend_schema(tags=["pairs"])
class PairViewSet(ScopedViewSet[Pair]):
    """Inference problems with every label they have: people, calculus, gold, and their tags."""

    model = Pair
    serializer_class = PairSerializer
    filterset_class = PairFilterSet
    moving = ("judgements", "calculus")

    def get_queryset(self) -> QuerySet[Pair]:
        return in_full(super().get_queryset().exclude(dataset__kind=Dataset.Kind.TESTS))

    @extend_schema(
        request=PairBody,
        responses={201: PairSerializer},
        examples=[OpenApiExample("From a textbook", _TYPED, request_only=True)],
    )
    def create(self, request: Request) -> Response:
        """A single pair, with its source (MED, section 3.2). The calculus labels it in the background."""
        return self.made(pair_type_in(actor=self.user, **self.checked(PairBody)))

    @extend_schema(
        request=CorrectionBody,
        responses=PairSerializer,
        examples=[OpenApiExample("Downward, with an NPI", _CORRECTED, request_only=True)],
    )
    @action(detail=True, methods=["post"])
    def correct(self, request: Request, pk: str) -> Response:
        """Put a direction and tags in place of the calculus'; its own stay beside them."""
        pair = self.one()
        pair_correct(pair=pair, actor=self.user, **self.checked(CorrectionBody))
        return self.shown(pair)

    @extend_schema(request=None, responses=PairSerializer)
    @action(detail=True, methods=["post"], url_path="correction-undo")
    def correction_undo(self, request: Request, pk: str) -> Response:
        """Take the correction in force back: what the calculus says stands again."""
        pair = self.one()
        correction_undo(pair=pair, actor=self.user)
        return self.shown(pair)

    @extend_schema(
        request=AdjudicationBody,
        responses=PairSerializer,
        examples=[OpenApiExample("Entailment", {"label": "entailment"}, request_only=True)],
    )
    @action(detail=True, methods=["post"])
    def adjudicate(self, request: Request, pk: str) -> Response:
        """Decide on a pair whose annotators are tied; a later word replaces it."""
        pair = self.one()
        pair_adjudicate(pair=pair, actor=self.user, **self.checked(AdjudicationBody))
        return self.shown(pair)

    @extend_schema(
        request=SwappableBody,
        responses=PairSerializer,
        examples=[OpenApiExample("Never swap it", {"swappable": False}, request_only=True)],
    )
    @action(detail=True, methods=["post"])
    def swappable(self, request: Request, pk: str) -> Response:
        """Keep a pair from being swapped in releases, or allow it again."""
        pair = self.one()
        pair_set_swappable(pair=pair, actor=self.user, **self.checked(SwappableBody))
        return self.shown(pair)
