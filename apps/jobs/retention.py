"""What background work has to say before something of its study is deleted."""

from __future__ import annotations

from django.utils.translation import gettext as _

from apps.jobs.models import Job
from apps.studies.models import Study


def before_deleting(study: Study) -> list[str]:
    """Nothing is deleted while a job may still write."""
    running = Job.objects.filter(study=study, state__in=[Job.State.QUEUED, Job.State.RUNNING])
    return [_("A job of this study runs. Wait for it, or cancel it.")] if running.exists() else []
