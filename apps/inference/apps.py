from django.apps import AppConfig


class InferenceConfig(AppConfig):
    """Models, runs, predictions."""

    name = "apps.inference"
