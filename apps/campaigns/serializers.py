"""Campaigns with their progress, and every judgement under its pseudonym, as JSON."""

from __future__ import annotations

from typing import Any, ClassVar

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.api.bodies import Body, Reference, StudyBody
from apps.campaigns.models import Campaign, Guideline, Item, Judgement, JudgementRevision, Replacement
from apps.campaigns.presets import presets
from apps.campaigns.services.lifecycle import TRANSITIONS
from apps.corpora.models import BlankSet
from apps.datasets.models import Dataset
from apps.inference.models import Model

_MOST = 2**31 - 1
_RULES = [
    "target", "maximum", "replacements", "skips_count", "cap", "page_size", "minimum_seconds",
    "lease_minutes", "order", "opens_at", "closes_at", "price", "currency", "show_predictions", "model",
    "tries", "is_pilot",
]  # fmt: skip
_NUMBERS = ["target", "maximum", "replacements", "cap", "minimum_seconds", "lease_minutes", "price", "tries"]


class CampaignSerializer(serializers.ModelSerializer[Campaign]):
    """``item_count`` items, of which ``complete_count`` have their ``target`` of counted answers."""

    study = serializers.SlugField(source="study.slug", read_only=True)
    item_count = serializers.IntegerField(read_only=True)
    complete_count = serializers.IntegerField(read_only=True)
    judgement_count = serializers.IntegerField(read_only=True)
    counted_count = serializers.IntegerField(read_only=True)
    skip_count = serializers.IntegerField(read_only=True)
    guideline_version = serializers.IntegerField(read_only=True, allow_null=True)

    class Meta:
        model = Campaign
        fields = [
            "id", "study", "name", "task", "state", "blank_set", "dataset", "target", "replacements",
            "maximum", "skips_count", "order", "cap", "page_size", "minimum_seconds", "lease_minutes",
            "price", "currency", "opens_at", "closes_at", "show_predictions", "model", "tries", "preset",
            "is_pilot", "simulated", "item_count", "complete_count",
            "judgement_count", "counted_count", "skip_count", "guideline_version",
            "archived_at", "created_at",
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
    """``annotator`` is a pseudonym; ``counted`` is false for a surplus answer. ``seconds`` are of work,
    ``idle_seconds`` those in which nobody was at it; ``read_in`` is the language of the instructions."""

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
            "seconds", "idle_seconds", "guideline_version", "read_in", "revision", "submitted_at",
            "revised_at", "replacements", "revisions",
        ]  # fmt: skip

    @extend_schema_field(serializers.IntegerField(allow_null=True))
    def get_blank(self, judgement: Judgement) -> int | None:
        return judgement.item.blank_id

    @extend_schema_field(serializers.IntegerField(allow_null=True))
    def get_pair(self, judgement: Judgement) -> int | None:
        return judgement.item.pair_id


class ItemSerializer(serializers.ModelSerializer[Item]):
    """``counted`` of ``wanted`` answers are there."""

    class Meta:
        model = Item
        fields = ["id", "campaign", "blank", "pair", "position", "counted", "wanted", "is_complete"]


class GuidelineSerializer(serializers.ModelSerializer[Guideline]):
    class Meta:
        model = Guideline
        fields = ["id", "version", "body", "created_at"]


class RulesBody(Body, serializers.ModelSerializer[Campaign]):
    """A campaign's name and rules; prices in hundredths. What is left out stays, or has its default."""

    name = serializers.CharField(max_length=200)
    model = Reference(Model, required=False, allow_null=True)

    class Meta:
        model = Campaign
        fields = ["name", *_RULES]
        extra_kwargs = {name: {"max_value": _MOST} for name in _NUMBERS}


class CampaignBody(StudyBody, RulesBody):
    """A new campaign. Creation: a ``blank_set``, and the ``dataset`` that the pairs go to, or the name of a
    ``new_dataset``. Validation and the Likert scale: the ``dataset`` whose pairs are judged. A ``preset``
    fills the rules that are left out."""

    task = serializers.ChoiceField(choices=Campaign.Task.choices)
    blank_set = Reference(BlankSet, required=False)
    dataset = Reference(Dataset, required=False)
    new_dataset = serializers.CharField(max_length=200, required=False)
    preset = serializers.ChoiceField(choices=sorted(presets()), required=False)

    class Meta(RulesBody.Meta):
        fields = ["study", "name", "task", "blank_set", "dataset", "new_dataset", "preset", *_RULES]
        validators: ClassVar[list[Any]] = []  # the service says it better

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        data = super().validate(attrs)
        creates, wrong = data["task"] == Campaign.Task.CREATION, {}
        if creates != ("blank_set" in data):
            wrong["blank_set"] = [_("A creation campaign, and no other, needs a set of blanks.")]
        if ("dataset" in data) == ("new_dataset" in data) or ("new_dataset" in data and not creates):
            wrong["dataset"] = [_("Name a dataset; for creation, a dataset or a new one.")]
        elif "dataset" in data and data["dataset"].kind != Dataset.Kind.PAIRS:
            wrong["dataset"] = [_("This dataset holds no pairs that people could judge.")]
        if (key := data.get("preset")) and presets()[key].task != data["task"]:
            wrong["preset"] = [_("This preset is for another task.")]
        if wrong:
            raise serializers.ValidationError(wrong)
        return data


class StateBody(Body):
    state = serializers.ChoiceField(
        choices=sorted({new for allowed in TRANSITIONS.values() for new in allowed})
    )
    confirmed = serializers.BooleanField(
        default=False,
        help_text="Open it although something it asks for is missing, such as test questions or people.",
    )


class GuidelineBody(Body):
    body = serializers.CharField(max_length=20_000, help_text="Markdown, without HTML and images.")


class AddedSerializer(serializers.Serializer[Any]):
    added = serializers.IntegerField()


class PresetSerializer(serializers.Serializer[Any]):
    """The settings that a paper reports: ``rules`` by the names of a campaign's fields."""

    key = serializers.CharField()
    title = serializers.CharField()
    task = serializers.ChoiceField(choices=Campaign.Task.choices)
    source = serializers.CharField()  # type: ignore[assignment]
    note = serializers.CharField(allow_blank=True)
    rules = serializers.DictField()
    quality = serializers.DictField()
