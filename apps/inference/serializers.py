"""Models, runs and predictions as JSON."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from apps.datasets.models import Pair
from apps.inference.models import Model, Prediction, Run
from apps.inference.services import labels_of
from apps.inference.verdicts import HYPOTHESIS_ALONE, LEARNT_HERE, NO_BETTER, TURNED


class ModelSerializer(serializers.ModelSerializer[Model]):
    """``config`` is what the runtime needs, ``fingerprint`` the SHA-256 of the weights. ``labels`` are those
    that the model says, of a folder in the order of its outputs; ``confirmed`` whether somebody has looked at
    that order, ``smoke_test`` what the model said of five plain pairs as it was registered (``meant``: what
    its labels would have to mean to be clearly more often right; null where nothing looks turned round)."""

    study = serializers.SlugField(source="study.slug", read_only=True)
    labels = serializers.SerializerMethodField()
    confirmed = serializers.BooleanField(source="labels_confirmed", read_only=True)
    smoke_test = serializers.JSONField(read_only=True)

    def get_labels(self, model: Model) -> list[str]:
        return labels_of(model)

    class Meta:
        model = Model
        fields = [
            "id",
            "study",
            "name",
            "kind",
            "config",
            "fingerprint",
            "labels",
            "confirmed",
            "smoke_test",
            "created_at",
        ]


class RunSerializer(serializers.ModelSerializer[Run]):
    state = serializers.CharField(source="job.state", read_only=True, default=None, allow_null=True)
    prediction_count = serializers.IntegerField(read_only=True)

    class Meta:
        model = Run
        fields = ["id", "model", "dataset", "job", "state", "fingerprint", "prediction_count", "created_at"]


class PredictionSerializer(serializers.ModelSerializer[Prediction]):
    """``label`` is in the dataset's words; ``scores`` has one for each of the model's own labels."""

    scores = serializers.DictField(child=serializers.FloatField(), read_only=True)

    class Meta:
        model = Prediction
        fields = ["id", "run", "pair", "label", "scores", "created_at"]


class PendingPairSerializer(serializers.ModelSerializer[Pair]):
    """A pair without a prediction; ``reason`` is empty where no job has come to it yet."""

    premise = serializers.CharField(read_only=True)
    reason = serializers.CharField(read_only=True)

    class Meta:
        model = Pair
        fields = ["id", "premise", "hypothesis", "reason"]


class ShareSerializer(serializers.Serializer[Any]):
    """``right`` of ``total`` pairs; ``share`` is null of none."""

    right = serializers.IntegerField()
    total = serializers.IntegerField()
    share = serializers.FloatField(source="value", allow_null=True)


class VerdictSerializer(serializers.Serializer[Any]):
    code = serializers.ChoiceField(choices=[NO_BETTER, TURNED, HYPOTHESIS_ALONE, LEARNT_HERE])
    text = serializers.CharField()


class ScoreSerializer(serializers.Serializer[Any]):
    """A run measured against one reference (calculus, people, gold labels): over all the pairs that the
    reference labels, and by direction. ``verdicts`` say in words what must be known beside them:
    ``no-better`` than always saying one label, labels that look ``turned-round``, a model of the
    ``hypothesis-alone``."""

    key = serializers.CharField()
    title = serializers.CharField()
    overall = ShareSerializer()
    by_direction = serializers.DictField(child=ShareSerializer())
    verdicts = VerdictSerializer(many=True)


class UsageSerializer(serializers.Serializer[Any]):
    """What a chat model's run has used: its own requests alone, since answers that were there already cost
    nothing. ``estimated`` answers came without a count of their tokens, ``without_probabilities`` are labels
    without any. ``cost`` is null without prices, ``tokens_budget`` and ``cost_budget`` where there is no
    limit. ``answered_by`` are the names under which the server says that it answered."""

    answers = serializers.IntegerField()
    tokens_in = serializers.IntegerField()
    tokens_out = serializers.IntegerField()
    estimated = serializers.IntegerField()
    refused = serializers.IntegerField()
    unreadable = serializers.IntegerField()
    without_probabilities = serializers.IntegerField()
    cost = serializers.DecimalField(max_digits=20, decimal_places=6, allow_null=True)
    tokens_budget = serializers.IntegerField(allow_null=True)
    cost_budget = serializers.DecimalField(max_digits=20, decimal_places=6, allow_null=True)
    answered_by = serializers.ListField(child=serializers.CharField())


class FoldersSerializer(serializers.Serializer[Any]):
    folders = serializers.ListField(child=serializers.CharField())
    onnx_folders = serializers.ListField(child=serializers.CharField())
    missing_libraries = serializers.ListField(child=serializers.CharField())
