"""What was found odd in written answers."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.campaigns.models import Judgement


class AnswerCheck(models.Model):
    """That a revision of a creation answer was checked by the calculus; ``failure`` says why not."""

    judgement = models.OneToOneField(Judgement, models.CASCADE, related_name="check_done")
    revision = models.PositiveIntegerField()
    failure = models.CharField(max_length=500, blank=True)
    checked_at = models.DateTimeField()

    STUDY_PATH = "judgement__item__campaign__study"

    def __str__(self) -> str:
        return f"check of {self.judgement_id}"


class FlagSource(models.TextChoices):
    TEXT = "text", _("text")
    CALCULUS = "calculus", _("calculus")


class Flag(models.Model):
    """Something odd about one replacement of a creation answer's present revision."""

    Source = FlagSource

    judgement = models.ForeignKey(Judgement, models.CASCADE, related_name="flags")
    position = models.PositiveIntegerField()
    code = models.CharField(max_length=40)
    message = models.TextField()
    source = models.CharField(max_length=10, choices=Source.choices)
    was_told = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    STUDY_PATH = "judgement__item__campaign__study"

    class Meta:
        ordering = ["judgement", "position", "code"]
        constraints = [
            models.UniqueConstraint(fields=["judgement", "position", "code"], name="flag_once"),
            models.CheckConstraint(
                condition=models.Q(source__in=FlagSource.values), name="flag_source_known"
            ),
        ]

    def __str__(self) -> str:
        return self.code
