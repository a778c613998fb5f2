"""Testbeds as JSON."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from apps.api.bodies import Body, StudyBody
from apps.campaigns.models import Campaign
from apps.datasets.bodies import PairsReference
from apps.testbeds.models import Testbed
from apps.testbeds.options import FRAMES, LARGEST, LARGEST_SEED, PLAIN
from natlog.fragments.systematicity import VARIANTS
from natlog.fragments.testbeds import TESTBEDS

_MOST_EACH = 10_000


class TestbedSerializer(serializers.ModelSerializer[Testbed]):
    """``proved`` counts the claims that a prover confirmed, refuted, or could not decide."""

    name = serializers.CharField(source="dataset.name", read_only=True)
    columns = serializers.SerializerMethodField(help_text=_("What its rows say, and what that means."))
    proved = serializers.DictField(child=serializers.IntegerField(), read_only=True)

    class Meta:
        model = Testbed
        fields = [
            "id", "dataset", "name", "kind", "size", "depth", "seed", "variant", "frames", "is_natural",
            "source", "engine_version", "columns", "proved", "job", "created_at", "finished_at",
        ]  # fmt: skip

    def get_columns(self, testbed: Testbed) -> dict[str, str]:
        return dict(TESTBEDS[testbed.kind].columns)


class TestbedBody(StudyBody):
    name = serializers.CharField(max_length=200, help_text=_("The new dataset's."))
    kind = serializers.ChoiceField(choices=list(TESTBEDS))
    size = serializers.IntegerField(min_value=1, max_value=LARGEST, default=1000)
    depth = serializers.IntegerField(
        min_value=0, max_value=6, allow_null=True, default=None, help_text=_("null: every depth.")
    )
    seed = serializers.IntegerField(min_value=0, max_value=LARGEST_SEED, default=1)
    variant = serializers.ChoiceField(
        choices=list(VARIANTS), default=PLAIN, help_text=_("Systematicity's test sets.")
    )
    frames = serializers.ChoiceField(
        choices=list(FRAMES), default=FRAMES[0], help_text=_("Transitivity's main clauses.")
    )
    source = PairsReference(  # type: ignore[assignment]
        required=False,
        allow_null=True,
        default=None,
        help_text=_("Transitivity: a dataset whose labelled pairs are embedded in place of the fragment's."),
    )


class TestbedSampleBody(Body):
    name = serializers.CharField(max_length=200, help_text=_("Of the campaign and of its dataset."))
    factor = serializers.CharField(max_length=60, help_text=_("A column: as many pairs of each value."))
    each = serializers.IntegerField(min_value=1, max_value=_MOST_EACH)
    task = serializers.ChoiceField(choices=[Campaign.Task.VALIDATION, Campaign.Task.LIKERT])
    seed = serializers.IntegerField(min_value=0, max_value=LARGEST_SEED, default=1)


class TestbedPairsBody(Body):
    name = serializers.CharField(max_length=200, help_text=_("The new dataset's."))


class SampledSerializer(serializers.Serializer[Any]):
    """The numbers of the campaign in draft and of its dataset."""

    campaign = serializers.IntegerField()
    dataset = serializers.IntegerField()


class TestbedScoreSerializer(serializers.Serializer[Any]):
    judge = serializers.CharField()
    right = serializers.IntegerField()
    of = serializers.IntegerField()


class TestbedCellSerializer(serializers.Serializer[Any]):
    """One value of the factor (null: all of them): its pairs, and how often each judge gives their label."""

    value = serializers.CharField(allow_null=True)
    pairs = serializers.IntegerField()
    scores = TestbedScoreSerializer(many=True)
