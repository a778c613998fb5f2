from django.apps import AppConfig


class QualityConfig(AppConfig):
    """Who may work, test questions, rules and what they do, checks of answers."""

    name = "apps.quality"

    def ready(self) -> None:
        from apps.quality.trail_words import WORDS
        from apps.studies import vocabulary
        from apps.studies.rooms import belong

        belong("quality", to="campaigns")
        vocabulary.register(WORDS)
