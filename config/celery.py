"""The Celery application: transport for :mod:`apps.jobs`, and the sweeper's clock."""

import os

from celery import Celery
from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("polarlab")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.conf.imports = ("workers.tasks",)
app.conf.beat_schedule_filename = str(settings.VAR_DIR / "beat-schedule")
app.conf.beat_schedule = {
    "sweep": {"task": "workers.sweep", "schedule": settings.SWEEP_SECONDS, "options": {"expires": 60}}
}
