"""What background work has to say before something of its study is deleted."""

from __future__ import annotations

from collections.abc import Collection

from django.utils.translation import gettext as _

from apps.jobs.models import Job
from apps.studies.models import Study


def before_deleting(study: Study, own: Collection[int]) -> list[str]:
    """Nothing is deleted while a job may still write, but for those that are cancelled with it."""
    running = Job.objects.filter(study=study, state__in=[Job.State.QUEUED, Job.State.RUNNING])
    running = running.exclude(pk__in=own)
    return [_("A job of this study runs. Wait for it, or cancel it.")] if running.exists() else []
