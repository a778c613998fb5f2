from django.apps import AppConfig


class CorporaConfig(AppConfig):
    """Sentences, parses, polarity, blanks."""

    name = "apps.corpora"

    def ready(self) -> None:
        from apps.corpora import invariants
        from apps.studies.soundness import register

        register(*invariants.CHECKS)
