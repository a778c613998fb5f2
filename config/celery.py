"""The Celery application: transport for :mod:`apps.jobs`, and the sweeper's clock."""

import os

from celery import Celery
from django.conf import settings
from kombu.transport import TRANSPORT_ALIASES

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

TRANSPORT_ALIASES["files"] = "config.broker:Transport"

app = Celery("polarlab")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.conf.imports = ("workers.tasks",)
app.conf.beat_schedule_filename = str(settings.VAR_DIR / "beat-schedule")
app.conf.beat_schedule = {
    name: {"task": f"workers.{name}", "schedule": settings.SWEEP_SECONDS, "options": {"expires": 60}}
    for name in ("sweep", "tell_webhooks")
}
