"""What networks are trained on, how, and what came of it."""

from __future__ import annotations

from django.conf import settings
from django.core.validators import MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _


class LearningCurve(models.Model):
    """Training sets that differ in size or ratio of directions alone, and their trainings (MED, Figure 2).
    ``spec`` is what it was asked for with."""

    study = models.ForeignKey("studies.Study", models.CASCADE, related_name="learning_curves")
    name = models.CharField(_("name"), max_length=150)
    spec = models.JSONField(default=dict)
    job = models.ForeignKey("jobs.Job", models.SET_NULL, null=True, related_name="+")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    STUDY_PATH = "study"

    class Meta:
        ordering = ["-id"]
        constraints = [models.UniqueConstraint(fields=["study", "name"], name="learning_curve_name_once")]

    def __str__(self) -> str:
        return self.name


class TrainingSet(models.Model):
    """Rows mixed out of sources, frozen: whatever becomes of the datasets, these stay.

    ``spec`` is what was asked for, ``counts`` what is in each part by source, label and direction,
    ``overlap`` what each source shares with the test part. ``rows`` are the rows as JSON lines, packed by
    zlib; ``fingerprint`` is the SHA-256 of the lines.
    """

    study = models.ForeignKey("studies.Study", models.CASCADE, related_name="training_sets")
    name = models.CharField(_("name"), max_length=200)
    spec = models.JSONField(default=dict)
    counts = models.JSONField(default=dict)
    overlap = models.JSONField(default=list)
    rows = models.BinaryField()
    fingerprint = models.CharField(max_length=64)
    curve = models.ForeignKey(LearningCurve, models.CASCADE, null=True, related_name="training_sets")
    # Sets of a series (a room above keeps it together) stand on its page, not among the study's own.
    is_listed = models.BooleanField(default=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    STUDY_PATH = "study"

    class Meta:
        ordering = ["-id"]
        constraints = [models.UniqueConstraint(fields=["study", "name"], name="training_set_name_once")]

    def __str__(self) -> str:
        return self.name


class Training(models.Model):
    """A network trained on a set, with ``seeds`` seeds from ``first_seed`` on. ``options`` are those of the
    network's training in full; ``keeps`` says whether the best run is saved and registered as a model."""

    study = models.ForeignKey("studies.Study", models.CASCADE, related_name="trainings")
    name = models.CharField(_("name"), max_length=200)
    training_set = models.ForeignKey(TrainingSet, models.CASCADE, related_name="trainings")
    network = models.CharField(max_length=40)
    options = models.JSONField(default=dict)
    seeds = models.PositiveSmallIntegerField(default=1, validators=[MinValueValidator(1)])
    first_seed = models.PositiveIntegerField(default=1)
    keeps = models.BooleanField(default=True)
    job = models.ForeignKey("jobs.Job", models.SET_NULL, null=True, related_name="trainings")
    model = models.OneToOneField("inference.Model", models.SET_NULL, null=True, related_name="training")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    STUDY_PATH = "study"

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["study", "name"], name="training_name_once"),
            models.CheckConstraint(condition=models.Q(seeds__gte=1), name="training_seeds_positive"),
        ]

    def __str__(self) -> str:
        return self.name


class TrainingEpoch(models.Model):
    """What an epoch of a run came to. ``run`` counts a training's runs from 0; accuracies are shares."""

    training = models.ForeignKey(Training, models.CASCADE, related_name="epochs")
    run = models.PositiveSmallIntegerField()
    number = models.PositiveIntegerField()
    loss = models.FloatField()
    train_accuracy = models.FloatField()
    validation_accuracy = models.FloatField(null=True)
    seconds = models.FloatField()

    STUDY_PATH = "training__study"

    class Meta:
        ordering = ["run", "number"]
        constraints = [
            models.UniqueConstraint(fields=["training", "run", "number"], name="training_epoch_once")
        ]

    def __str__(self) -> str:
        return f"{self.training}, run {self.run}, epoch {self.number}"


class TrainingRun(models.Model):
    """A run that is over: its seed and dropout, its best epoch on validation, and how often that epoch's
    weights are right on the test part: ``scores`` is ``{source: {direction or "all": [right, pairs]}}``.
    ``fingerprint`` names the saved network, where it was saved; ``made_by`` says versions and machine;
    ``errors`` are a few of what a network wrote that is wrong (apps/inference/meanings.py)."""

    training = models.ForeignKey(Training, models.CASCADE, related_name="runs")
    run = models.PositiveSmallIntegerField()
    seed = models.PositiveIntegerField()
    dropout = models.FloatField(null=True)
    best_epoch = models.PositiveIntegerField()
    validation_accuracy = models.FloatField(null=True)
    scores = models.JSONField(default=dict)
    parameters = models.PositiveBigIntegerField()
    made_by = models.JSONField(default=dict)
    seconds = models.FloatField()
    fingerprint = models.CharField(max_length=64, blank=True)
    errors = models.JSONField(default=list)

    STUDY_PATH = "training__study"

    class Meta:
        ordering = ["run"]
        constraints = [models.UniqueConstraint(fields=["training", "run"], name="training_run_once")]

    def __str__(self) -> str:
        return f"{self.training}, run {self.run}"
