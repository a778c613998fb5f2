from django.apps import AppConfig


class ImportsConfig(AppConfig):
    """Files of pairs and of judgements on their way in."""

    name = "apps.imports"

    def ready(self) -> None:
        from apps.imports.trail_words import WORDS
        from apps.studies import vocabulary
        from apps.studies.rooms import belong

        belong("imports", to="pairs")
        vocabulary.register(WORDS)
