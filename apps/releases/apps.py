from django.apps import AppConfig


class ReleasesConfig(AppConfig):
    """Gold rules, and frozen exports of a dataset."""

    name = "apps.releases"

    def ready(self) -> None:
        from django.utils.translation import gettext_noop

        from apps.campaigns.models import Campaign, Item, Judgement
        from apps.datasets.models import CalculusLabel, Correction, Dataset, GoldLabel, Pair, Tag
        from apps.inference.training_sources import register as add_source
        from apps.quality.models import Reliability
        from apps.releases import forecast, invariants, retention, rooms
        from apps.releases.models import Release, RuleLabel
        from apps.releases.trail_words import WORDS
        from apps.releases.training_source import Releases
        from apps.studies import vocabulary
        from apps.studies.retention import before_deleting
        from apps.studies.rooms import register as add_room
        from apps.studies.soundness import register, register_complaints
        from apps.tallies import counting
        from apps.tallies.changes import watch

        add_room(rooms.RELEASES, "releases")
        vocabulary.register(WORDS)
        register(*invariants.CHECKS)
        register_complaints(invariants.archives)
        before_deleting("study", retention.before_deleting_a_study)
        before_deleting("dataset", retention.before_deleting_a_dataset)
        before_deleting("campaign", retention.before_deleting_a_campaign)
        add_source(Releases())
        watch(Release, RuleLabel)
        said = (Dataset, Pair, CalculusLabel, GoldLabel, Correction, Tag, Campaign, Item, Judgement)
        takes = gettext_noop("Counting what a release would hold")
        counting.register(forecast.COUNTING, takes, forecast.counted, (*said, Reliability, Release))
