"""Pairs with every label they have, as JSON."""

from __future__ import annotations

from collections import Counter

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.api.bodies import Body
from apps.datasets.bodies import InDataset
from apps.datasets.models import CalculusLabel, Correction, Direction, GoldLabel, Pair, Tag
from apps.frame.texts import LONGEST_TEXT


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


class CorrectionSerializer(serializers.ModelSerializer[Correction]):
    """What was put by hand in place of the calculus' direction ("" where it is not corrected) and tags
    (null), and what stood there. ``undone_at`` is null for the one in force."""

    tags = serializers.ListField(child=serializers.CharField(), allow_null=True)
    tags_was = serializers.ListField(child=serializers.CharField())

    class Meta:
        model = Correction
        fields = ["direction", "direction_was", "tags", "tags_was", "note", "created_at", "undone_at"]


class PairSerializer(serializers.ModelSerializer[Pair]):
    """``judgements`` counts people's answers by label (and ``unnatural``): in the campaigns that ask for
    labels, or where none does in those on the scale, each person once. ``not_read`` is what the calculus did
    not read when it was asked last, if it gave no label."""

    premises = serializers.SerializerMethodField()
    tags = TagSerializer(many=True, read_only=True)
    gold = GoldLabelSerializer(source="gold_labels", many=True, read_only=True)
    calculus = CalculusLabelSerializer(source="calculus_labels", many=True, read_only=True)
    not_read = serializers.SerializerMethodField()
    corrections = CorrectionSerializer(many=True, read_only=True)
    judgements = serializers.SerializerMethodField()

    class Meta:
        model = Pair
        fields = [
            "id", "dataset", "premises", "hypothesis", "direction", "genre", "source", "origin", "blank",
            "swapped_from", "tags", "gold", "calculus", "not_read", "corrections", "judgements", "created_at",
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


class PairBody(InDataset):
    """A single pair, with the publication it is from."""

    premises = serializers.ListField(
        child=serializers.CharField(max_length=LONGEST_TEXT), min_length=1, max_length=20
    )
    hypothesis = serializers.CharField(max_length=LONGEST_TEXT)
    source = serializers.CharField(  # type: ignore[assignment]
        max_length=500, help_text=_("The publication, with page or example number.")
    )
    label = serializers.CharField(  # type: ignore[assignment]
        max_length=40,
        default="",
        allow_blank=True,
        help_text=_("The published label, one of the dataset's; left out: none was published."),
    )
    genre = serializers.CharField(max_length=200, default="", allow_blank=True)
    direction = serializers.ChoiceField(
        choices=Direction.choices,
        default="",
        allow_blank=True,
        help_text=_("As the publication has it; left out: the calculus says it."),
    )


class CorrectionBody(Body):
    """Both as they are to stand; what equals the calculus' own is no correction."""

    direction = serializers.ChoiceField(choices=Direction.choices, default="", allow_blank=True)
    tags = serializers.ListField(child=serializers.CharField(max_length=60), max_length=50)
    note = serializers.CharField(max_length=500, default="", allow_blank=True)


class SwappableBody(Body):
    swappable = serializers.BooleanField()
