"""Corpora, sentences and blanks through the API."""

from __future__ import annotations

import django_filters
from django.db.models import Count, QuerySet
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.serializers import BaseSerializer

from apps.corpora.models import Blank, BlankSet, Corpus, Parse, Polarity, Sentence
from apps.corpora.serializers import (
    BlankSerializer,
    BlankSetSerializer,
    CorpusSerializer,
    FullSentenceSerializer,
    SentenceSerializer,
)
from apps.studies.api import IdFilter, ScopedViewSet, StudyFilters


@extend_schema(tags=["corpora"])
class CorpusViewSet(ScopedViewSet[Corpus]):
    """Collections of sentences as they were imported."""

    model = Corpus
    serializer_class = CorpusSerializer

    def get_queryset(self) -> QuerySet[Corpus]:
        return super().get_queryset().select_related("study").annotate(sentence_count=Count("sentences"))


class SentenceFilters(StudyFilters):
    corpus = IdFilter("corpus_id", _("The corpus' id."))
    text = django_filters.CharFilter(lookup_expr="icontains", label=_("Words that the text contains."))
    kind = django_filters.ChoiceFilter(
        choices=Parse.Kind.choices, method="of_kind", label=_("What some parse takes the sentence for.")
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


@extend_schema(tags=["blanks"])
class BlankSetViewSet(ScopedViewSet[BlankSet]):
    """Chosen sets of blanks, with the filters that chose them."""

    model = BlankSet
    serializer_class = BlankSetSerializer

    def get_queryset(self) -> QuerySet[BlankSet]:
        return super().get_queryset().select_related("study").annotate(blank_count=Count("blanks"))


class BlankFilters(StudyFilters):
    blank_set = IdFilter("blank_set_id", _("The set's id."))
    sentence = IdFilter("sentence_id", _("The sentence's id."))
    polarity = django_filters.ChoiceFilter(choices=Polarity.choices, label=_("up, down or flat."))
    operator = django_filters.CharFilter(label=_("The innermost operator, such as “every”."))
    category = django_filters.CharFilter(label=_("The constituent's category, such as NP."))


@extend_schema(tags=["blanks"])
class BlankViewSet(ScopedViewSet[Blank]):
    """Polarised constituents that annotators are asked to rewrite."""

    model = Blank
    serializer_class = BlankSerializer
    filterset_class = BlankFilters

    def get_queryset(self) -> QuerySet[Blank]:
        return super().get_queryset().select_related("sentence")
