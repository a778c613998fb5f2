"""Campaigns: items, leases, judgements, and what annotators wrote."""

from __future__ import annotations

from django.conf import settings
from django.core.validators import MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _


class Campaign(models.Model):
    """One task given to annotators over a set of items, with its rules."""

    class Task(models.TextChoices):
        CREATION = "creation", _("hypothesis creation")
        VALIDATION = "validation", _("validation")

    class State(models.TextChoices):
        DRAFT = "draft", _("draft")
        OPEN = "open", _("open")
        PAUSED = "paused", _("paused")
        CLOSED = "closed", _("closed")

    study = models.ForeignKey("studies.Study", models.CASCADE, related_name="campaigns")
    name = models.CharField(_("name"), max_length=200)
    task = models.CharField(_("task"), max_length=20, choices=Task.choices)
    state = models.CharField(max_length=20, choices=State.choices, default=State.DRAFT)
    # Creation: the blanks to rewrite, and the dataset that the new pairs go to.
    # Validation: the dataset whose pairs are judged.
    blank_set = models.ForeignKey(
        "corpora.BlankSet", models.PROTECT, null=True, blank=True, related_name="campaigns"
    )
    dataset = models.ForeignKey("datasets.Dataset", models.PROTECT, related_name="campaigns")
    target = models.PositiveIntegerField(
        _("annotators an item"), default=3, validators=[MinValueValidator(1)]
    )
    replacements = models.PositiveIntegerField(
        _("replacements a set"), default=3, validators=[MinValueValidator(1)]
    )
    minimum_seconds = models.PositiveIntegerField(
        _("minimum seconds"), default=0, help_text=_("Answers sent sooner are refused with the seconds left.")
    )
    lease_minutes = models.PositiveIntegerField(
        _("minutes a lease"), default=30, validators=[MinValueValidator(1)]
    )
    seed = models.PositiveIntegerField(default=0)
    is_pilot = models.BooleanField(default=False)
    simulated = models.BooleanField(default=False)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    STUDY_PATH = "study"

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["study", "name"], name="campaign_name_once"),
            models.CheckConstraint(
                condition=models.Q(task="creation", blank_set__isnull=False)
                | models.Q(task="validation", blank_set__isnull=True),
                name="campaign_task_has_its_items",
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=["draft", "open", "paused", "closed"]),
                name="campaign_state_known",
            ),
            models.CheckConstraint(condition=models.Q(target__gte=1), name="campaign_target_positive"),
        ]

    def __str__(self) -> str:
        return self.name


class Guideline(models.Model):
    """One version of a campaign's instructions (plain text with blank-line paragraphs)."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="guidelines")
    version = models.PositiveIntegerField()
    body = models.TextField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    STUDY_PATH = "campaign__study"

    class Meta:
        ordering = ["campaign", "-version"]
        constraints = [models.UniqueConstraint(fields=["campaign", "version"], name="guideline_version_once")]

    def __str__(self) -> str:
        return f"{self.campaign} v{self.version}"


class Item(models.Model):
    """A blank to rewrite or a pair to judge. ``counted`` is the number of answers that count."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="items")
    blank = models.ForeignKey("corpora.Blank", models.PROTECT, null=True, blank=True, related_name="items")
    pair = models.ForeignKey("datasets.Pair", models.PROTECT, null=True, blank=True, related_name="items")
    position = models.PositiveIntegerField()
    counted = models.PositiveIntegerField(default=0)
    is_complete = models.BooleanField(default=False)

    STUDY_PATH = "campaign__study"

    class Meta:
        ordering = ["campaign", "position"]
        indexes = [models.Index(fields=["campaign", "is_complete", "position"], name="item_open_in_order")]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(blank__isnull=False, pair__isnull=True)
                | models.Q(blank__isnull=True, pair__isnull=False),
                name="item_is_blank_or_pair",
            ),
            models.UniqueConstraint(fields=["campaign", "blank"], name="item_blank_once"),
            models.UniqueConstraint(fields=["campaign", "pair"], name="item_pair_once"),
        ]

    def __str__(self) -> str:
        return f"item {self.position}"


class Assignment(models.Model):
    """One slot of one item, leased to one participant until ``expires_at`` (the database's clock)."""

    class State(models.TextChoices):
        LEASED = "leased", _("leased")
        SUBMITTED = "submitted", _("submitted")
        EXPIRED = "expired", _("expired")
        RELEASED = "released", _("released")

    item = models.ForeignKey(Item, models.CASCADE, related_name="assignments")
    participant = models.ForeignKey("studies.Participant", models.PROTECT, related_name="assignments")
    state = models.CharField(max_length=20, choices=State.choices, default=State.LEASED)
    leased_at = models.DateTimeField()
    shown_at = models.DateTimeField()
    expires_at = models.DateTimeField()

    STUDY_PATH = "item__campaign__study"

    class Meta:
        indexes = [
            models.Index(fields=["state", "expires_at"], name="assignment_expiry"),
            models.Index(fields=["participant", "state"], name="assignment_of_participant"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["item", "participant"], name="assignment_once"),
            models.CheckConstraint(
                condition=models.Q(state__in=["leased", "submitted", "expired", "released"]),
                name="assignment_state_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.participant} × {self.item}"


class Judgement(models.Model):
    """What an annotator submitted. The row holds the current value; every earlier one is a revision.

    ``answer`` is one of the dataset's labels or ``unnatural`` (validation); a creation answer has
    rows of :class:`Replacement`; a skip has ``skip_reason``. ``counted`` is false for a surplus
    answer: it came late, is kept and paid, and does not enter the item's target.
    """

    class SkipReason(models.TextChoices):
        TOO_GENERAL = "too-general", _("The underlined part is too general to make more specific")
        UNCLEAR = "unclear", _("I don't understand the sentence")
        BROKEN = "broken", _("The sentence or the underlined part is broken")
        OTHER = "other", _("Another reason")

    assignment = models.OneToOneField(Assignment, models.PROTECT, related_name="judgement")
    item = models.ForeignKey(Item, models.PROTECT, related_name="judgements")
    participant = models.ForeignKey("studies.Participant", models.PROTECT, related_name="judgements")
    guideline = models.ForeignKey(Guideline, models.PROTECT, related_name="judgements")
    answer = models.CharField(max_length=40, blank=True)
    rating = models.PositiveSmallIntegerField(null=True, blank=True)
    skip_reason = models.CharField(max_length=20, blank=True, choices=SkipReason.choices)
    note = models.TextField(_("note"), blank=True)
    counted = models.BooleanField(default=True)
    seconds = models.FloatField()
    revision = models.PositiveIntegerField(default=1)
    submitted_at = models.DateTimeField()
    revised_at = models.DateTimeField(null=True, blank=True)

    STUDY_PATH = "item__campaign__study"

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["item", "counted"], name="judgement_of_item")]
        constraints = [
            models.UniqueConstraint(fields=["item", "participant"], name="judgement_once"),
            models.CheckConstraint(condition=models.Q(seconds__gte=0), name="judgement_seconds_positive"),
        ]

    def __str__(self) -> str:
        return self.answer or self.skip_reason or "replacements"


class JudgementRevision(models.Model):
    """A value that a judgement had, by number (1 is the first submitted)."""

    judgement = models.ForeignKey(Judgement, models.CASCADE, related_name="revisions")
    number = models.PositiveIntegerField()
    value = models.JSONField()
    guideline = models.ForeignKey(Guideline, models.PROTECT, related_name="+")
    at = models.DateTimeField()

    STUDY_PATH = "judgement__item__campaign__study"

    class Meta:
        ordering = ["judgement", "number"]
        constraints = [models.UniqueConstraint(fields=["judgement", "number"], name="revision_once")]


class Replacement(models.Model):
    """One of the more specific phrases of a creation answer, and the pair it made."""

    judgement = models.ForeignKey(Judgement, models.CASCADE, related_name="replacements")
    position = models.PositiveIntegerField()
    text = models.TextField()
    hypothesis = models.TextField()
    pair = models.ForeignKey("datasets.Pair", models.PROTECT, related_name="replacements")

    STUDY_PATH = "judgement__item__campaign__study"

    class Meta:
        ordering = ["judgement", "position"]
        constraints = [
            models.UniqueConstraint(fields=["judgement", "position"], name="replacement_position_once"),
            models.UniqueConstraint(fields=["judgement", "pair"], name="replacement_pair_once"),
        ]

    def __str__(self) -> str:
        return self.text
