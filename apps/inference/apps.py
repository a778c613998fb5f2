from django.apps import AppConfig


class InferenceConfig(AppConfig):
    """Models, runs, predictions."""

    name = "apps.inference"

    def ready(self) -> None:
        from apps.inference import rooms
        from apps.studies.rooms import register

        register(rooms.MODELS, "models")
