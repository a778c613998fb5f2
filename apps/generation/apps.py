from django.apps import AppConfig


class GenerationConfig(AppConfig):
    """Machine-made pairs."""

    name = "apps.generation"
