"""Estimates of people's reliability."""

from __future__ import annotations

from django.db import models

from apps.campaigns.models import Campaign


class ReliabilityMethod(models.TextChoices):
    DAWID_SKENE = "dawid-skene", "Dawid–Skene"
    MACE = "mace", "MACE"


class Reliability(models.Model):
    """An estimate of how far somebody's answers in a campaign can be relied on.

    ``value`` is in [0, 1]: for Dawid–Skene the probability of a right answer, for MACE the competence
    (of not guessing). None where it is undefined, with the reason.
    """

    Method = ReliabilityMethod

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="reliabilities")
    participant = models.ForeignKey("studies.Participant", models.CASCADE, related_name="reliabilities")
    method = models.CharField(max_length=20, choices=Method.choices)
    value = models.FloatField(null=True)
    reason = models.CharField(max_length=200, blank=True)
    answers = models.PositiveIntegerField(default=0)
    detail = models.JSONField(default=dict)
    computed_at = models.DateTimeField()

    STUDY_PATH = "campaign__study"

    class Meta:
        verbose_name_plural = "reliabilities"
        constraints = [
            models.UniqueConstraint(fields=["campaign", "participant", "method"], name="reliability_once"),
            models.CheckConstraint(
                condition=models.Q(method__in=ReliabilityMethod.values), name="reliability_method_known"
            ),
            models.CheckConstraint(
                condition=models.Q(value__isnull=True) | models.Q(value__gte=0, value__lte=1),
                name="reliability_is_a_share",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.method} {self.value}"
