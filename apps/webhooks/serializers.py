"""Webhooks and their deliveries as JSON."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from apps.api.bodies import Body, StudyBody
from apps.webhooks.events import EventType
from apps.webhooks.models import Delivery, Webhook


class WebhookSerializer(serializers.ModelSerializer[Webhook]):
    """``failing_since`` is when the failures began that no success has followed; ``disabled_at``, since when
    it is told nothing; ``disabled_reason``, why the server itself switched it off."""

    study = serializers.SlugField(source="study.slug", read_only=True)
    events = serializers.ListField(child=serializers.ChoiceField(EventType.choices), read_only=True)

    class Meta:
        model = Webhook
        fields = [
            "id", "study", "address", "events", "failing_since", "disabled_at", "disabled_reason",
            "created_at",
        ]  # fmt: skip


class NewWebhookSerializer(WebhookSerializer):
    """``secret`` signs the deliveries. It is in this answer only."""

    secret = serializers.CharField(allow_null=True, read_only=True)

    class Meta(WebhookSerializer.Meta):
        fields = [*WebhookSerializer.Meta.fields, "secret"]


class DeliverySerializer(serializers.ModelSerializer[Delivery]):
    """``status`` and ``answer`` (its first 1,024 bytes) are what came back the last time, ``error`` why
    nothing did; ``next_at`` is the next try's time while it waits."""

    message_id = serializers.CharField(source="event.message_id", read_only=True)
    type = serializers.CharField(source="event.type", read_only=True)
    at = serializers.DateTimeField(source="event.at", read_only=True, help_text=_("When it happened."))

    class Meta:
        model = Delivery
        fields = [
            "id", "webhook", "message_id", "type", "at", "state", "attempts", "tried_at", "next_at", "status",
            "error", "answer",
        ]  # fmt: skip


class EventsBody(Body):
    events = serializers.ListField(
        child=serializers.ChoiceField(EventType.choices),
        min_length=1,
        max_length=len(EventType),
        help_text=_("What it is told of."),
    )


class WebhookBody(StudyBody, EventsBody):
    address = serializers.CharField(
        max_length=500, help_text=_("https, at a host that the server may speak to.")
    )
