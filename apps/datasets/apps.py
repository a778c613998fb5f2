from django.apps import AppConfig


class DatasetsConfig(AppConfig):
    """Pairs, labels, gold, export."""

    name = "apps.datasets"
