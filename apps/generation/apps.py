from django.apps import AppConfig


class GenerationConfig(AppConfig):
    """Machine-made pairs."""

    name = "apps.generation"

    def ready(self) -> None:
        from apps.studies.rooms import belong

        belong("generation", to="pairs")
