"""Campaigns with their progress, and every judgement under its pseudonym, as JSON."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.campaigns.models import Campaign, Judgement, JudgementRevision, Replacement


class CampaignSerializer(serializers.ModelSerializer[Campaign]):
    """``item_count`` items, of which ``complete_count`` have their ``target`` of counted answers."""

    study = serializers.SlugField(source="study.slug", read_only=True)
    item_count = serializers.IntegerField(read_only=True)
    complete_count = serializers.IntegerField(read_only=True)
    judgement_count = serializers.IntegerField(read_only=True)
    counted_count = serializers.IntegerField(read_only=True)
    skip_count = serializers.IntegerField(read_only=True)

    class Meta:
        model = Campaign
        fields = [
            "id", "study", "name", "task", "state", "blank_set", "dataset", "target", "replacements",
            "maximum", "skips_count", "order", "cap", "page_size", "minimum_seconds", "lease_minutes",
            "price", "currency", "opens_at", "closes_at", "show_predictions", "model", "tries", "preset",
            "is_pilot", "simulated", "item_count", "complete_count",
            "judgement_count", "counted_count", "skip_count", "created_at",
        ]  # fmt: skip


class ReplacementSerializer(serializers.ModelSerializer[Replacement]):
    class Meta:
        model = Replacement
        fields = ["position", "text", "hypothesis", "pair"]


class RevisionSerializer(serializers.ModelSerializer[JudgementRevision]):
    guideline_version = serializers.IntegerField(source="guideline.version", read_only=True)

    class Meta:
        model = JudgementRevision
        fields = ["number", "value", "guideline_version", "at"]


class JudgementSerializer(serializers.ModelSerializer[Judgement]):
    """``annotator`` is a pseudonym; ``counted`` is false for a surplus answer."""

    campaign = serializers.IntegerField(source="item.campaign_id", read_only=True)
    task = serializers.CharField(source="item.campaign.task", read_only=True)
    blank = serializers.SerializerMethodField()
    pair = serializers.SerializerMethodField()
    annotator = serializers.CharField(source="participant.pseudonym", read_only=True)
    simulated = serializers.BooleanField(source="participant.simulated", read_only=True)
    guideline_version = serializers.IntegerField(source="guideline.version", read_only=True)
    replacements = ReplacementSerializer(many=True, read_only=True)
    revisions = RevisionSerializer(many=True, read_only=True)

    class Meta:
        model = Judgement
        fields = [
            "id", "campaign", "task", "item", "blank", "pair", "annotator", "simulated", "answer", "rating",
            "nonsense", "skip_reason", "note", "counted", "predictions_shown", "tries",
            "seconds", "guideline_version", "revision", "submitted_at",
            "revised_at", "replacements", "revisions",
        ]  # fmt: skip

    @extend_schema_field(serializers.IntegerField(allow_null=True))
    def get_blank(self, judgement: Judgement) -> int | None:
        return judgement.item.blank_id

    @extend_schema_field(serializers.IntegerField(allow_null=True))
    def get_pair(self, judgement: Judgement) -> int | None:
        return judgement.item.pair_id
