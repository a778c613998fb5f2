"""Blanks, their sets and the stop list, as JSON."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from apps.api.bodies import Body, StudyBody
from apps.corpora.blank_selectors import (
    ANY_OPERATOR,
    DEFAULT_CATEGORIES,
    SENTENCE_TOKENS,
    SURE_PARSE,
    BlankFilters,
)
from apps.corpora.models import Blank, BlankSet, Polarity, StopExpression
from apps.corpora.operator_presets import operator_presets

_LONGEST = 10_000


class BlankSetSerializer(serializers.ModelSerializer[BlankSet]):
    study = serializers.SlugField(source="study.slug", read_only=True)
    blank_count = serializers.IntegerField(read_only=True)

    class Meta:
        model = BlankSet
        fields = [
            "id",
            "study",
            "name",
            "filters",
            "seed",
            "pilot_of",
            "blank_count",
            "archived_at",
            "created_at",
        ]


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


class FiltersBody(Body):
    """Which constituents become blanks. What is left out has the values that the page begins with."""

    corpora = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=2**63 - 1),
        default=list,
        max_length=1000,
        help_text="Numbers of corpora; none: all.",
    )
    group = serializers.CharField(
        max_length=300, default="", allow_blank=True, help_text="A marking group's key; left out: the latest."
    )
    direction = serializers.ChoiceField(
        choices=Polarity.choices, default="", allow_blank=True, help_text="Left out: any."
    )
    operator = serializers.CharField(
        max_length=60,
        default=ANY_OPERATOR,
        allow_blank=True,
        help_text="Whose argument the constituent is; “*”: some operator's; empty: no matter.",
    )
    operators = serializers.ListField(
        child=serializers.CharField(max_length=60),
        default=list,
        max_length=200,
        help_text="Operators of which one stands above the constituent; an empty list: as `operator` says.",
    )
    preset = serializers.ChoiceField(
        choices=list(operator_presets()),
        default="",
        allow_blank=True,
        help_text="A preset's operators beside `operators`; `/blank-sets/presets/` lists them.",
    )
    without = serializers.ListField(
        child=serializers.CharField(max_length=60),
        default=list,
        max_length=200,
        help_text="Operators that may not stand above the constituent.",
    )
    categories = serializers.ListField(
        child=serializers.CharField(max_length=40),
        default=lambda: list(DEFAULT_CATEGORIES),
        max_length=200,
        help_text="Categories of constituents; an empty list: all.",
    )
    minimum = serializers.IntegerField(
        min_value=1, max_value=_LONGEST, default=1, help_text="Tokens, at least."
    )
    maximum = serializers.IntegerField(
        min_value=1, max_value=_LONGEST, default=None, allow_null=True, help_text="Tokens, at most."
    )
    sentence_minimum = serializers.IntegerField(
        min_value=1,
        max_value=_LONGEST,
        default=SENTENCE_TOKENS,
        help_text="Tokens of the sentence, at least.",
    )
    declarative = serializers.BooleanField(default=True, help_text="Declarative sentences only.")
    stop_list = serializers.BooleanField(default=True, help_text="Leave out what is on the stop list.")
    stop_sentences = serializers.BooleanField(
        default=False,
        help_text="The stop list leaves out the whole sentence that one of its expressions stands in.",
    )
    one_per_sentence = serializers.BooleanField(default=False)
    parse_sure = serializers.FloatField(
        min_value=0,
        max_value=1,
        default=SURE_PARSE,
        help_text="The confidence of a sentence's parse, at least; below it the parse is doubtful.",
    )
    doubtful = serializers.BooleanField(
        default=False,
        help_text="Also blanks of sentences with a doubtful parse, which can turn a direction round.",
    )

    def validate(self, attrs: dict[str, Any]) -> Any:
        """The filters as the services take them."""
        if attrs["maximum"] is not None and attrs["maximum"] < attrs["minimum"]:
            raise serializers.ValidationError({"maximum": [_("At most must not be less than at least.")]})
        if preset := attrs.pop("preset"):
            named = [*operator_presets()[preset].operators, *attrs["operators"]]
            attrs["operators"] = list(dict.fromkeys(named))
        return BlankFilters.from_json(attrs)


class BlankPreviewBody(StudyBody):
    filters = FiltersBody(default=BlankFilters)
    seed = serializers.IntegerField(min_value=0, max_value=2**31 - 1, default=1, help_text="Of the sample.")


class BlankSetBody(StudyBody):
    name = serializers.CharField(max_length=200)
    filters = FiltersBody(default=BlankFilters)
    maximum = serializers.IntegerField(
        min_value=1,
        max_value=2**31 - 1,
        default=None,
        allow_null=True,
        help_text="So many at most, drawn at random; null: all.",
    )
    quotas = serializers.DictField(
        child=serializers.IntegerField(min_value=0, max_value=2**31 - 1),
        default=dict,
        help_text="The most of a direction: up, down, flat. One that is left out has no limit.",
    )
    seed = serializers.IntegerField(min_value=0, max_value=2**31 - 1, default=1)

    def validate_quotas(self, value: dict[str, int]) -> dict[str, int]:
        if unknown := sorted(set(value) - set(Polarity.values)):
            raise serializers.ValidationError(
                _("%(names)s: directions are up, down and flat.") % {"names": ", ".join(unknown)}
            )
        return value


class CountSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    count = serializers.IntegerField()


class CandidateSerializer(serializers.Serializer[Any]):
    sentence = serializers.IntegerField()
    sentence_text = serializers.CharField()
    start = serializers.IntegerField()
    end = serializers.IntegerField()
    text = serializers.CharField()
    polarity = serializers.ChoiceField(choices=Polarity.choices)
    operator = serializers.CharField(allow_blank=True)
    category = serializers.CharField()


class StopCountsSerializer(serializers.Serializer[Any]):
    """What the stop list would leave out of these: `blanks` that are one of its expressions, or `sentences`
    that one stands in, with all their `blanks_of_sentences`."""

    expressions = serializers.IntegerField()
    blanks = serializers.IntegerField()
    sentences = serializers.IntegerField()
    blanks_of_sentences = serializers.IntegerField()


class DoubtfulSerializer(serializers.Serializer[Any]):
    """What passes all else and has a doubtful parse; in the counts above only if `doubtful` was asked for."""

    sentences = serializers.IntegerField()
    blanks = serializers.IntegerField()


class PresetRowSerializer(serializers.Serializer[Any]):
    category = serializers.CharField(allow_blank=True)
    words = serializers.ListField(child=serializers.CharField())
    operators = serializers.ListField(child=serializers.CharField())
    first = serializers.CharField(allow_blank=True)
    second = serializers.CharField(allow_blank=True)


class OperatorPresetSerializer(serializers.Serializer[Any]):
    """What a paper chose its sentences by: the rows of its table, and its quotas by polarity."""

    key = serializers.CharField()
    title = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]
    note = serializers.CharField()
    operators = serializers.ListField(child=serializers.CharField())
    quotas = serializers.DictField(child=serializers.IntegerField())
    rows = PresetRowSerializer(many=True)


class BlankPreviewSerializer(serializers.Serializer[Any]):
    """How many constituents pass the filters, of which kinds, and a few of them at random."""

    total = serializers.IntegerField()
    sentences = serializers.IntegerField()
    directions = serializers.DictField(child=serializers.IntegerField())
    operators = CountSerializer(many=True)
    categories = CountSerializer(many=True)
    stopped = StopCountsSerializer()
    doubtful = DoubtfulSerializer()
    sample = CandidateSerializer(many=True)


class PilotBody(Body):
    size = serializers.IntegerField(min_value=1, max_value=10_000)
    seed = serializers.IntegerField(min_value=0, max_value=2**31 - 1, default=1)


class SkipRateSerializer(serializers.Serializer[Any]):
    """``is_proposed`` for the stop list: half of the answers are skips, and one says: too general."""

    expression = serializers.CharField()
    judgements = serializers.IntegerField()
    skips = serializers.IntegerField()
    too_general = serializers.IntegerField()
    share = serializers.FloatField()
    on_stop_list = serializers.BooleanField()
    is_proposed = serializers.BooleanField()


class StopExpressionSerializer(serializers.ModelSerializer[StopExpression]):
    """``origin`` says which pilot proposed it."""

    study = serializers.SlugField(source="study.slug", read_only=True)

    class Meta:
        model = StopExpression
        fields = ["id", "study", "expression", "origin", "created_at"]


class StopExpressionBody(StudyBody):
    expression = serializers.CharField(max_length=200)
