"""Studies and their trail as JSON."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.api.bodies import Body
from apps.studies.glance import Glance
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


class GlanceNextSerializer(serializers.Serializer[Any]):
    """``url`` is a page; "" where it is to wait. ``where`` names the campaign or dataset, if it is one's."""

    text = serializers.CharField(source="said")
    url = serializers.CharField(allow_blank=True)
    where = serializers.CharField(allow_blank=True)


class GlanceCampaignSerializer(serializers.Serializer[Any]):
    """``answers`` are those that count, ``wanted`` those still missing, ``rate`` answers a day lately (null:
    none), ``ends_at`` when it has all at that rate; null says ``why``."""

    id = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    state = serializers.CharField()
    simulated = serializers.BooleanField()
    items = serializers.IntegerField()
    complete = serializers.IntegerField()
    answers = serializers.IntegerField()
    wanted = serializers.IntegerField()
    rate = serializers.FloatField(allow_null=True)
    ends_at = serializers.DateTimeField(allow_null=True)
    why = serializers.CharField(allow_blank=True)


class GlanceDaySerializer(serializers.Serializer[Any]):
    day = serializers.DateField()
    answers = serializers.IntegerField()


class GlanceMoneySerializer(serializers.Serializer[Any]):
    """In hundredths of the currency: in no payout yet, in payouts that aren't paid, paid."""

    currency = serializers.CharField()
    owed = serializers.IntegerField()
    waiting = serializers.IntegerField()
    paid = serializers.IntegerField()


class GlanceProblemSerializer(serializers.Serializer[Any]):
    """``count`` things of the kind ``code``, at the page ``url``."""

    code = serializers.CharField()
    count = serializers.IntegerField()
    text = serializers.CharField(source="said")
    value = serializers.CharField(allow_blank=True, help_text="A measure, where it is no count.")
    where = serializers.CharField(allow_blank=True)
    url = serializers.CharField()


class GlanceSerializer(serializers.Serializer[Any]):
    """``per_day`` has the answers that count of each of the last 30 days (UTC), the last today."""

    next = GlanceNextSerializer()
    campaigns = GlanceCampaignSerializer(many=True)
    per_day = serializers.SerializerMethodField()
    money = GlanceMoneySerializer(many=True)
    problems = GlanceProblemSerializer(many=True)
    as_of = serializers.DateTimeField(
        allow_null=True, help_text=gettext_lazy("No number here is older; null: none was counted.")
    )

    @extend_schema_field(GlanceDaySerializer(many=True))
    def get_per_day(self, found: Glance) -> list[dict[str, Any]]:
        return [{"day": day.isoformat(), "answers": n} for day, n in found.per_day]


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
