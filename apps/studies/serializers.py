"""Studies and their members as JSON."""

from __future__ import annotations

from rest_framework import serializers

from apps.api.bodies import Body
from apps.studies.models import Study


class StudySerializer(serializers.ModelSerializer[Study]):
    class Meta:
        model = Study
        fields = ["id", "slug", "name", "description", "created_at"]


class StudyCreateBody(Body):
    name = serializers.CharField(max_length=200)
    description = serializers.CharField(max_length=20_000, allow_blank=True, default="")
