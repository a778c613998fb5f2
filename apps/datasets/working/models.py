"""What is stored about work on a dataset: profiles of its pairs, outcomes of rules, bulk edits."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.datasets.working.fields import WordsField


class Profile(models.Model):
    """What pairs are looked up by beside their labels; one row a pair.

    ``words`` are there as soon as the pair is. ``operators``, ``verbs`` and ``depth``
    (:class:`natlog.profile.Profile`, over premises and hypothesis) come from the labelling job named in
    ``made_by``; ``depth`` is None until then.
    """

    pair = models.OneToOneField("datasets.Pair", models.CASCADE, primary_key=True, related_name="profile")
    words = WordsField(blank=True)
    operators = WordsField(blank=True)
    verbs = WordsField(blank=True)
    depth = models.PositiveSmallIntegerField(null=True, db_index=True)
    made_by = models.CharField(max_length=80, blank=True)

    STUDY_PATH = "pair__dataset__study"

    class Meta:
        app_label = "datasets"

    def __str__(self) -> str:
        return self.words.strip()


class RuleLabel(models.Model):
    """The label that a gold rule of probabilities gives a pair, and how probable it is.

    Such rules are worked out by a job, since the database can't; ``label`` is "" below the threshold.
    """

    rule = models.ForeignKey("datasets.GoldRule", models.CASCADE, related_name="outcomes")
    pair = models.ForeignKey("datasets.Pair", models.CASCADE, related_name="rule_labels")
    label = models.CharField(max_length=40, blank=True)
    probability = models.FloatField()

    STUDY_PATH = "pair__dataset__study"

    class Meta:
        app_label = "datasets"
        constraints = [
            models.UniqueConstraint(fields=["rule", "pair"], name="rule_label_once"),
            models.CheckConstraint(
                condition=models.Q(probability__gte=0, probability__lte=1), name="rule_label_probability"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.label} {self.probability:.2f}"


class BulkEdit(models.Model):
    """One change of a tag on many pairs: those that ``filters`` (the pairs' page's) found, or that were
    ticked. ``matched`` counts them, ``changed`` those among them that were not so already."""

    class Action(models.TextChoices):
        ADD = "add", _("add")
        REMOVE = "remove", _("take away")

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
        app_label = "datasets"
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(action__in=["add", "remove"]), name="bulk_edit_action_known"
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
        app_label = "datasets"
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["edit", "pair", "source"], name="bulk_change_once"),
        ]

    def __str__(self) -> str:
        return f"{self.edit_id}: {self.pair_id}"
