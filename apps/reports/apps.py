from django.apps import AppConfig


class ReportsConfig(AppConfig):
    """Balance, leakage and near-duplicates of a dataset."""

    name = "apps.reports"

    def ready(self) -> None:
        from apps.reports.trail_words import WORDS
        from apps.studies import vocabulary
        from apps.studies.rooms import belong

        belong("reports", to="pairs")
        vocabulary.register(WORDS)
