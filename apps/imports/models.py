"""Files on their way in: drafts, and rows that wait until a file is whole."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class PairDraft(models.Model):
    """An uploaded file of pairs between its preview and its commit; committing it twice changes nothing.

    The file lies under ``MEDIA_ROOT/imports`` as ``stored_name`` until it is committed or discarded.
    ``options`` says how it is read and what the dataset is called; ``preview`` is what was counted of it.
    ``held_in`` is the hidden study in which its pairs lie while it is being stored.
    """

    study = models.ForeignKey("studies.Study", models.CASCADE, related_name="pair_drafts")
    dataset = models.ForeignKey(
        "datasets.Dataset", models.SET_NULL, null=True, blank=True, related_name="drafts"
    )
    file_name = models.CharField(max_length=255)
    stored_name = models.CharField(max_length=64)
    sha256 = models.CharField(max_length=64)
    bytes = models.PositiveBigIntegerField()
    options = models.JSONField(default=dict)
    preview = models.JSONField(default=dict)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    committed_at = models.DateTimeField(null=True, blank=True)
    held_in = models.OneToOneField(
        "studies.Study", models.SET_NULL, null=True, blank=True, related_name="held_draft"
    )
    result = models.JSONField(default=dict)

    STUDY_PATH = "study"

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return self.file_name


class WaitingRow(models.Model):
    """A row of a file that is being stored, which adds to a pair that its dataset has already: it waits, as
    JSON, in the file's hidden study until the file is whole. ``number`` is the row's in the file."""

    study = models.ForeignKey("studies.Study", models.CASCADE, related_name="+")
    number = models.PositiveIntegerField()
    row = models.JSONField()

    STUDY_PATH = "study"

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["study", "number"], name="waiting_row_once")]

    def __str__(self) -> str:
        return str(self.number)


class PredictionDraft(models.Model):
    """An uploaded file of a model's predictions between its preview and its commit; committing it twice
    changes nothing.

    The file lies as :class:`PairDraft`'s do. ``options`` says how it is read; ``preview`` is what was counted
    of it. The model's stated name and version say which model the ``run`` is of.
    """

    dataset = models.ForeignKey("datasets.Dataset", models.CASCADE, related_name="prediction_drafts")
    model_name = models.CharField(max_length=160)
    version = models.CharField(max_length=38)
    file_name = models.CharField(max_length=255)
    stored_name = models.CharField(max_length=64)
    sha256 = models.CharField(max_length=64)
    bytes = models.PositiveBigIntegerField()
    options = models.JSONField(default=dict)
    preview = models.JSONField(default=dict)
    run = models.ForeignKey("inference.Run", models.SET_NULL, null=True, blank=True, related_name="drafts")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True, blank=True)
    committed_at = models.DateTimeField(null=True, blank=True)

    STUDY_PATH = "dataset__study"

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return self.file_name
