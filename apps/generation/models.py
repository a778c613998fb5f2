"""A batch of machine-made pairs, as a row."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class MachineBatch(models.Model):
    """Pairs made of a corpus' sentences by the program, from the first examples to the last pair.

    ``options`` are what decided on its pairs (operations, changes of a sentence, the most pairs of a kind,
    seed, convention); sentences imported after number ``last_sentence`` are not in it. ``preview`` holds a
    few examples, which are stored nowhere else. ``cells`` counts the stored pairs by operation, direction
    and label, ``rejected`` what was left out by its reason, with some examples in ``refused``.
    """

    dataset = models.ForeignKey("datasets.Dataset", models.CASCADE, related_name="machine_batches")
    corpus = models.ForeignKey("corpora.Corpus", models.SET_NULL, null=True, related_name="machine_batches")
    corpus_name = models.CharField(max_length=200)
    options = models.JSONField(default=dict)
    last_sentence = models.PositiveBigIntegerField()
    preview = models.JSONField(default=dict)
    cells = models.JSONField(default=list)
    known = models.PositiveIntegerField(default=0)
    rejected = models.JSONField(default=dict)
    refused = models.JSONField(default=list)
    job = models.ForeignKey("jobs.Job", models.SET_NULL, null=True, related_name="+")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    STUDY_PATH = "dataset__study"

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.dataset} {self.pk}"

    @property
    def made(self) -> int:
        """How many pairs were stored."""
        return sum(count for _operation, _direction, _label, count in self.cells)
