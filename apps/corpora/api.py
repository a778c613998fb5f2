"""Corpora, sentences and checks of their parses through the API."""

from __future__ import annotations

import django_filters
from django.core.exceptions import ValidationError
from django.db.models import Count, Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_view
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer

from apps.api.viewsets import IdFilter, Keeping, ScopedViewSet, StudyFilters
from apps.corpora import selectors, services
from apps.corpora.models import Corpus, Parse, ParseCheck, ParseSample, Sentence
from apps.corpora.serializers import (
    AsideBody,
    CheckBody,
    CheckSerializer,
    CorpusSerializer,
    FullSentenceSerializer,
    MarkingGroupSerializer,
    ParseBody,
    SampleBody,
    SampleSerializer,
    SentenceSerializer,
)
from apps.jobs.api import job_answer
from apps.jobs.serializers import JobSerializer


@extend_schema(tags=["corpora"])
class CorpusViewSet(Keeping[Corpus], ScopedViewSet[Corpus]):
    """Collections of sentences as they were imported."""

    model = Corpus
    serializer_class = CorpusSerializer

    def get_queryset(self) -> QuerySet[Corpus]:
        return super().get_queryset().select_related("study").annotate(sentence_count=Count("sentences"))

    @extend_schema(
        request=ParseBody,
        responses={202: JobSerializer},
        examples=[OpenApiExample("As MED reads", {"convention": "med"}, request_only=True)],
    )
    @action(detail=True, methods=["post"])
    def parse(self, request: Request, pk: str) -> Response:
        """Parse and polarise the corpus in the background; a job that is at it already is answered."""
        corpus = self.one()
        return job_answer(services.corpus_parse(corpus=corpus, actor=self.user, **self.checked(ParseBody)))

    @extend_schema(responses=MarkingGroupSerializer(many=True), filters=False)
    @action(detail=True, methods=["get"], pagination_class=None)
    def markings(self, request: Request, pk: str) -> Response:
        """By which parsers, engines and conventions the corpus is marked, the latest first."""
        corpus = self.one()
        groups = selectors.marking_groups(study=corpus.study, corpus=corpus)
        return Response(MarkingGroupSerializer(groups, many=True).data)

    @extend_schema(
        request=SampleBody,
        responses={201: SampleSerializer},
        examples=[OpenApiExample("Twenty", {"size": 20, "seed": 1}, request_only=True)],
    )
    @action(detail=True, methods=["post"])
    def samples(self, request: Request, pk: str) -> Response:
        """Draw parses at random, to be checked by hand; the same seed draws the same."""
        corpus = self.one()
        body = self.checked(SampleBody)
        groups = selectors.marking_groups(study=corpus.study, corpus=corpus)
        key = body.pop("group")
        group = selectors.group_by_key(groups, key)
        if group is None or (key and group.key != key):
            raise ValidationError({"group": _("Nothing is marked by this.")})
        sample = services.parse_sample_draw(corpus=corpus, actor=self.user, group=group, **body)
        address = reverse("api:parse-sample-detail", args=[sample.pk])
        return Response(SampleSerializer(sample).data, status=201, headers={"Location": address})


class SentenceFilters(StudyFilters):
    corpus = IdFilter("corpus_id", gettext_lazy("The corpus' id."))
    text = django_filters.CharFilter(
        lookup_expr="icontains", label=gettext_lazy("Words that the text contains.")
    )
    kind = django_filters.ChoiceFilter(
        choices=Parse.Kind.choices,
        method="of_kind",
        label=gettext_lazy("What some parse takes the sentence for."),
    )

    def of_kind(self, queryset: QuerySet[Sentence], name: str, value: str) -> QuerySet[Sentence]:
        return queryset.filter(pk__in=Parse.objects.filter(kind=value).values("sentence"))


@extend_schema(tags=["corpora"])
@extend_schema_view(retrieve=extend_schema(responses=FullSentenceSerializer))
class SentenceViewSet(ScopedViewSet[Sentence]):
    """Sentences with the polarity of every token; one sentence alone also has its constituents."""

    model = Sentence
    filterset_class = SentenceFilters

    def get_serializer_class(self) -> type[BaseSerializer[Sentence]]:
        return FullSentenceSerializer if self.action == "retrieve" else SentenceSerializer

    def get_queryset(self) -> QuerySet[Sentence]:
        deep = "parses__markings__constituents" if self.action == "retrieve" else "parses__markings"
        return super().get_queryset().prefetch_related(deep)

    @extend_schema(
        request=AsideBody,
        responses=SentenceSerializer,
        examples=[OpenApiExample("Out of the pool", {"aside": True}, request_only=True)],
    )
    @action(detail=True, methods=["post"])
    def aside(self, request: Request, pk: str) -> Response:
        """Take a sentence out of the pool that blanks and machine-made pairs come from, or back into it."""
        sentence, body = self.one(), self.checked(AsideBody)
        services.sentence_put_aside(sentence=sentence, actor=self.user, **body)
        return self.shown(self.one())


class SampleFilters(StudyFilters):
    corpus = IdFilter("corpus_id", gettext_lazy("The corpus' id."))


@extend_schema(tags=["corpora"])
class SampleViewSet(ScopedViewSet[ParseSample]):
    """Random draws of parses that are checked by hand, with how many are right so far."""

    model = ParseSample
    serializer_class = SampleSerializer
    filterset_class = SampleFilters

    def get_queryset(self) -> QuerySet[ParseSample]:
        return (
            super()
            .get_queryset()
            .annotate(
                right=Count("checks", filter=Q(checks__verdict=ParseCheck.Verdict.RIGHT)),
                wrong=Count("checks", filter=Q(checks__verdict=ParseCheck.Verdict.WRONG)),
            )
        )


class CheckFilters(StudyFilters):
    sample = IdFilter("sample_id", gettext_lazy("The sample's id."))


@extend_schema(tags=["corpora"])
class CheckViewSet(ScopedViewSet[ParseCheck]):
    """The parses of a sample, each with the word on it."""

    model = ParseCheck
    serializer_class = CheckSerializer
    filterset_class = CheckFilters

    def get_queryset(self) -> QuerySet[ParseCheck]:
        return super().get_queryset().select_related("marking__parse__sentence")

    @extend_schema(
        request=CheckBody,
        responses=CheckSerializer,
        examples=[OpenApiExample("Right", {"verdict": "right"}, request_only=True)],
    )
    def partial_update(self, request: Request, pk: str) -> Response:
        """Say whether a parse is right; an empty verdict takes an earlier word back."""
        check = self.one()
        body = self.checked(CheckBody)
        return self.shown(services.parse_check_record(check=check, actor=self.user, **body))
