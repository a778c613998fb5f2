"""Models, runs and predictions as JSON."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from apps.inference.models import Model, Prediction, Run


class ModelSerializer(serializers.ModelSerializer[Model]):
    """``config`` is what the runtime needs, ``fingerprint`` the SHA-256 of the weights."""

    study = serializers.SlugField(source="study.slug", read_only=True)

    class Meta:
        model = Model
        fields = ["id", "study", "name", "kind", "config", "fingerprint", "created_at"]


class RunSerializer(serializers.ModelSerializer[Run]):
    state = serializers.CharField(source="job.state", read_only=True, default=None)
    prediction_count = serializers.IntegerField(read_only=True)

    class Meta:
        model = Run
        fields = ["id", "model", "dataset", "job", "state", "fingerprint", "prediction_count", "created_at"]


class PredictionSerializer(serializers.ModelSerializer[Prediction]):
    """``label`` is in the dataset's words; ``scores`` has one for each of the model's own labels."""

    scores = serializers.DictField(child=serializers.FloatField(), read_only=True)

    class Meta:
        model = Prediction
        fields = ["id", "run", "pair", "label", "scores"]


class ShareSerializer(serializers.Serializer[Any]):
    """``right`` of ``total`` pairs; ``share`` is null of none."""

    right = serializers.IntegerField()
    total = serializers.IntegerField()
    share = serializers.FloatField(source="value", allow_null=True)


class ScoreSerializer(serializers.Serializer[Any]):
    """A run measured against one reference (calculus, people, gold labels): over all the pairs that the
    reference labels, and by direction."""

    key = serializers.CharField()
    title = serializers.CharField()
    overall = ShareSerializer()
    by_direction = serializers.DictField(child=ShareSerializer())


class FoldersSerializer(serializers.Serializer[Any]):
    folders = serializers.ListField(child=serializers.CharField())
    missing_libraries = serializers.ListField(child=serializers.CharField())
