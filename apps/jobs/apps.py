from django.apps import AppConfig


class JobsConfig(AppConfig):
    """Background work as rows."""

    name = "apps.jobs"
