"""The registry of models, their runs over datasets, and what they predicted."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

# What networks are trained on stands in a module of its own.
from apps.inference.training_models import (
    LearningCurve,
    Training,
    TrainingEpoch,
    TrainingRun,
    TrainingSet,
)

__all__ = [
    "KindName",
    "LearningCurve",
    "Model",
    "Prediction",
    "Run",
    "Training",
    "TrainingEpoch",
    "TrainingRun",
    "TrainingSet",
]


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
    """A registered NLI model: ``config`` is what its runtime needs, ``fingerprint`` names the weights.

    ``smoke_test`` is what it said of five plain pairs as it was registered (workers/smoke.py; empty for kinds
    whose labels can't be mixed up); ``labels_confirmed``: a researcher has seen which output is which label.
    """

    Kind = KindName

    study = models.ForeignKey("studies.Study", models.CASCADE, related_name="models")
    name = models.CharField(_("name"), max_length=200)
    kind = models.CharField(_("kind"), max_length=20, choices=Kind.choices)
    config = models.JSONField(default=dict)
    fingerprint = models.CharField(max_length=64, blank=True)
    smoke_test = models.JSONField(default=dict, blank=True)
    labels_confirmed = models.BooleanField(default=False)
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
    """A version of a model (its fingerprint) over a dataset: there is one, which goes on when pairs come in
    or were left pending. ``job`` is the latest that did. Doubles from before that was so aren't current;
    they stay to be read."""

    model = models.ForeignKey(Model, models.CASCADE, related_name="runs")
    dataset = models.ForeignKey("datasets.Dataset", models.CASCADE, related_name="runs")
    job = models.ForeignKey("jobs.Job", models.SET_NULL, null=True, related_name="runs")
    fingerprint = models.CharField(max_length=64, blank=True)
    is_current = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True)

    STUDY_PATH = "dataset__study"

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["model", "dataset", "fingerprint"],
                condition=models.Q(is_current=True),
                name="run_once",
            )
        ]

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


class AnswerProblem(models.TextChoices):
    """Why an answer is no label."""

    REFUSED = "refused", _("refused")
    UNREADABLE = "unreadable", _("unreadable")
    CUT = "cut", _("cut off")


class ChatAnswer(models.Model):
    """What a chat model answered for a pair: asked for once in a study, whatever dataset or run wants it.

    ``fingerprint`` is the model's, ``digest`` the pair's (premises joined). ``scores`` has one for each of
    the model's labels, or for ``label`` alone where the server gave none (``has_probabilities``). ``run``
    paid for it (none: a model in the loop); the server counted the tokens, unless ``is_estimated``.
    ``answered_by`` is the name under which the server says that it answered.
    """

    Problem = AnswerProblem

    study = models.ForeignKey("studies.Study", models.CASCADE, related_name="chat_answers")
    fingerprint = models.CharField(max_length=64)
    digest = models.CharField(max_length=64)
    run = models.ForeignKey(Run, models.SET_NULL, null=True, blank=True, related_name="paid_answers")
    label = models.CharField(max_length=40, blank=True)
    scores = models.JSONField(default=dict)
    has_probabilities = models.BooleanField(default=False)
    problem = models.CharField(max_length=20, choices=Problem.choices, blank=True)
    text = models.TextField(blank=True)
    tokens_in = models.PositiveIntegerField()
    tokens_out = models.PositiveIntegerField()
    is_estimated = models.BooleanField(default=False)
    answered_by = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    STUDY_PATH = "study"

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["study", "fingerprint", "digest"], name="chat_answer_once"),
            models.CheckConstraint(
                condition=models.Q(problem__in=["", *AnswerProblem.values]), name="chat_answer_problem_known"
            ),
            models.CheckConstraint(
                condition=models.Q(label="", problem__gt="") | models.Q(label__gt="", problem=""),
                name="chat_answer_label_or_problem",
            ),
        ]

    def __str__(self) -> str:
        return self.label or self.problem


class ChatBudget(models.Model):
    """What a run of a chat model may use: tokens in both directions, money by the model's prices; none: as
    much as it takes."""

    run = models.OneToOneField(Run, models.CASCADE, primary_key=True, related_name="budget")
    tokens = models.PositiveBigIntegerField(null=True, blank=True)
    cost = models.DecimalField(max_digits=14, decimal_places=6, null=True, blank=True)

    STUDY_PATH = "run__dataset__study"

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(cost__isnull=True) | models.Q(cost__gte=0), name="chat_budget_not_negative"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.run}: {self.tokens} / {self.cost}"
