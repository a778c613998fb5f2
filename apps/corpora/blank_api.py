"""Blanks, their sets and the stop list through the API."""

from __future__ import annotations

from typing import Any

import django_filters
from django.db.models import Count, QuerySet
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.models import Scope
from apps.api.viewsets import IdFilter, Keeping, ScopedViewSet, StudyFilters
from apps.corpora import blank_selectors, blank_services, pilots
from apps.corpora.blank_serializers import (
    BlankPreviewBody,
    BlankPreviewSerializer,
    BlankSerializer,
    BlankSetBody,
    BlankSetSerializer,
    OperatorPresetSerializer,
    PilotBody,
    SkipRateSerializer,
    StopExpressionBody,
    StopExpressionSerializer,
)
from apps.corpora.models import Blank, BlankSet, Polarity, StopExpression
from apps.corpora.operator_presets import operator_presets
from apps.corpora.stop_lists import StopList

_SAMPLE = 12
_DOWNWARD = {"direction": "down", "operator": "every", "sentence_minimum": 4}


@extend_schema(tags=["blanks"])
class BlankSetViewSet(Keeping[BlankSet], ScopedViewSet[BlankSet]):
    """Chosen sets of blanks, with the filters that chose them."""

    model = BlankSet
    serializer_class = BlankSetSerializer

    def get_queryset(self) -> QuerySet[BlankSet]:
        return super().get_queryset().select_related("study").annotate(blank_count=Count("blanks"))

    @extend_schema(
        request=BlankSetBody,
        responses={201: BlankSetSerializer},
        examples=[
            OpenApiExample(
                "Two hundred downward blanks",
                {"study": "dogs-and-cats", "name": "Downward", "filters": _DOWNWARD, "maximum": 200},
                request_only=True,
            )
        ],
    )
    def create(self, request: Request) -> Response:
        """Pick every constituent that passes the filters, or so many of them at random."""
        return self.made(blank_services.blank_set_create(actor=self.user, **self.checked(BlankSetBody)))

    @extend_schema(
        request=BlankPreviewBody,
        responses=BlankPreviewSerializer,
        examples=[
            OpenApiExample("Downward", {"study": "dogs-and-cats", "filters": _DOWNWARD}, request_only=True)
        ],
    )
    @action(detail=False, methods=["post"], write_scope=Scope.READ)
    def preview(self, request: Request) -> Response:
        """What would pass the filters, counted, and a few at random. Nothing is stored."""
        body = self.checked(BlankPreviewBody)
        filters, seed = body["filters"], body["seed"]
        passing = blank_selectors.unstopped(study=body["study"], filters=filters)
        stop_list = StopList.of(body["study"])
        found = blank_selectors.draw(
            stop_list.left(passing, sentences=filters.stop_sentences) if filters.stop_list else passing,
            maximum=None,
            seed=seed,
            one_per_sentence=filters.one_per_sentence,
        )
        numbers = blank_selectors.numbers_of(found)
        doubtful = blank_selectors.numbers_of(blank_selectors.doubtful(study=body["study"], filters=filters))
        shown: dict[str, Any] = {
            "total": numbers.total,
            "sentences": numbers.sentences,
            "directions": numbers.directions,
            "operators": _counts(numbers.operators),
            "categories": _counts(numbers.categories),
            "stopped": stop_list.counts(passing),
            "doubtful": {"sentences": doubtful.sentences, "blanks": doubtful.total},
            "sample": blank_selectors.draw(found, maximum=_SAMPLE, seed=seed, one_per_sentence=False),
        }
        return Response(BlankPreviewSerializer(shown).data)

    @extend_schema(responses=OperatorPresetSerializer(many=True), filters=False)
    @action(detail=False, methods=["get"], pagination_class=None)
    def presets(self, request: Request) -> Response:
        """The operators that papers chose their sentences by, with how many blanks of each they took."""
        return Response(OperatorPresetSerializer(list(operator_presets().values()), many=True).data)

    @extend_schema(
        request=PilotBody,
        responses={201: BlankSetSerializer},
        examples=[OpenApiExample("Fifty", {"size": 50}, request_only=True)],
    )
    @action(detail=True, methods=["post"])
    def pilots(self, request: Request, pk: str) -> Response:
        """Draw a small set from this one, to be given to annotators first."""
        blank_set = self.one()
        body = self.checked(PilotBody)
        return self.made(blank_services.pilot_create(blank_set=blank_set, actor=self.user, **body))

    @extend_schema(responses=SkipRateSerializer(many=True), filters=False)
    @action(detail=True, methods=["get"], url_path="skip-rates", pagination_class=None)
    def skip_rates(self, request: Request, pk: str) -> Response:
        """The expressions that annotators skipped at least once, the worst first."""
        return Response(SkipRateSerializer(pilots.skip_rates(self.one()), many=True).data)

    @extend_schema(request=None, responses=StopExpressionSerializer(many=True))
    @action(detail=True, methods=["post"], pagination_class=None)
    def proposals(self, request: Request, pk: str) -> Response:
        """Put every expression that is proposed (skip-rates) on the stop list; these are answered."""
        accepted = blank_services.proposals_accept(blank_set=self.one(), actor=self.user)
        return Response(StopExpressionSerializer(accepted, many=True).data)


def _counts(counted: list[tuple[str, int]]) -> list[dict[str, Any]]:
    return [{"name": name, "count": count} for name, count in counted]


class BlankFilters(StudyFilters):
    blank_set = IdFilter("blank_set_id", _("The set's id."))
    sentence = IdFilter("sentence_id", _("The sentence's id."))
    polarity = django_filters.ChoiceFilter(choices=Polarity.choices, label=_("up, down or flat."))
    operator = django_filters.CharFilter(label=_("The innermost operator, such as “every”."))
    category = django_filters.CharFilter(label=_("The constituent's category, such as NP."))
    parse_sure = django_filters.NumberFilter(
        "constituent__marking__parse__confidence",
        lookup_expr="gte",
        label=_("The confidence of the sentence's parse, at least."),
    )


@extend_schema(tags=["blanks"])
class BlankViewSet(ScopedViewSet[Blank]):
    """Polarised constituents that annotators are asked to rewrite."""

    model = Blank
    serializer_class = BlankSerializer
    filterset_class = BlankFilters

    def get_queryset(self) -> QuerySet[Blank]:
        return super().get_queryset().select_related("sentence")

    def destroy(self, request: Request, pk: str) -> Response:
        """Take a bad blank out of its set, and out of campaigns where nobody has begun on it; else 422."""
        blank_services.blank_take_out(blank=self.one(), actor=self.user)
        return Response(status=204)


@extend_schema(tags=["blanks"])
class StopExpressionViewSet(ScopedViewSet[StopExpression]):
    """Expressions too general to rewrite; blank sets leave them out."""

    model = StopExpression
    serializer_class = StopExpressionSerializer

    def get_queryset(self) -> QuerySet[StopExpression]:
        return super().get_queryset().select_related("study")

    @extend_schema(
        request=StopExpressionBody,
        responses={201: StopExpressionSerializer},
        examples=[
            OpenApiExample(
                "An expression", {"study": "dogs-and-cats", "expression": "every one"}, request_only=True
            )
        ],
    )
    def create(self, request: Request) -> Response:
        """Put an expression on the list; one that is there stays as it is."""
        body = self.checked(StopExpressionBody)
        return self.made(blank_services.stop_expression_add(actor=self.user, **body))

    def destroy(self, request: Request, pk: str) -> Response:
        """Take an expression off the list; sets that were made with it stay as they are."""
        blank_services.stop_expression_remove(entry=self.one(), actor=self.user)
        return Response(status=204)
