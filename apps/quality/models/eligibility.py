"""Who may work: lists, what people say of themselves, and who was not let in."""

from __future__ import annotations

from django.core.validators import MaxValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.campaigns.models import Campaign


class AllowedPerson(models.Model):
    """Somebody who may work where a campaign uses its list: by pseudonym, e-mail address or panel id."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="allowed_people")
    name = models.CharField(max_length=254)

    STUDY_PATH = "campaign__study"

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["campaign", "name"], name="allowed_person_once")]

    def __str__(self) -> str:
        return self.name


class Declaration(models.Model):
    """What a participant said of themselves, once for the whole study, or what their panel told.

    Who slipped may correct it once: ``before`` is then what they had said first, by field.
    """

    participant = models.OneToOneField("studies.Participant", models.CASCADE, related_name="declaration")
    language = models.CharField(_("native language"), max_length=10, blank=True)
    country = models.CharField(_("country"), max_length=2, blank=True)
    approved_tasks = models.PositiveIntegerField(_("approved tasks"), null=True, blank=True)
    approval_rate = models.PositiveSmallIntegerField(
        _("approval rate in %"), null=True, blank=True, validators=[MaxValueValidator(100)]
    )
    numbers_from_panel = models.BooleanField(default=False)
    declared_at = models.DateTimeField(null=True, blank=True)
    corrected_at = models.DateTimeField(null=True, blank=True)
    before = models.JSONField(default=dict, blank=True)

    STUDY_PATH = "participant__study"

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(approval_rate__isnull=True) | models.Q(approval_rate__lte=100),
                name="declaration_rate_is_percent",
            )
        ]

    def __str__(self) -> str:
        return f"{self.language} {self.country}".strip()


class RefusalBy(models.TextChoices):
    LANGUAGE = "language", _("native language")
    COUNTRY = "country", _("country")
    APPROVED_TASKS = "approved-tasks", _("approved tasks")
    APPROVAL_RATE = "approval-rate", _("approval rate")
    LIST = "list", _("not on the list")
    MEMBERS = "members", _("not from the panel")
    QUIZ = "quiz", _("quiz not passed")


class Refusal(models.Model):
    """That somebody came for work and was not let in, by what, and what they had said then.

    One row for a person, campaign and reason; whether it holds today follows from the settings and from
    what they say now.
    """

    By = RefusalBy

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="refusals")
    participant = models.ForeignKey("studies.Participant", models.CASCADE, related_name="refusals")
    by = models.CharField(max_length=20, choices=By.choices)
    said = models.CharField(max_length=20, blank=True)
    at = models.DateTimeField()

    STUDY_PATH = "campaign__study"

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "participant", "by"], name="refusal_once"),
            models.CheckConstraint(
                condition=models.Q(
                    by__in=RefusalBy.values
                ),
                name="refusal_reason_known",
            ),
        ]  # fmt: skip

    def __str__(self) -> str:
        return f"{self.by} {self.said}".strip()
