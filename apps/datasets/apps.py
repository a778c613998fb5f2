from django.apps import AppConfig


class DatasetsConfig(AppConfig):
    """Pairs, meanings, and their labels."""

    name = "apps.datasets"

    def ready(self) -> None:
        from django.utils.translation import gettext_noop

        from apps.datasets import invariants, retention, rooms, selectors
        from apps.datasets.models import (
            CalculusLabel,
            Correction,
            Dataset,
            GoldLabel,
            NotRead,
            Pair,
            Profile,
            Tag,
        )
        from apps.datasets.trail_words import WORDS
        from apps.studies import vocabulary
        from apps.studies.retention import before_deleting
        from apps.studies.retention import register as keep
        from apps.studies.rooms import register as add_room
        from apps.studies.soundness import register
        from apps.tallies import counting
        from apps.tallies.changes import watch, watch_moves

        add_room(rooms.PAIRS, "datasets")
        register(*invariants.CHECKS)
        keep(retention.DATASET)
        before_deleting("dataset", retention.before_deleting)
        before_deleting("blank_set", retention.before_deleting_a_set)
        before_deleting("study", retention.before_deleting_a_study)
        before_deleting("corpus", retention.before_deleting_a_corpus)
        vocabulary.register(WORDS)
        watch(Dataset, Pair, CalculusLabel, GoldLabel, Tag, Profile, Correction, NotRead)
        watch_moves(Dataset)
        pairs, unlabelled = gettext_noop("Counting pairs"), gettext_noop("Counting pairs without a label")
        counting.register(selectors.SIZES, pairs, selectors.sizes_counted, (Dataset, Pair))
        reads = (Dataset, Pair, CalculusLabel)
        counting.register(selectors.UNLABELLED, unlabelled, selectors.unlabelled_counted, reads)
        counting.register(selectors.CONTENTS, pairs, selectors.contents_counted, (Dataset, Pair, Tag))
