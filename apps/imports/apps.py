from django.apps import AppConfig


class ImportsConfig(AppConfig):
    """Files of pairs, of judgements and of predictions on their way in."""

    name = "apps.imports"

    def ready(self) -> None:
        from apps.imports.predictions.card import CARD
        from apps.imports.trail_words import WORDS
        from apps.inference.kinds import elsewhere_add
        from apps.studies import vocabulary
        from apps.studies.rooms import belong

        belong("imports", to="pairs")
        belong("predictions", to="models")
        elsewhere_add(CARD)
        vocabulary.register(WORDS)
