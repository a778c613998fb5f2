from django.apps import AppConfig


class CorporaConfig(AppConfig):
    """Sentences, parses, polarity, blanks."""

    name = "apps.corpora"

    def ready(self) -> None:
        from django.core.checks import register as add_check

        from apps.corpora import invariants, rooms
        from apps.corpora.parser_check import parser_can_be_read
        from apps.corpora.retention import BLANK_SET, CORPUS, before_deleting, before_deleting_a_set
        from apps.corpora.trail_words import WORDS
        from apps.studies import retention, vocabulary
        from apps.studies.rooms import register as add_room
        from apps.studies.soundness import register

        add_room(rooms.CORPORA, "corpora")
        add_room(rooms.BLANKS, "blanks")
        register(*invariants.CHECKS)
        add_check(parser_can_be_read)
        retention.register(CORPUS)
        retention.before_deleting("corpus", before_deleting)
        retention.register(BLANK_SET)
        retention.before_deleting("blank_set", before_deleting_a_set)
        vocabulary.register(WORDS)
