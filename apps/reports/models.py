"""A report on a dataset or a release, as a row."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class BalanceReportLabels(models.TextChoices):
    FILE = "file", _("the file's")
    HUMAN = "human", _("the majority of people")
    CALCULUS = "calculus", _("the calculus'")
    RELEASE = "release", _("the release's gold labels")


class BalanceReport(models.Model):
    """How balanced a dataset (or the splits of a release) is, and what gives its labels away.

    ``labels`` says whose label a pair has here; a release brings its own. ``other`` is the dataset that
    vocabulary and near-duplicates are compared with. ``facts`` are filled section by section.
    """

    Labels = BalanceReportLabels

    dataset = models.ForeignKey("datasets.Dataset", models.CASCADE, related_name="balance_reports")
    release = models.ForeignKey(
        "releases.Release", models.CASCADE, null=True, blank=True, related_name="balance_reports"
    )
    other = models.ForeignKey("datasets.Dataset", models.SET_NULL, null=True, blank=True, related_name="+")
    other_name = models.CharField(max_length=200, blank=True)
    labels = models.CharField(max_length=20, choices=Labels.choices)
    # The campaigns whose answers are people's labels here, by number; empty with other labels.
    campaigns = models.JSONField(default=list)
    seed = models.PositiveIntegerField(default=1)
    facts = models.JSONField(default=dict)
    job = models.ForeignKey("jobs.Job", models.SET_NULL, null=True, related_name="+")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True)

    STUDY_PATH = "dataset__study"

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(labels__in=BalanceReportLabels.values),
                name="balance_report_labels_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.dataset} ({self.created_at:%Y-%m-%d})"
