"""Judgements with their revisions, what annotators wrote, and what a model says of it."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.campaigns.models.assignment import Assignment, Item
from apps.campaigns.models.campaign import Guideline


class Judgement(models.Model):
    """What an annotator submitted. The row holds the current value; every earlier one is a revision.

    ``answer`` is one of the dataset's labels or ``unnatural`` (validation); on the Likert scale it is
    the label that the ``rating`` (1 to 5) comes to, or ``unnatural`` where the box ``nonsense`` was
    ticked; a creation answer has rows of :class:`Replacement`; a skip has ``skip_reason``. ``counted``
    is false for a surplus answer: it came late, is kept and paid, and does not enter the item's target.
    ``predictions_shown`` says whether the annotator was shown a model's predictions in this campaign
    when it was sent, ``tries`` how often they tried again after one. ``could_see_labels``: whoever sent it
    researched in the study, where the calculus' and others' labels can be looked at; it never counts.
    ``read_in`` is the language of the instructions beside it, "" where they were a researcher's own text.
    ``seconds`` are of work; ``idle_seconds`` those from the showing to the sending in which nobody was at it.
    """

    class SkipReason(models.TextChoices):
        TOO_GENERAL = "too-general", _("The underlined part is too general to make more specific")
        UNCLEAR = "unclear", _("I don't understand the sentence")
        BROKEN = "broken", _("The sentence or the underlined part is broken")
        OTHER = "other", _("Another reason")

    assignment = models.OneToOneField(Assignment, models.PROTECT, related_name="judgement")
    item = models.ForeignKey(Item, models.PROTECT, related_name="judgements", db_index=False)
    participant = models.ForeignKey("studies.Participant", models.PROTECT, related_name="judgements")
    # Without an index of its own: the one in the order of time begins with it.
    guideline = models.ForeignKey(Guideline, models.PROTECT, related_name="judgements", db_index=False)
    answer = models.CharField(max_length=40, blank=True)
    rating = models.PositiveSmallIntegerField(null=True, blank=True)
    nonsense = models.BooleanField(default=False)
    skip_reason = models.CharField(max_length=20, blank=True, choices=SkipReason.choices)
    note = models.TextField(_("note"), blank=True)
    counted = models.BooleanField(default=True)
    predictions_shown = models.BooleanField(default=False)
    tries = models.PositiveIntegerField(default=0)
    could_see_labels = models.BooleanField(default=False)
    read_in = models.CharField(max_length=10, blank=True)
    seconds = models.FloatField()
    idle_seconds = models.FloatField(default=0)
    revision = models.PositiveIntegerField(default=1)
    submitted_at = models.DateTimeField()
    revised_at = models.DateTimeField(null=True, blank=True)

    STUDY_PATH = "item__campaign__study"

    class Meta:
        ordering = ["id"]
        indexes = [
            models.Index(fields=["item", "counted"], name="judgement_of_item"),
            # A campaign's answers by day, without a look at the rows: its guidelines are a few.
            models.Index(fields=["guideline", "submitted_at", "counted"], name="judgement_in_time"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["item", "participant"], name="judgement_once"),
            models.CheckConstraint(condition=models.Q(seconds__gte=0), name="judgement_seconds_positive"),
            models.CheckConstraint(condition=models.Q(idle_seconds__gte=0), name="judgement_idle_positive"),
            models.CheckConstraint(
                condition=models.Q(rating__isnull=True) | models.Q(rating__gte=1, rating__lte=5),
                name="judgement_rating_on_the_scale",
            ),
            models.CheckConstraint(
                condition=models.Q(nonsense=False) | models.Q(answer="unnatural"),
                name="judgement_nonsense_is_unnatural",
            ),
            models.CheckConstraint(
                condition=models.Q(could_see_labels=False) | models.Q(counted=False),
                name="judgement_counts_without_labels",
            ),
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


class ModelReply(models.Model):
    """What the campaign's model says about one revision of a creation answer (the model in the loop).

    ``predictions`` has, for each replacement by its position, the label predicted, the label expected
    of the place's direction, and whether the model was fooled. Empty until the job has run.
    """

    judgement = models.ForeignKey(Judgement, models.CASCADE, related_name="model_replies")
    revision = models.PositiveIntegerField()
    model = models.ForeignKey("inference.Model", models.PROTECT, related_name="replies")
    fingerprint = models.CharField(max_length=64, blank=True)
    job = models.ForeignKey("jobs.Job", models.SET_NULL, null=True, related_name="model_replies")
    predictions = models.JSONField(default=list)
    created_at = models.DateTimeField(auto_now_add=True)
    replied_at = models.DateTimeField(null=True, blank=True)

    STUDY_PATH = "judgement__item__campaign__study"

    class Meta:
        ordering = ["judgement", "revision"]
        verbose_name_plural = "model replies"
        constraints = [models.UniqueConstraint(fields=["judgement", "revision"], name="model_reply_once")]

    def __str__(self) -> str:
        return f"{self.model} on {self.judgement_id}, revision {self.revision}"
