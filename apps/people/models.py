"""Invitations."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from apps.studies.models import Role


class Invitation(models.Model):
    """A link that lets one person in: into a study with a role, or (no study) as a founder of studies."""

    study = models.ForeignKey(
        "studies.Study", models.CASCADE, null=True, blank=True, related_name="invitations"
    )
    role = models.CharField(_("role"), max_length=20, blank=True)
    email = models.EmailField(_("e-mail address"), blank=True)
    token_digest = models.CharField(max_length=64, unique=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    accepted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    accepted_at = models.DateTimeField(null=True, blank=True)

    STUDY_PATH = "study"

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(study__isnull=True, role="")
                | models.Q(study__isnull=False, role__in=Role.values),
                name="invitation_role_with_study",
            )
        ]

    def __str__(self) -> str:
        return f"{self.email or '–'} ({self.role or 'founder'})"

    @property
    def is_open(self) -> bool:
        return self.accepted_at is None and self.expires_at > timezone.now()
