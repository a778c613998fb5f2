"""Jobs and what they could not do, as JSON."""

from __future__ import annotations

from rest_framework import serializers

from apps.jobs.models import Job, JobFailure


class JobSerializer(serializers.ModelSerializer[Job]):
    """``done`` of ``total`` items, ``percent`` in all; ``error`` says why a job waits or failed. The lowest
    ``urgency`` comes first; ``singly`` items are done one at a time, since a chunk took too long.
    ``seconds_left`` is a guess by the speed so far. A worker may have the ``queue`` of models alone."""

    study = serializers.SlugField(source="study.slug", read_only=True)
    percent = serializers.IntegerField(read_only=True)
    is_over = serializers.BooleanField(read_only=True)
    is_stalled = serializers.BooleanField(read_only=True)
    seconds_left = serializers.IntegerField(read_only=True, allow_null=True)

    class Meta:
        model = Job
        fields = [
            "id", "study", "kind", "title", "state", "done", "total", "percent", "failed", "is_over",
            "is_stalled", "seconds_left", "queue", "urgency", "singly", "error", "result", "created_at",
            "started_at", "finished_at",
        ]  # fmt: skip


class JobFailureSerializer(serializers.ModelSerializer[JobFailure]):
    class Meta:
        model = JobFailure
        fields = ["id", "item", "text", "message"]
