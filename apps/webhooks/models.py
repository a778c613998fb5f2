"""What happened in a study that others want to hear of, who wants to, and how the telling went."""

from __future__ import annotations

import secrets

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


def new_message_id() -> str:
    return f"msg_{secrets.token_hex(12)}"


class Stopped(models.TextChoices):
    """Why the server itself switched an address off."""

    GONE = "gone", _("It answered that it is gone (410).")
    FAILING = "failing", _("It had taken nothing for days.")


# Sent by hand, to the one address that it tries.
TEST = "webhook.test"


class Webhook(models.Model):
    """An address that is told of a study's events.

    ``secret`` signs the deliveries; it is stored readable, as signing needs it, and shown once. After a
    change both secrets sign until ``previous_until``. ``server`` is this server's own address as whoever
    registered the webhook knows it; the addresses in a delivery begin with it. ``failing_since`` is when
    the first of the failures came that no success has followed; ``disabled_reason`` is empty where a person
    switched it off. ``claim`` and ``claimed_until`` are the worker that delivers at present: one at a time.
    """

    study = models.ForeignKey("studies.Study", models.CASCADE, related_name="webhooks")
    address = models.CharField(_("address"), max_length=500)
    events = models.JSONField(_("events"), default=list)
    secret = models.CharField(max_length=100)
    previous_secret = models.CharField(max_length=100, blank=True)
    previous_until = models.DateTimeField(null=True, blank=True)
    server = models.CharField(max_length=300)
    failing_since = models.DateTimeField(null=True, blank=True)
    disabled_at = models.DateTimeField(null=True, blank=True)
    disabled_reason = models.CharField(max_length=200, choices=Stopped.choices, blank=True)
    claim = models.CharField(max_length=32, blank=True)
    claimed_until = models.DateTimeField(null=True, blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    STUDY_PATH = "study"

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["study", "address"], name="webhook_address_once")]

    def __str__(self) -> str:
        return self.address


class Event(models.Model):
    """Something that happened, written in the transaction that made it so.

    ``key`` keeps what is noticed afterwards (a campaign's end) from being told twice. ``is_dealt`` says
    that the deliveries are made.
    """

    study = models.ForeignKey("studies.Study", models.CASCADE, related_name="webhook_events")
    message_id = models.CharField(max_length=40, unique=True, default=new_message_id)
    type = models.CharField(max_length=40)
    data = models.JSONField(default=dict)
    key = models.CharField(max_length=100, null=True, blank=True)  # without one (NULL) never a double
    at = models.DateTimeField()
    is_dealt = models.BooleanField(default=False)

    STUDY_PATH = "study"

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["id"], condition=models.Q(is_dealt=False), name="webhook_event_new"),
            models.Index(fields=["at"], name="webhook_event_at"),
        ]
        constraints = [models.UniqueConstraint(fields=["study", "key"], name="webhook_event_key_once")]

    def __str__(self) -> str:
        return f"{self.type} {self.message_id}"


class DeliveryState(models.TextChoices):
    WAITING = "waiting", _("waiting")
    DELIVERED = "delivered", _("delivered")
    GIVEN_UP = "given-up", _("given up")


class Delivery(models.Model):
    """One event for one address: how often it was tried, and what came back the last time."""

    State = DeliveryState

    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="deliveries")
    event = models.ForeignKey(Event, models.CASCADE, related_name="deliveries")
    state = models.CharField(max_length=20, choices=State.choices, default=State.WAITING)
    attempts = models.PositiveIntegerField(default=0)
    next_at = models.DateTimeField()
    tried_at = models.DateTimeField(null=True, blank=True)
    status = models.PositiveIntegerField(null=True, blank=True)
    error = models.CharField(max_length=200, blank=True)
    answer = models.TextField(blank=True, max_length=1024)

    STUDY_PATH = "webhook__study"

    class Meta:
        ordering = ["-id"]
        verbose_name_plural = "deliveries"
        indexes = [
            models.Index(
                fields=["webhook", "next_at"],
                condition=models.Q(state="waiting"),
                name="delivery_waiting",
            ),
            models.Index(fields=["webhook", "-id"], name="delivery_of_webhook"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["webhook", "event"], name="delivery_once"),
            models.CheckConstraint(
                condition=models.Q(state__in=DeliveryState.values),
                name="delivery_state_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event} → {self.webhook}"
