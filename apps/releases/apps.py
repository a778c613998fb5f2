from django.apps import AppConfig


class ReleasesConfig(AppConfig):
    """Gold rules, and frozen exports of a dataset."""

    name = "apps.releases"

    def ready(self) -> None:
        from apps.inference.training_sources import register as add_source
        from apps.releases import invariants, retention, rooms
        from apps.releases.models import RuleLabel
        from apps.releases.trail_words import WORDS
        from apps.releases.training_source import Releases
        from apps.studies import vocabulary
        from apps.studies.retention import before_deleting
        from apps.studies.rooms import register as add_room
        from apps.studies.soundness import register, register_complaints
        from apps.tallies.changes import watch

        add_room(rooms.RELEASES, "releases")
        vocabulary.register(WORDS)
        register(*invariants.CHECKS)
        register_complaints(invariants.archives)
        before_deleting("study", retention.before_deleting_a_study)
        before_deleting("dataset", retention.before_deleting_a_dataset)
        before_deleting("campaign", retention.before_deleting_a_campaign)
        add_source(Releases())
        watch(RuleLabel)
