"""Numbers that were counted, each with the time that it was counted at; and how often rows changed."""

from __future__ import annotations

from datetime import timedelta

from django.db import models
from django.utils import timezone


class Change(models.Model):
    """So many rows (``number``) of a table (``topic``, a model's label) were written or deleted in a study.

    Triggers add these rows (:mod:`apps.tallies.changes`): one a statement on PostgreSQL, so that answers that
    are stored at the same time wait for nothing; the sweeper folds them. What is read is the sum.
    """

    study = models.ForeignKey("studies.Study", models.CASCADE, related_name="+", db_constraint=False)
    topic = models.CharField(max_length=60)
    number = models.PositiveBigIntegerField()

    STUDY_PATH = "study"

    class Meta:
        indexes = [models.Index(fields=["study", "topic"], name="change_by_topic")]

    def __str__(self) -> str:
        return f"{self.topic} × {self.number}"


class KeptTally(models.Model):
    """What a counting (``name``, with ``arguments``) came to. ``stamp`` says which rows it has read: as long
    as it is the present one, the value stands. ``seconds`` is what it took."""

    study = models.ForeignKey("studies.Study", models.CASCADE, related_name="tallies")
    name = models.CharField(max_length=60)
    arguments = models.JSONField(default=dict)
    # SHA-256 of the arguments, since JSON has no order to be unique by.
    digest = models.CharField(max_length=64)
    value = models.JSONField(null=True)
    stamp = models.TextField(blank=True)
    # None: it has never been counted.
    as_of = models.DateTimeField(null=True, blank=True)
    seconds = models.FloatField(default=0)
    viewed_at = models.DateTimeField(default=timezone.now)
    job = models.ForeignKey("jobs.Job", models.SET_NULL, null=True, related_name="+")
    # When it was counted again from the same rows and came to something else.
    differed_at = models.DateTimeField(null=True, blank=True)

    STUDY_PATH = "study"

    class Meta:
        constraints = [models.UniqueConstraint(fields=["study", "name", "digest"], name="kept_tally_once")]
        indexes = [models.Index(fields=["viewed_at"], name="kept_tally_by_view")]

    def __str__(self) -> str:
        return self.name

    @property
    def age(self) -> timedelta:
        """Since when answers may be missing in it."""
        return timezone.now() - self.as_of if self.as_of else timedelta.max
