"""What a study knows from elsewhere of the words in its pairs; its reports."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Norm(models.Model):
    """Numbers that somebody else measured of words, such as a verb's veridicality (White and Rawlins 2018,
    *MegaVeridicality*). ``numbers`` holds one by the folded form of each word (``norms.folded``)."""

    study = models.ForeignKey("studies.Study", models.CASCADE, related_name="norms")
    name = models.CharField(_("name"), max_length=100)
    source = models.CharField(_("source"), max_length=500)
    numbers = models.JSONField()
    size = models.PositiveIntegerField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    STUDY_PATH = "study"

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["study", "name"], name="norm_name_once")]

    def __str__(self) -> str:
        return self.name


class StudyReport(models.Model):
    """The report of a study, or of one ``dataset`` of it: what was made of its exhibits at ``made_at``. There
    is one of each, which is made anew.

    ``content`` holds the chapters (apps/dashboard/report/document.py) by language, so that everybody reads it
    in their own; ``draft`` those of the job at work, by part and language. Annotators are in it by their
    pseudonyms alone.
    """

    study = models.ForeignKey("studies.Study", models.CASCADE, related_name="reports")
    dataset = models.ForeignKey(
        "datasets.Dataset", models.CASCADE, null=True, blank=True, related_name="study_reports"
    )
    content = models.JSONField(default=dict)
    draft = models.JSONField(default=dict)
    # None: it has never been made.
    made_at = models.DateTimeField(null=True, blank=True)
    job = models.ForeignKey("jobs.Job", models.SET_NULL, null=True, related_name="+")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")

    STUDY_PATH = "study"

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["study"], condition=models.Q(dataset=None), name="study_report_once"
            ),
            models.UniqueConstraint(fields=["study", "dataset"], name="study_report_of_a_dataset_once"),
        ]

    def __str__(self) -> str:
        return self.dataset.name if self.dataset else self.study.name


class StudyReportFile(models.Model):
    """A report as a PDF in one language. It lies in the database, so that it goes where the report goes: with
    its study, and into backups."""

    report = models.ForeignKey(StudyReport, models.CASCADE, related_name="files")
    language = models.CharField(max_length=10)
    content = models.BinaryField()

    STUDY_PATH = "report__study"

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["report", "language"], name="study_report_file_once"),
        ]

    def __str__(self) -> str:
        return f"{self.report} ({self.language})"
