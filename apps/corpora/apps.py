from django.apps import AppConfig


class CorporaConfig(AppConfig):
    """Sentences, parses, polarity, blanks."""

    name = "apps.corpora"

    def ready(self) -> None:
        from apps.corpora import invariants, rooms
        from apps.corpora.retention import CORPUS, before_deleting
        from apps.corpora.trail_words import WORDS
        from apps.studies import retention, vocabulary
        from apps.studies.rooms import register as add_room
        from apps.studies.soundness import register

        add_room(rooms.CORPORA, "corpora")
        add_room(rooms.BLANKS, "blanks")
        register(*invariants.CHECKS)
        retention.register(CORPUS)
        retention.before_deleting("corpus", before_deleting)
        vocabulary.register(WORDS)
