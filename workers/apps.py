from django.apps import AppConfig


class WorkersConfig(AppConfig):
    """What Celery runs. Installed so that its kinds of work and its commands are found by name."""

    name = "workers"
