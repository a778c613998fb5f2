"""A campaign's quality as JSON: settings, test questions, rules, what they did, and its people's trust."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.api.bodies import Body, Reference
from apps.campaigns.models import Campaign
from apps.datasets.models import Pair
from apps.quality import actions, places
from apps.quality.models import (
    Flag,
    Quality,
    QualityAction,
    Refusal,
    Reliability,
    Rule,
    TestAnswer,
    TestQuestion,
)
from apps.quality.reliability import Person
from apps.studies.models import Participant

_SETTINGS = [
    "languages", "countries", "approved_tasks", "approval_rate", "numbers_from", "uses_allow_list",
    "members_work", "quiz_size", "quiz_wrong", "quiz_tries", "test_share", "near_duplicates",
    "other_script", "not_more_specific", "spelling", "checks_calculus", "tells_calculus",
]  # fmt: skip
_SMALL = 32_767


class QualitySerializer(serializers.ModelSerializer[Quality]):
    """What a campaign asks of its people and watches; all off where nothing was set."""

    languages = serializers.ListField(child=serializers.CharField())
    countries = serializers.ListField(child=serializers.CharField())

    class Meta:
        model = Quality
        fields = _SETTINGS


class QualityBody(Body, serializers.ModelSerializer[Quality]):
    """``languages`` and ``countries`` are codes, one of which somebody must declare; none: not asked."""

    languages = serializers.ListField(
        child=serializers.ChoiceField(choices=[code for code, _name in places.languages_to_choose()]),
        required=False,
        max_length=200,
    )
    countries = serializers.ListField(
        child=serializers.ChoiceField(choices=[code for code, _name in places.countries()]),
        required=False,
        max_length=300,
    )

    class Meta:
        model = Quality
        fields = _SETTINGS
        extra_kwargs = {
            "approved_tasks": {"max_value": 2**31 - 1},
            "quiz_size": {"max_value": _SMALL},
            "quiz_wrong": {"max_value": _SMALL},
        }


class AllowListBody(Body):
    names = serializers.ListField(
        child=serializers.CharField(max_length=254),
        max_length=100_000,
        help_text="Pseudonyms, e-mail addresses, or identifiers at the panel.",
    )


class TestQuestionSerializer(serializers.ModelSerializer[TestQuestion]):
    """``shown`` to so many people, of whom ``right`` gave the expected answer first."""

    premises = serializers.SerializerMethodField()
    hypothesis = serializers.CharField(source="item.pair.hypothesis", read_only=True)
    shown = serializers.IntegerField(read_only=True)
    right = serializers.IntegerField(read_only=True)

    class Meta:
        model = TestQuestion
        fields = [
            "id", "campaign", "premises", "hypothesis", "expected", "explanation", "state", "shown", "right",
            "created_at",
        ]  # fmt: skip

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_premises(self, question: TestQuestion) -> list[str]:
        pair = question.item.pair
        return [premise.text for premise in pair.premises.all()] if pair else []


class TestQuestionBody(Body):
    """A question with texts of its own (``premises``, ``hypothesis``), or those of a ``pair``."""

    campaign = Reference(Campaign)
    pair = Reference(Pair, required=False)
    premises = serializers.ListField(
        child=serializers.CharField(max_length=5000), required=False, min_length=1, max_length=20
    )
    hypothesis = serializers.CharField(max_length=5000, required=False)
    expected = serializers.CharField(max_length=40, help_text="A label of the dataset, or “unnatural”.")
    explanation = serializers.CharField(max_length=5000, default="", allow_blank=True)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        texts = {"premises", "hypothesis"} & attrs.keys()
        if ("pair" in attrs) == bool(texts) or len(texts) == 1:
            raise serializers.ValidationError({"pair": [_("Give the number of a pair, or both sentences.")]})
        return attrs


class TestQuestionChangeBody(Body):
    expected = serializers.CharField(max_length=40, required=False)
    explanation = serializers.CharField(max_length=5000, required=False, allow_blank=True)
    state = serializers.ChoiceField(choices=TestQuestion.State.choices, required=False)


class TestFileBody(Body):
    """CSV with the columns premise, hypothesis, expected and (optional) explanation."""

    campaign = Reference(Campaign)
    text = serializers.CharField(max_length=2_000_000, trim_whitespace=False)
    store = serializers.BooleanField(default=False, help_text="false: only look; true: store all or nothing.")


class TestFileSerializer(serializers.Serializer[Any]):
    """What the file holds: so many good ``questions``, and each fault by its line; ``stored`` of them."""

    questions = serializers.IntegerField()
    stored = serializers.IntegerField()
    errors = serializers.ListField(child=serializers.CharField())  # type: ignore[assignment]


class TestAnswerSerializer(serializers.ModelSerializer[TestAnswer]):
    """The first answer that somebody gave ("" for a skip); ``is_right`` by today's expected answer."""

    annotator = serializers.CharField(source="participant.pseudonym", read_only=True)
    is_right = serializers.SerializerMethodField()

    class Meta:
        model = TestAnswer
        fields = ["id", "question", "annotator", "answer", "is_right", "in_quiz", "quiz_try", "at"]

    @extend_schema_field(serializers.BooleanField())
    def get_is_right(self, answer: TestAnswer) -> bool:
        return answer.answer == answer.question.expected


class RuleSerializer(serializers.ModelSerializer[Rule]):
    """When ``signal`` over somebody's last answers passes the ``threshold``, ``action`` is done."""

    fired = serializers.IntegerField(read_only=True)

    class Meta:
        model = Rule
        fields = [
            "id", "campaign", "signal", "last", "least", "threshold", "action", "is_active", "fired",
            "created_at",
        ]  # fmt: skip


class RuleBody(Body, serializers.ModelSerializer[Rule]):
    campaign = Reference(Campaign)
    threshold = serializers.FloatField(min_value=0, max_value=1e9)

    class Meta:
        model = Rule
        fields = ["campaign", "signal", "last", "least", "threshold", "action"]
        extra_kwargs = {name: {"required": True, "max_value": 1000} for name in ("last", "least")}


class RuleChangeBody(Body):
    is_active = serializers.BooleanField()


class ActionSerializer(serializers.ModelSerializer[QualityAction]):
    """What a rule, or a researcher, did. ``value`` and ``answers`` are what the rule saw."""

    annotator = serializers.CharField(source="participant.pseudonym", read_only=True)

    class Meta:
        model = QualityAction
        fields = [
            "id", "campaign", "annotator", "kind", "rule", "signal", "value", "threshold", "answers", "note",
            "created_at", "undone_at", "undone_why",
        ]  # fmt: skip


class ActionBody(Body):
    """Done by hand."""

    campaign = Reference(Campaign)
    annotator = Reference(Participant)
    kind = serializers.ChoiceField(choices=QualityAction.Kind.choices)
    note = serializers.CharField(max_length=500, default="", allow_blank=True)


class FlagSerializer(serializers.ModelSerializer[Flag]):
    """Something odd about one replacement of a creation answer."""

    class Meta:
        model = Flag
        fields = ["id", "judgement", "position", "code", "message", "source", "was_told", "created_at"]


class ReliabilitySerializer(serializers.ModelSerializer[Reliability]):
    """``value`` in [0, 1], or null with the ``reason`` why it is undefined."""

    class Meta:
        model = Reliability
        fields = ["method", "value", "reason", "answers", "computed_at"]


class RefusalSerializer(serializers.Serializer[Any]):
    """By what somebody was not let in, what they had said (a code or a number), and whether it ``holds``
    today."""

    by = serializers.ChoiceField(source="refusal.by", choices=Refusal.By.choices)
    said = serializers.CharField(source="refusal.said")
    at = serializers.DateTimeField(source="refusal.at")
    holds = serializers.BooleanField()


class PersonSerializer(serializers.Serializer[Any]):
    """One annotator of a campaign. ``trust`` is the share of test questions answered right, ``agreement``
    that of answers the same as most of the others'; null where there is nothing to compare."""

    id = serializers.IntegerField(source="participant.pk", help_text="The annotator's number.")
    pseudonym = serializers.CharField(source="participant.pseudonym")
    simulated = serializers.BooleanField(source="participant.simulated")
    answers = serializers.IntegerField()
    skips = serializers.IntegerField()
    surplus = serializers.IntegerField()
    median_seconds = serializers.FloatField(allow_null=True)
    tests_shown = serializers.IntegerField()
    tests_right = serializers.IntegerField()
    trust = serializers.FloatField(allow_null=True)
    compared = serializers.IntegerField()
    agreed = serializers.IntegerField()
    agreement = serializers.FloatField(allow_null=True)
    flags = serializers.IntegerField()
    is_paused = serializers.BooleanField()
    is_in_review = serializers.BooleanField()
    refused = RefusalSerializer(many=True, source="refusals")
    reliability = serializers.SerializerMethodField()

    @extend_schema_field(ReliabilitySerializer(many=True))
    def get_reliability(self, person: Person) -> Any:
        return ReliabilitySerializer(list(person.estimates.values()), many=True).data


class BlockBody(Body):
    past = serializers.ChoiceField(
        choices=[actions.KEEP, actions.REQUEUE],
        help_text="keep: the answers count as before; requeue: they count no more, and others are asked.",
    )


class BlockedSerializer(serializers.Serializer[Any]):
    """How many answers count no more."""

    requeued = serializers.IntegerField()


class UndoneSerializer(serializers.Serializer[Any]):
    """How many answers count again; for the others there is no room left."""

    counted = serializers.IntegerField()
