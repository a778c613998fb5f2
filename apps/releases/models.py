"""Gold rules with their outcomes, and releases with the blocks of their archives."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class GoldRuleKind(models.TextChoices):
    ALL_MATCH = "all", _("every judgement matches the calculus label")
    AT_LEAST = "at-least", _("at least so many judgements match the calculus label")
    MAJORITY = "majority", _("the label that most people gave")
    ADJUDICATED = "adjudicated", _("the label that a researcher decided on")
    FILE = "file", _("the label that came with an imported pair")
    POSTERIOR = "posterior", _("the label whose probability, given all answers, is high enough")
    MACE = "mace", _("the same, where whoever doesn't know the answer guesses by habit")


class GoldRule(models.Model):
    """A named rule that says which label of a pair is the gold one, and which pairs have none.

    Rows never change: a rule that is changed gets the next version. ``parameters`` are those of
    :class:`apps.releases.gold_rules.Options` that its kind uses.
    """

    Kind = GoldRuleKind

    study = models.ForeignKey("studies.Study", models.CASCADE, related_name="gold_rules")
    name = models.CharField(_("name"), max_length=100)
    version = models.PositiveIntegerField()
    kind = models.CharField(_("kind"), max_length=20, choices=Kind.choices)
    parameters = models.JSONField(default=dict)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    STUDY_PATH = "study"

    class Meta:
        ordering = ["name", "-version"]
        constraints = [
            models.UniqueConstraint(fields=["study", "name", "version"], name="gold_rule_version_once"),
            models.CheckConstraint(
                condition=models.Q(kind__in=GoldRuleKind.values),
                name="gold_rule_kind_known",
            ),
            models.CheckConstraint(condition=models.Q(version__gte=1), name="gold_rule_version_positive"),
        ]

    def __str__(self) -> str:
        return f"{self.name} v{self.version}"


class Release(models.Model):
    """A frozen, numbered, checksummed export of a dataset under one gold rule.

    ``options`` are all that decided on its content, copied when it was made; ``gold_rule`` is the named
    rule that they were taken from, if any.
    """

    dataset = models.ForeignKey("datasets.Dataset", models.CASCADE, related_name="releases")
    number = models.PositiveIntegerField()
    rule = models.CharField(max_length=40)
    options = models.JSONField(default=dict)
    gold_rule = models.ForeignKey(GoldRule, models.SET_NULL, null=True, blank=True, related_name="releases")
    job = models.ForeignKey("jobs.Job", models.SET_NULL, null=True, related_name="releases")
    file_name = models.CharField(max_length=255, blank=True)
    sha256 = models.CharField(max_length=64, blank=True)
    # Bytes of the archive; None where it was frozen before they were counted.
    size = models.PositiveBigIntegerField(null=True, blank=True)
    manifest = models.JSONField(default=dict)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    frozen_at = models.DateTimeField(null=True, blank=True)

    STUDY_PATH = "dataset__study"

    class Meta:
        ordering = ["-id"]
        constraints = [models.UniqueConstraint(fields=["dataset", "number"], name="release_number_once")]

    def __str__(self) -> str:
        return f"{self.dataset} {self.number}"


class ArchiveBlock(models.Model):
    """A part of a frozen release's archive, byte for byte: the file on disk can be made again out of these,
    under any version of the program and whatever became of the dataset."""

    release = models.ForeignKey(Release, models.CASCADE, related_name="blocks")
    position = models.PositiveIntegerField()
    content = models.BinaryField()

    STUDY_PATH = "release__dataset__study"

    class Meta:
        ordering = ["position"]
        constraints = [models.UniqueConstraint(fields=["release", "position"], name="archive_block_once")]

    def __str__(self) -> str:
        return f"{self.release}, block {self.position}"


class RuleLabel(models.Model):
    """The label that a gold rule of probabilities gives a pair, and how probable it is.

    Such rules are worked out by a job, since the database can't; ``label`` is "" below the threshold.
    """

    rule = models.ForeignKey(GoldRule, models.CASCADE, related_name="outcomes")
    pair = models.ForeignKey("datasets.Pair", models.CASCADE, related_name="rule_labels")
    label = models.CharField(max_length=40, blank=True)
    probability = models.FloatField()

    STUDY_PATH = "pair__dataset__study"

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["rule", "pair"], name="rule_label_once"),
            models.CheckConstraint(
                condition=models.Q(probability__gte=0, probability__lte=1), name="rule_label_probability"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.label} {self.probability:.2f}"
