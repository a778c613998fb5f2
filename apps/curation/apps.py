from django.apps import AppConfig


class CurationConfig(AppConfig):
    """Reading a dataset's pairs and deciding on them: filters, tags, adjudication."""

    name = "apps.curation"

    def ready(self) -> None:
        from apps.curation import adjudication, glance
        from apps.curation.trail_words import WORDS
        from apps.quality.waiting import add_card
        from apps.studies import vocabulary
        from apps.studies.glance import add_problems
        from apps.studies.rooms import belong

        add_card("curation/_waiting.html", adjudication.waiting)
        add_problems(glance.problems)
        belong("adjudication", to="campaigns")
        belong("curation", to="pairs")
        vocabulary.register(WORDS)
