"""Bulk edits of pairs' tags, and what they changed."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class BulkEditAction(models.TextChoices):
    ADD = "add", _("add")
    REMOVE = "remove", _("take away")


class BulkEdit(models.Model):
    """One change of a tag on many pairs: those that ``filters`` (the pairs' page's) found, or that were
    ticked. ``matched`` counts them, ``changed`` those among them that were not so already."""

    Action = BulkEditAction

    dataset = models.ForeignKey("datasets.Dataset", models.CASCADE, related_name="bulk_edits")
    action = models.CharField(max_length=10, choices=Action.choices)
    tag = models.CharField(max_length=60)
    filters = models.JSONField(default=dict)
    ticked = models.JSONField(null=True)
    matched = models.PositiveIntegerField(default=0)
    changed = models.PositiveIntegerField(default=0)
    job = models.ForeignKey("jobs.Job", models.SET_NULL, null=True, related_name="+")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True)
    undo_job = models.ForeignKey("jobs.Job", models.SET_NULL, null=True, related_name="+")
    undone_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    undone_at = models.DateTimeField(null=True)

    STUDY_PATH = "dataset__study"

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(action__in=BulkEditAction.values), name="bulk_edit_action_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.action} {self.tag}"


class BulkChange(models.Model):
    """A pair that a bulk edit changed: the tag of this ``source`` was added to it, or taken away."""

    edit = models.ForeignKey(BulkEdit, models.CASCADE, related_name="changes")
    pair = models.ForeignKey("datasets.Pair", models.CASCADE, related_name="bulk_changes")
    source = models.CharField(max_length=60)

    STUDY_PATH = "edit__dataset__study"

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["edit", "pair", "source"], name="bulk_change_once"),
        ]

    def __str__(self) -> str:
        return f"{self.edit_id}: {self.pair_id}"
