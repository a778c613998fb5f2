from django.apps import AppConfig


class GenerationConfig(AppConfig):
    """Machine-made pairs."""

    name = "apps.generation"

    def ready(self) -> None:
        from apps.generation.trail_words import WORDS
        from apps.studies import vocabulary
        from apps.studies.rooms import belong

        belong("generation", to="pairs")
        vocabulary.register(WORDS)
