"""Pairs with every label they have, as JSON."""

from __future__ import annotations

from collections import Counter

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.api.bodies import Body
from apps.datasets.models import CalculusLabel, GoldLabel, Pair, Tag


class TagSerializer(serializers.ModelSerializer[Tag]):
    class Meta:
        model = Tag
        fields = ["name", "source"]


class GoldLabelSerializer(serializers.ModelSerializer[GoldLabel]):
    """``is_outdated``: a researcher's decision that rests on answers which changed since."""

    is_outdated = serializers.BooleanField(read_only=True)

    class Meta:
        model = GoldLabel
        fields = ["source", "label", "is_outdated"]


class CalculusLabelSerializer(serializers.ModelSerializer[CalculusLabel]):
    """``assumed``: whether words whose relation no source knows were taken to be more specific; null where
    that was not kept."""

    class Meta:
        model = CalculusLabel
        fields = [
            "engine", "engine_version", "convention", "parser", "label", "direction", "reason", "confidence",
            "assumed", "is_current",
        ]  # fmt: skip


class PairSerializer(serializers.ModelSerializer[Pair]):
    """``judgements`` counts people's answers by label (and ``unnatural``): in the campaigns that ask for
    labels, or where none does in those on the scale, each person once. ``not_read`` is what the calculus did
    not read when it was asked last, if it gave no label."""

    premises = serializers.SerializerMethodField()
    tags = TagSerializer(many=True, read_only=True)
    gold = GoldLabelSerializer(source="gold_labels", many=True, read_only=True)
    calculus = CalculusLabelSerializer(source="calculus_labels", many=True, read_only=True)
    not_read = serializers.SerializerMethodField()
    judgements = serializers.SerializerMethodField()

    class Meta:
        model = Pair
        fields = [
            "id", "dataset", "premises", "hypothesis", "direction", "genre", "origin", "blank",
            "swapped_from", "tags", "gold", "calculus", "not_read", "judgements", "created_at",
        ]  # fmt: skip

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_not_read(self, pair: Pair) -> str | None:
        found = getattr(pair, "not_read", None)
        return found.reason if found else None

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_premises(self, pair: Pair) -> list[str]:
        return [premise.text for premise in pair.premises.all()]

    @extend_schema_field(serializers.DictField(child=serializers.IntegerField()))
    def get_judgements(self, pair: Pair) -> dict[str, int]:
        answers = (answer.answer for item in pair.items.all() for answer in item.judgements.all())
        return dict(sorted(Counter(answers).items()))


class AdjudicationBody(Body):
    label = serializers.CharField(  # type: ignore[assignment]
        max_length=40, help_text=_("One of the dataset's labels, or unnatural.")
    )


class SwappableBody(Body):
    swappable = serializers.BooleanField()
