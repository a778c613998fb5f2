from django.apps import AppConfig


class ImportsConfig(AppConfig):
    """Files of pairs and of judgements on their way in."""

    name = "apps.imports"

    def ready(self) -> None:
        from apps.studies.rooms import belong

        belong("imports", to="pairs")
