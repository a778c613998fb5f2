"""Corpora, sentences with their polarity, and blanks as JSON. Spans are code points of the text."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.corpora.models import Blank, BlankSet, Constituent, Corpus, PolarityMarking, Sentence


class CorpusSerializer(serializers.ModelSerializer[Corpus]):
    study = serializers.SlugField(source="study.slug", read_only=True)
    sentence_count = serializers.IntegerField(read_only=True)

    class Meta:
        model = Corpus
        fields = ["id", "study", "name", "licence", "source", "simulated", "sentence_count", "created_at"]


class TokenSerializer(serializers.Serializer[dict[str, Any]]):
    text = serializers.CharField()
    start = serializers.IntegerField()
    end = serializers.IntegerField()
    sign = serializers.ChoiceField(choices=["↑", "↓", "="])


class MarkingSerializer(serializers.ModelSerializer[PolarityMarking]):
    """One engine's polarity of one parse: a sign for each token."""

    parser = serializers.CharField(source="parse.parser", read_only=True)
    kind = serializers.CharField(source="parse.kind", read_only=True)
    confidence = serializers.FloatField(source="parse.confidence", read_only=True)
    tokens = serializers.SerializerMethodField()

    class Meta:
        model = PolarityMarking
        fields = ["id", "engine", "engine_version", "convention", "parser", "kind", "confidence", "tokens"]

    @extend_schema_field(TokenSerializer(many=True))
    def get_tokens(self, marking: PolarityMarking) -> list[dict[str, Any]]:
        return [
            {"text": token["text"], "start": token["start"], "end": token["end"], "sign": sign}
            for token, sign in zip(marking.parse.tree["tokens"], marking.signs, strict=False)
        ]


class ConstituentSerializer(serializers.ModelSerializer[Constituent]):
    """``why`` is the chain of operators that set the polarity, outermost first."""

    class Meta:
        model = Constituent
        fields = ["id", "start", "end", "text", "category", "polarity", "operator", "why"]


class FullMarkingSerializer(MarkingSerializer):
    constituents = ConstituentSerializer(many=True, read_only=True)

    class Meta(MarkingSerializer.Meta):
        fields = [*MarkingSerializer.Meta.fields, "constituents"]


class SentenceSerializer(serializers.ModelSerializer[Sentence]):
    """``polarity`` holds a marking for each engine, version, convention and parser that there is."""

    polarity = serializers.SerializerMethodField()

    class Meta:
        model = Sentence
        fields = ["id", "corpus", "position", "text", "external_id", "polarity"]

    @extend_schema_field(MarkingSerializer(many=True))
    def get_polarity(self, sentence: Sentence) -> list[dict[str, Any]]:
        return [MarkingSerializer(marking).data for marking in markings_of(sentence)]


class FullSentenceSerializer(SentenceSerializer):
    """A sentence with the constituents of each marking."""

    @extend_schema_field(FullMarkingSerializer(many=True))
    def get_polarity(self, sentence: Sentence) -> list[dict[str, Any]]:
        return [FullMarkingSerializer(marking).data for marking in markings_of(sentence)]


def markings_of(sentence: Sentence) -> list[PolarityMarking]:
    """The markings of all parses. Prefetch ``parses__markings`` for many sentences."""
    found = []
    for parse in sentence.parses.all():
        for marking in parse.markings.all():
            marking.parse = parse  # the prefetched one, whose tree is loaded
            found.append(marking)
    return found


class BlankSetSerializer(serializers.ModelSerializer[BlankSet]):
    study = serializers.SlugField(source="study.slug", read_only=True)
    blank_count = serializers.IntegerField(read_only=True)

    class Meta:
        model = BlankSet
        fields = ["id", "study", "name", "filters", "seed", "pilot_of", "blank_count", "created_at"]


class BlankSerializer(serializers.ModelSerializer[Blank]):
    """``start`` and ``end`` are code points of ``sentence_text``."""

    sentence_text = serializers.CharField(source="sentence.text", read_only=True)
    direction = serializers.CharField(read_only=True)

    class Meta:
        model = Blank
        fields = [
            "id", "blank_set", "sentence", "sentence_text", "start", "end", "text", "category", "polarity",
            "direction", "operator", "why", "engine", "engine_version", "convention", "parser",
        ]  # fmt: skip
