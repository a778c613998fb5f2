"""Datasets, and sets of calculus labels, as JSON."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from apps.api.bodies import Body, StudyBody
from apps.datasets.models import Dataset
from natlog.lexicon.conventions import conventions


class DatasetSerializer(serializers.ModelSerializer[Dataset]):
    study = serializers.SlugField(source="study.slug", read_only=True)
    labels = serializers.ListField(child=serializers.CharField(), read_only=True)
    pair_count = serializers.IntegerField(read_only=True)

    class Meta:
        model = Dataset
        fields = [
            "id", "study", "name", "kind", "labels", "licence", "source", "simulated", "pair_count",
            "archived_at", "created_at",
        ]  # fmt: skip


class LabelSetSerializer(serializers.Serializer[Any]):
    """The labels that one engine, version, convention and parser gave; ``current`` of them are in force.
    ``assumed`` of them take words whose relation no source knows to be more specific (of
    ``assumed_not_known`` that was not kept)."""

    engine = serializers.CharField(source="key.engine")
    engine_version = serializers.CharField(source="key.engine_version")
    convention = serializers.CharField(source="key.convention")
    parser = serializers.CharField(source="key.parser")
    labels = serializers.IntegerField()
    current = serializers.IntegerField()
    entailments = serializers.IntegerField()
    assumed = serializers.IntegerField()
    assumed_not_known = serializers.IntegerField()


class LabelChangeSerializer(serializers.Serializer[Any]):
    """A pair whose current label differs from what an earlier set said (``was``)."""

    pair = serializers.IntegerField(source="pair_id")
    label = serializers.CharField()  # type: ignore[assignment]
    reason = serializers.CharField()
    was = serializers.CharField()
    was_reason = serializers.CharField()


class DatasetBody(StudyBody):
    name = serializers.CharField(max_length=200)
    licence = serializers.CharField(
        max_length=200, default="", allow_blank=True, help_text=_("Under which releases are published.")
    )
    source = serializers.CharField(max_length=500, default="", allow_blank=True)  # type: ignore[assignment]
    three_way = serializers.BooleanField(
        default=False, help_text=_("With contradiction, beside entailment and non-entailment.")
    )


class RelabelBody(Body):
    convention = serializers.ChoiceField(
        choices=list(conventions()),
        help_text=_(
            "How definites, numerals and bare plurals are read, where published gold sets differ. "
            "Under “med” a word that no source knows is taken to be more specific."
        ),
    )
