"""Studies, who belongs to them, and the trail of what was done in them."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Study(models.Model):
    """A research project: the scope of every lookup.

    ``told_events`` are the kinds of events that some webhook of the study wants to hear of. A ``hidden``
    study has no members, so nobody sees what is in it: rows on their way into another study lie there until
    all of them are there.
    """

    name = models.CharField(_("name"), max_length=200)
    slug = models.SlugField(_("address"), max_length=60, unique=True)
    description = models.TextField(_("description"), blank=True)
    told_events = models.JSONField(default=list, editable=False)
    hidden = models.BooleanField(default=False, editable=False)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    archived_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["name"]
        verbose_name = _("study")
        verbose_name_plural = _("studies")

    def __str__(self) -> str:
        return self.name


class Role(models.TextChoices):
    ANNOTATOR = "annotator", _("annotator")
    RESEARCHER = "researcher", _("researcher")
    ADMIN = "admin", _("admin")


class Membership(models.Model):
    """One role of one person in one study; a person may hold several."""

    study = models.ForeignKey(Study, models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships")
    role = models.CharField(_("role"), max_length=20, choices=Role.choices)
    created_at = models.DateTimeField(auto_now_add=True)

    STUDY_PATH = "study"

    class Meta:
        ordering = ["user__email", "role"]
        constraints = [
            models.UniqueConstraint(fields=["study", "user", "role"], name="membership_once"),
            models.CheckConstraint(condition=models.Q(role__in=Role.values), name="membership_role_known"),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.role}"


class Participant(models.Model):
    """Whoever judges in a study: a member, a panel's person without an account, or a simulation.

    Judgements point here, never at a user. Erasing a participant empties what identifies the
    person and leaves the pseudonym, so the judgements stay.
    """

    study = models.ForeignKey(Study, models.CASCADE, related_name="participants")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="participants"
    )
    panel = models.CharField(_("panel"), max_length=40, blank=True)
    external_id = models.CharField(_("identifier at the panel"), max_length=200, blank=True)
    pseudonym = models.CharField(_("pseudonym"), max_length=40)
    simulated = models.BooleanField(_("simulated"), default=False)
    blocked_at = models.DateTimeField(null=True, blank=True)
    erased_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    STUDY_PATH = "study"

    class Meta:
        ordering = ["pseudonym"]
        constraints = [
            models.UniqueConstraint(fields=["study", "pseudonym"], name="participant_pseudonym_once"),
            models.UniqueConstraint(
                fields=["study", "user"], condition=models.Q(user__isnull=False), name="participant_user_once"
            ),
            models.UniqueConstraint(
                fields=["study", "panel", "external_id"],
                condition=~models.Q(external_id=""),
                name="participant_external_once",
            ),
        ]

    def __str__(self) -> str:
        return self.pseudonym


class AuditEvent(models.Model):
    """Who did what to which thing, when. Rows are added, never changed."""

    study = models.ForeignKey(Study, models.CASCADE, null=True, blank=True, related_name="audit_events")
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    participant = models.ForeignKey(Participant, models.SET_NULL, null=True, related_name="+")
    action = models.CharField(max_length=60)
    object_type = models.CharField(max_length=60, blank=True)
    object_id = models.BigIntegerField(null=True)
    data = models.JSONField(default=dict)
    at = models.DateTimeField(auto_now_add=True)

    STUDY_PATH = "study"

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["study", "-id"], name="audit_by_study")]

    def __str__(self) -> str:
        return f"{self.action} {self.object_type} {self.object_id or ''}".strip()
