"""Answers that are kept, so that a request that is sent again is answered again and done once."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class KeptAnswer(models.Model):
    """What a POST with an Idempotency-Key was answered, stored in the transaction that did it.

    ``route`` is the method and path, ``digest`` the SHA-256 of what was sent, ``location`` the header of
    that name. What is shown only once is left out of ``body``.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    route = models.CharField(max_length=300)
    key = models.CharField(max_length=255)
    digest = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField()
    location = models.CharField(max_length=300, blank=True)
    body = models.TextField(blank=True)
    created_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "route", "key"], name="kept_answer_once")]

    def __str__(self) -> str:
        return f"{self.route} {self.key}"
