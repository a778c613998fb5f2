from django.apps import AppConfig


class TestbedsConfig(AppConfig):
    """Generated, controlled datasets: what is drawn, proved, and handed to people and models."""

    name = "apps.testbeds"

    def ready(self) -> None:
        from apps.studies import vocabulary
        from apps.studies.rooms import belong
        from apps.testbeds.trail_words import WORDS

        belong("testbeds", to="pairs")
        vocabulary.register(WORDS)
