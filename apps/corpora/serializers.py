"""Corpora and sentences with their polarity as JSON. Spans are code points of the text."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.api.bodies import Body
from apps.corpora.models import Constituent, Corpus, ParseCheck, ParseSample, PolarityMarking, Sentence


class CorpusSerializer(serializers.ModelSerializer[Corpus]):
    study = serializers.SlugField(source="study.slug", read_only=True)
    sentence_count = serializers.IntegerField(read_only=True)

    class Meta:
        model = Corpus
        fields = [
            "id",
            "study",
            "name",
            "licence",
            "source",
            "simulated",
            "sentence_count",
            "archived_at",
            "created_at",
        ]


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
        return tokens_of(marking)


def tokens_of(marking: PolarityMarking) -> list[dict[str, Any]]:
    """The tokens of a marking with their places and signs. Select ``parse`` beside it."""
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
        fields = ["id", "corpus", "position", "text", "external_id", "put_aside_at", "polarity"]

    @extend_schema_field(MarkingSerializer(many=True))
    def get_polarity(self, sentence: Sentence) -> list[dict[str, Any]]:
        return [MarkingSerializer(marking).data for marking in markings_of(sentence)]


class AsideBody(Body):
    aside = serializers.BooleanField(default=True, help_text="False: back into the pool.")


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


class MarkingGroupSerializer(serializers.Serializer[Any]):
    """``key`` names the group wherever one is asked for."""

    key = serializers.CharField()
    parser = serializers.CharField()
    engine = serializers.CharField()
    engine_version = serializers.CharField()
    convention = serializers.CharField()
    count = serializers.IntegerField(help_text="How many sentences it marked.")


class ParseBody(Body):
    convention = serializers.CharField(
        max_length=40, default="default", help_text="default, med or udep2mono."
    )


class SampleBody(Body):
    size = serializers.IntegerField(min_value=1, max_value=1000, default=20)
    seed = serializers.IntegerField(min_value=0, max_value=2**31 - 1, default=1)
    group = serializers.CharField(
        max_length=300, default="", allow_blank=True, help_text="A group's key; left out: the latest."
    )


class SampleSerializer(serializers.ModelSerializer[ParseSample]):
    """``right`` and ``wrong`` are how many were found so; the others are not checked yet."""

    right = serializers.IntegerField(read_only=True, default=0)
    wrong = serializers.IntegerField(read_only=True, default=0)

    class Meta:
        model = ParseSample
        fields = ["id", "corpus", "size", "seed", "right", "wrong", "created_at"]


class CheckSerializer(serializers.ModelSerializer[ParseCheck]):
    """One drawn marking: its tokens with their signs, and the word on it ("" where there is none)."""

    sentence = serializers.IntegerField(source="marking.parse.sentence_id", read_only=True)
    text = serializers.CharField(source="marking.parse.sentence.text", read_only=True)
    tokens = serializers.SerializerMethodField()

    class Meta:
        model = ParseCheck
        fields = ["id", "sample", "position", "sentence", "text", "tokens", "verdict", "note", "checked_at"]

    @extend_schema_field(TokenSerializer(many=True))
    def get_tokens(self, check: ParseCheck) -> list[dict[str, Any]]:
        return tokens_of(check.marking)


class CheckBody(Body):
    verdict = serializers.ChoiceField(choices=ParseCheck.Verdict.choices, allow_blank=True)
    note = serializers.CharField(max_length=5000, default="", allow_blank=True)
