from django.apps import AppConfig


class ImportsConfig(AppConfig):
    """Files of pairs and of judgements on their way in."""

    name = "apps.imports"
