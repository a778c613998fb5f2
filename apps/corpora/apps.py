from django.apps import AppConfig


class CorporaConfig(AppConfig):
    """Sentences, parses, polarity, blanks."""

    name = "apps.corpora"

    def ready(self) -> None:
        from apps.corpora import invariants
        from apps.corpora.keeping import CORPUS, before_deleting
        from apps.studies import keeping
        from apps.studies.soundness import register

        register(*invariants.CHECKS)
        keeping.register(CORPUS)
        keeping.before_deleting("corpus", before_deleting)
