"""What the pages of machine-made pairs read."""

from __future__ import annotations

from django.db.models import QuerySet

from apps.datasets.models import Dataset
from apps.generation.models import MachineBatch
from apps.generation.services import PREVIEW_KIND
from apps.jobs.models import Job


def batches_of(dataset: Dataset) -> QuerySet[MachineBatch]:
    """The dataset's batches, newest first, without those that never got further than examples. One query."""
    return dataset.machine_batches.filter(started_at__isnull=False).defer("preview", "refused")


def preview_job_of(batch: MachineBatch) -> Job | None:
    """The job that makes a batch's examples. One query."""
    jobs = Job.objects.filter(study=batch.dataset.study_id, kind=PREVIEW_KIND, params__batch=batch.pk)
    return jobs.select_related("study").first()
