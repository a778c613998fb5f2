"""The dashboard's figures as JSON."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers


class AgreementSerializer(serializers.Serializer[Any]):
    """A coefficient over ``n`` pairs or items. ``value`` is null where it is undefined (``text`` says why),
    and ``raw``, the share of equal answers, where there is nothing to compare."""

    name = serializers.CharField()
    value = serializers.FloatField(allow_null=True)
    raw = serializers.FloatField(allow_null=True)
    n = serializers.IntegerField()
    text = serializers.CharField()


class SourceSerializer(serializers.Serializer[Any]):
    """Who has said something: ``human``, ``calculus``, ``file``, or a model's ``run``."""

    key = serializers.CharField()
    title = serializers.CharField()
    run = serializers.IntegerField(allow_null=True)


class ConfusionSerializer(serializers.Serializer[Any]):
    """Pairs by what the source ``one`` says and, within that, what ``two`` says. Agreement is over the pairs
    to which both give a label."""

    one = serializers.CharField()
    two = serializers.CharField()
    counts = serializers.DictField(child=serializers.DictField(child=serializers.IntegerField()))
    agreement = AgreementSerializer()


class MatchesSerializer(serializers.Serializer[Any]):
    """Of the pairs with exactly so many ``judgements``, by how many match the calculus label and, within
    that, by direction (MED, Table 3); ``others`` are the pairs with other numbers of judgements."""

    judgements = serializers.IntegerField()
    total = serializers.IntegerField()
    counts = serializers.DictField(child=serializers.DictField(child=serializers.IntegerField()))
    others = serializers.DictField(child=serializers.IntegerField())
    unlabelled = serializers.IntegerField()


class RightSerializer(serializers.Serializer[Any]):
    right = serializers.IntegerField()
    total = serializers.IntegerField()
    share = serializers.FloatField(allow_null=True)


class AccuracySerializer(serializers.Serializer[Any]):
    """How often a source is right by the reference, by direction and ``all`` together; ``baseline`` always
    says the most frequent label."""

    source = serializers.CharField()  # type: ignore[assignment]
    scores = serializers.DictField(child=RightSerializer())


class ComparisonSerializer(serializers.Serializer[Any]):
    """People, calculus, file and the latest run of each model, side by side. Swapped twins are left out."""

    dataset = serializers.IntegerField()
    simulated = serializers.BooleanField()
    pairs = serializers.IntegerField()
    judged = serializers.IntegerField()
    labelled = serializers.IntegerField()
    filed = serializers.IntegerField()
    sources = SourceSerializer(many=True)
    people = AgreementSerializer(help_text="Krippendorff's α of the annotators among themselves.")
    matches = MatchesSerializer()
    confusions = ConfusionSerializer(many=True)
    reference = serializers.CharField(allow_null=True)
    accuracy = AccuracySerializer(many=True)
