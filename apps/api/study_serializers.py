"""Studies and their trail as JSON."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.api.bodies import Body
from apps.studies.models import AuditEvent, Study


class StudySerializer(serializers.ModelSerializer[Study]):
    class Meta:
        model = Study
        fields = ["id", "slug", "name", "description", "archived_at", "created_at"]


class StudyCreateBody(Body):
    name = serializers.CharField(max_length=200)
    description = serializers.CharField(max_length=20_000, allow_blank=True, default="")


class ArchiveBody(Body):
    archived = serializers.BooleanField(default=True, help_text="False: out of the archive.")


class EventSerializer(serializers.ModelSerializer[AuditEvent]):
    """``actor`` is the name of whoever did it, or ``annotator`` their pseudonym."""

    study = serializers.SlugField(source="study.slug", read_only=True)
    actor = serializers.SerializerMethodField()
    annotator = serializers.SerializerMethodField()

    class Meta:
        model = AuditEvent
        fields = ["id", "study", "action", "object_type", "object_id", "actor", "annotator", "data", "at"]

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_actor(self, event: AuditEvent) -> str | None:
        return str(event.actor) if event.actor else None

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_annotator(self, event: AuditEvent) -> str | None:
        return event.participant.pseudonym if event.participant else None
