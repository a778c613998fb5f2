from django.apps import AppConfig


class InferenceConfig(AppConfig):
    """Models, runs, predictions."""

    name = "apps.inference"

    def ready(self) -> None:
        from apps.inference import rooms
        from apps.inference.models import Model, Prediction, Run
        from apps.inference.trail_words import WORDS
        from apps.studies import vocabulary
        from apps.studies.rooms import register
        from apps.tallies.changes import watch

        register(rooms.MODELS, "models")
        vocabulary.register(WORDS)
        watch(Model, Run, Prediction)
