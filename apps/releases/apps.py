from django.apps import AppConfig


class ReleasesConfig(AppConfig):
    """Gold rules, and frozen exports of a dataset."""

    name = "apps.releases"
