"""Datasets, pairs with every label they have, and releases, as JSON."""

from __future__ import annotations

from collections import Counter
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.reverse import reverse

from apps.datasets.models import CalculusLabel, Dataset, GoldLabel, Pair, Release, Tag


class DatasetSerializer(serializers.ModelSerializer[Dataset]):
    study = serializers.SlugField(source="study.slug", read_only=True)
    labels = serializers.ListField(child=serializers.CharField(), read_only=True)
    pair_count = serializers.IntegerField(read_only=True)

    class Meta:
        model = Dataset
        fields = [
            "id", "study", "name", "kind", "labels", "licence", "source", "simulated", "pair_count",
            "created_at",
        ]  # fmt: skip


class TagSerializer(serializers.ModelSerializer[Tag]):
    class Meta:
        model = Tag
        fields = ["name", "source"]


class GoldLabelSerializer(serializers.ModelSerializer[GoldLabel]):
    class Meta:
        model = GoldLabel
        fields = ["source", "label"]


class CalculusLabelSerializer(serializers.ModelSerializer[CalculusLabel]):
    class Meta:
        model = CalculusLabel
        fields = [
            "engine", "engine_version", "convention", "parser", "label", "direction", "reason", "confidence",
            "is_current",
        ]  # fmt: skip


class PairSerializer(serializers.ModelSerializer[Pair]):
    """``judgements`` counts the counted answers by label (and ``unnatural``)."""

    premises = serializers.SerializerMethodField()
    tags = TagSerializer(many=True, read_only=True)
    gold = GoldLabelSerializer(source="gold_labels", many=True, read_only=True)
    calculus = CalculusLabelSerializer(source="calculus_labels", many=True, read_only=True)
    judgements = serializers.SerializerMethodField()

    class Meta:
        model = Pair
        fields = [
            "id", "dataset", "premises", "hypothesis", "direction", "genre", "origin", "blank",
            "swapped_from", "tags", "gold", "calculus", "judgements", "created_at",
        ]  # fmt: skip

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_premises(self, pair: Pair) -> list[str]:
        return [premise.text for premise in pair.premises.all()]

    @extend_schema_field(serializers.DictField(child=serializers.IntegerField()))
    def get_judgements(self, pair: Pair) -> dict[str, int]:
        answers = (answer.answer for item in pair.items.all() for answer in item.judgements.all())
        return dict(sorted(Counter(answers).items()))


class ReleaseSerializer(serializers.ModelSerializer[Release]):
    """``download`` is null until the file is frozen."""

    options = serializers.SerializerMethodField()
    download = serializers.SerializerMethodField()

    class Meta:
        model = Release
        fields = [
            "id", "dataset", "number", "rule", "options", "file_name", "sha256", "manifest", "job",
            "download", "created_at", "frozen_at",
        ]  # fmt: skip

    @extend_schema_field(serializers.DictField())
    def get_options(self, release: Release) -> dict[str, Any]:
        """Without the salt of the published pseudonyms, which would let them be traced back."""
        return {name: value for name, value in release.options.items() if name != "salt"}

    @extend_schema_field(serializers.URLField(allow_null=True))
    def get_download(self, release: Release) -> Any:
        if release.frozen_at is None:
            return None
        return reverse("api:release-download", args=[release.pk], request=self.context.get("request"))
