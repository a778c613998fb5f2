"""Gold rules and releases as JSON, and the shapes of what makes them."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.reverse import reverse

from apps.api.bodies import Body, Reference, StudyBody
from apps.datasets.bodies import InDataset, PairsReference
from apps.releases.conflicts import Otherwise
from apps.releases.forecast import Preview, Share
from apps.releases.gold_rules import RULE_NAMES, UNNATURAL_WORDS, Options, options_of
from apps.releases.models import GoldRule, Release

_DEFAULTS = Options()


class GoldRuleSerializer(serializers.ModelSerializer[GoldRule]):
    """A rule's rows never change; what is changed is its next version. ``options`` are its own."""

    study = serializers.SlugField(source="study.slug", read_only=True)
    options = serializers.SerializerMethodField()

    class Meta:
        model = GoldRule
        fields = ["id", "study", "name", "version", "kind", "options", "created_at"]

    @extend_schema_field(serializers.DictField())
    def get_options(self, rule: GoldRule) -> dict[str, Any]:
        return options_of(rule)


class ReleaseSerializer(serializers.ModelSerializer[Release]):
    """``download`` is null until the file is frozen."""

    options = serializers.SerializerMethodField()
    download = serializers.SerializerMethodField()

    class Meta:
        model = Release
        fields = [
            "id", "dataset", "number", "rule", "gold_rule", "options", "file_name", "sha256", "manifest",
            "job", "download", "created_at", "frozen_at",
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


class PlaceCountsSerializer(serializers.Serializer[Any]):
    direction = serializers.CharField(allow_blank=True)
    labels = serializers.DictField(child=serializers.IntegerField())
    pairs = serializers.IntegerField()


class SplitCountsSerializer(serializers.Serializer[Share]):
    split = serializers.CharField(source="name")
    asked = serializers.IntegerField(help_text=_("In percent."))
    pairs = serializers.IntegerField(source="rows")
    percent = serializers.FloatField(allow_null=True)


class OtherwiseSerializer(serializers.Serializer[Otherwise]):
    """Of the pairs that have a label here and one by the source, those whose labels differ."""

    by = serializers.CharField(source="source", help_text=_("people, decision, file or release."))
    release = serializers.IntegerField(allow_null=True)
    rule = serializers.CharField(allow_blank=True)
    pairs = serializers.IntegerField()
    differ = serializers.IntegerField()


class ReleasePreviewSerializer(serializers.Serializer[Preview]):
    """What a release would hold, counted over the first 20,000 pairs (``is_partial`` where there are more).
    ``empty_because`` says in words why it would hold nothing."""

    there = serializers.IntegerField(help_text=_("Pairs of the dataset without twins."))
    considered = serializers.IntegerField(source="offer.considered")
    unsure = serializers.IntegerField(
        source="offer.unsure", help_text=_("Left out alone because the calculus is not sure enough.")
    )
    assumed = serializers.IntegerField(
        help_text=_("Of the pairs taken, those whose calculus label takes an unknown word as more specific.")
    )
    is_partial = serializers.BooleanField()
    pairs = serializers.IntegerField(source="total")
    twins = serializers.IntegerField()
    table = serializers.SerializerMethodField()
    not_swapped = serializers.DictField(child=serializers.IntegerField())
    splits = SplitCountsSerializer(many=True)
    groups = serializers.IntegerField(help_text=_("Pairs of one group are in one split."))
    largest_group = serializers.IntegerField(help_text=_("Its pairs, twins among them."))
    labelled_otherwise = OtherwiseSerializer(source="otherwise", many=True)
    too_few = serializers.CharField(
        allow_blank=True, help_text=_("Which campaigns collect fewer judgements than the rule asks for.")
    )
    empty_because = serializers.SerializerMethodField()

    @extend_schema_field(PlaceCountsSerializer(many=True))
    def get_table(self, found: Preview) -> list[dict[str, Any]]:
        return [
            {"direction": place, "labels": dict(zip(found.labels, counts, strict=True)), "pairs": pairs}
            for place, counts, pairs in found.table
        ]

    @extend_schema_field(serializers.CharField(allow_blank=True))
    def get_empty_because(self, found: Preview) -> str:
        return found.why_empty(self.context["options"])


class RuleOptionsBody(Body):
    """Which label of a pair is the gold one. What is left out is as on the page."""

    rule = serializers.ChoiceField(choices=list(RULE_NAMES.items()), default=_DEFAULTS.rule)
    judgements = serializers.IntegerField(
        min_value=0,
        max_value=100,
        default=_DEFAULTS.judgements,
        help_text=_("How many a pair needs at least; 0 only for a researcher's or a file's label."),
    )
    matches = serializers.IntegerField(
        min_value=1,
        max_value=100,
        default=_DEFAULTS.matches,
        help_text=_("How many must match the calculus, for “at-least”."),
    )
    sure = serializers.FloatField(
        min_value=0,
        max_value=1,
        default=_DEFAULTS.sure,
        help_text=_("The least confidence of a calculus label that counts, for “all” and “at-least”."),
    )
    posterior = serializers.FloatField(
        min_value=0.5,
        max_value=1,
        default=_DEFAULTS.posterior,
        help_text=_("The least probability, for “posterior” and “mace”."),
    )
    unnatural = serializers.ChoiceField(choices=list(UNNATURAL_WORDS.items()), default=_DEFAULTS.unnatural)


class GoldRuleBody(StudyBody, RuleOptionsBody):
    name = serializers.CharField(
        max_length=100, help_text=_("A name that is there already gets its next version.")
    )


class WorkOutBody(Body):
    dataset = PairsReference()


class ReleaseBody(InDataset, RuleOptionsBody):
    """``gold_rule``, a named rule by its number, takes the place of the rule's own fields. Left out, ``rule``
    and ``judgements`` are what the page begins with: as many judgements as the campaigns collect."""

    rule = serializers.ChoiceField(choices=list(RULE_NAMES.items()), required=False)
    judgements = serializers.IntegerField(
        min_value=0, max_value=100, required=False, help_text=_("How many a pair needs at least.")
    )

    gold_rule = Reference(GoldRule, required=False, allow_null=True)
    campaigns = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=2**63 - 1),
        default=list,
        max_length=1000,
        help_text=_("Whose answers are read; empty: the campaigns that ask for a label."),
    )
    swaps = serializers.BooleanField(
        default=_DEFAULTS.swaps,
        help_text=_("Add swapped twins: premise and hypothesis exchanged, the label turned over."),
    )
    unknown_twins = serializers.BooleanField(
        default=_DEFAULTS.unknown_twins,
        help_text=_(
            "Add twins also where no source relates the two wordings, annotators were asked for a more "
            "specific one, and most judges agree with the calculus."
        ),
    )
    keep_unlabelled = serializers.BooleanField(
        default=_DEFAULTS.keep_unlabelled, help_text=_("Publish pairs without a gold label too.")
    )
    train = serializers.IntegerField(
        min_value=0, max_value=100, default=_DEFAULTS.train, help_text=_("In percent; the three make 100.")
    )
    validation = serializers.IntegerField(min_value=0, max_value=100, default=_DEFAULTS.validation)
    test = serializers.IntegerField(min_value=0, max_value=100, default=_DEFAULTS.test)
    seed = serializers.IntegerField(
        min_value=0, max_value=2**31 - 1, default=_DEFAULTS.seed, help_text=_("Draws the splits.")
    )
