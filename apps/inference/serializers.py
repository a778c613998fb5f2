"""Models, runs and predictions as JSON."""

from __future__ import annotations

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
