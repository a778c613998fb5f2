"""Experiments: a paper's protocol at a size, its splits, and what each contestant came to on them."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Experiment(models.Model):
    """A protocol run at a preset's sizes. ``spec`` is frozen: the protocol's data, its text and that text's
    SHA-256, the sizes in effect, what plays its roles, the versions that dealt its rows, and the ``name``
    that its trainings begin with, whatever it is called later."""

    class Preset(models.TextChoices):
        SMOKE = "smoke", _("smoke: minutes on two cores")
        DESK = "desk", _("desk: a night on two cores")
        PAPER = "paper", _("paper: the published sizes, for a machine with a card")

    study = models.ForeignKey("studies.Study", models.CASCADE, related_name="experiments")
    name = models.CharField(_("name"), max_length=150)
    protocol = models.CharField(max_length=80)
    preset = models.CharField(max_length=10, choices=Preset.choices)
    spec = models.JSONField(default=dict)
    job = models.ForeignKey("jobs.Job", models.SET_NULL, null=True, related_name="+")
    calculus_job = models.ForeignKey("jobs.Job", models.SET_NULL, null=True, related_name="+")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    archived_at = models.DateTimeField(null=True, blank=True)

    STUDY_PATH = "study"

    class Meta:
        ordering = ["-id"]
        constraints = [models.UniqueConstraint(fields=["study", "name"], name="experiment_name_once")]

    def __str__(self) -> str:
        return self.name


class OwnProtocol(models.Model):
    """A protocol that a researcher wrote: the text of its file and the text's SHA-256. It never changes;
    another text has another name, since the rows of an experiment depend on both."""

    study = models.ForeignKey("studies.Study", models.CASCADE, related_name="own_protocols")
    name = models.SlugField(_("name"), max_length=80)
    text = models.TextField()
    fingerprint = models.CharField(max_length=64)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    STUDY_PATH = "study"

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["study", "name"], name="own_protocol_name_once")]

    def __str__(self) -> str:
        return self.name


class Split(models.Model):
    """The rows of one training of the protocol and of its tests. ``seed`` is 0 where every seed has the same
    rows, and else the seed whose order of the shuffled lists they come from."""

    experiment = models.ForeignKey(Experiment, models.CASCADE, related_name="splits")
    training = models.CharField(max_length=100)
    seed = models.PositiveIntegerField(default=0)
    training_set = models.ForeignKey("inference.TrainingSet", models.CASCADE, related_name="splits")

    STUDY_PATH = "experiment__study"

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["experiment", "training", "seed"], name="experiment_split_once")
        ]

    def __str__(self) -> str:
        return f"{self.experiment}, {self.training}" + (f", seed {self.seed}" if self.seed else "")


class Cell(models.Model):
    """What one contestant came to on a split with one seed. Of a network its ``training`` tells; of others
    ``scores`` does: ``{test: {key: counts}}`` (apps/experiments/measures.py), None until there are any; and
    ``errors`` are a few of its wrong meanings, as a training's run has them."""

    split = models.ForeignKey(Split, models.CASCADE, related_name="cells")
    contestant = models.CharField(max_length=100)
    seed = models.PositiveIntegerField()
    training = models.ForeignKey("inference.Training", models.CASCADE, null=True, related_name="cells")
    scores = models.JSONField(null=True)
    errors = models.JSONField(default=list)

    STUDY_PATH = "split__experiment__study"

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["split", "contestant", "seed"], name="experiment_cell_once")
        ]

    def __str__(self) -> str:
        return f"{self.split}, {self.contestant}, {self.seed}"
