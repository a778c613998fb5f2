"""The Celery application: transport for :mod:`apps.jobs`, and the sweeper's clock."""

import os

from celery import Celery
from celery.schedules import crontab
from django.conf import settings
from kombu.transport import TRANSPORT_ALIASES

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

TRANSPORT_ALIASES["files"] = "config.broker:Transport"

app = Celery("polarlab")
app.config_from_object("django.conf:settings", namespace="CELERY")
# Tasks are short, since a job's work is done by a process of its own (workers/keeper.py); threads, so that
# a slow webhook keeps nobody waiting, and the worker answers whoever asks whether it is well.
app.conf.worker_pool = "threads"
app.conf.worker_concurrency = 3
app.conf.imports = ("workers.tasks",)
app.conf.beat_schedule_filename = str(settings.VAR_DIR / "beat-schedule")
app.conf.beat_schedule = {
    name: {"task": f"workers.{name}", "schedule": settings.SWEEP_SECONDS, "options": {"expires": 60}}
    for name in ("sweep", "tell_webhooks")
}
# At night, when fewest people wait (UTC).
app.conf.beat_schedule["compare_tallies"] = {
    "task": "workers.compare_tallies",
    "schedule": crontab(hour=2, minute=10),
    "options": {"expires": 6 * 3600},
}
