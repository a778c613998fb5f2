"""The registry of models, their runs over datasets, and what they predicted."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class KindName(models.TextChoices):
    MAJORITY = "majority", _("majority class")
    OVERLAP = "overlap", _("word overlap")
    LEARNT = "learnt", _("learnt classifier")
    TRANSFORMERS = "transformers", _("Hugging Face folder")
    ONNX = "onnx", _("ONNX folder")
    NETWORK = "network", _("network trained here")
    CHAT = "chat", _("chat model")
    FILE = "file", _("predictions from a file")
    CALCULUS = "calculus", _("calculus")
    NEGATION = "negation", _("negation cue")
    HYPOTHESIS = "hypothesis", _("hypothesis alone")


class Model(models.Model):
    """A registered NLI model: ``config`` is what its runtime needs, ``fingerprint`` names the weights."""

    Kind = KindName

    study = models.ForeignKey("studies.Study", models.CASCADE, related_name="models")
    name = models.CharField(_("name"), max_length=200)
    kind = models.CharField(_("kind"), max_length=20, choices=Kind.choices)
    config = models.JSONField(default=dict)
    fingerprint = models.CharField(max_length=64, blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    STUDY_PATH = "study"

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["study", "name"], name="model_name_once"),
            models.CheckConstraint(
                condition=models.Q(kind__in=KindName.values),
                name="model_kind_known",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Run(models.Model):
    """One pass of a model over a dataset."""

    model = models.ForeignKey(Model, models.CASCADE, related_name="runs")
    dataset = models.ForeignKey("datasets.Dataset", models.CASCADE, related_name="runs")
    job = models.ForeignKey("jobs.Job", models.SET_NULL, null=True, related_name="runs")
    fingerprint = models.CharField(max_length=64, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    STUDY_PATH = "dataset__study"

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.model} on {self.dataset}"


class Prediction(models.Model):
    """A run's output for one pair: the label in the dataset's words, and a score for each label.

    ``created_at`` is null for those stored before times were kept.
    """

    run = models.ForeignKey(Run, models.CASCADE, related_name="predictions")
    pair = models.ForeignKey("datasets.Pair", models.CASCADE, related_name="predictions")
    label = models.CharField(max_length=40)
    scores = models.JSONField(default=dict)
    created_at = models.DateTimeField(auto_now_add=True, null=True)

    STUDY_PATH = "run__dataset__study"

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run", "pair"], name="prediction_once")]

    def __str__(self) -> str:
        return self.label
