from django.apps import AppConfig


class ReleasesConfig(AppConfig):
    """Gold rules, and frozen exports of a dataset."""

    name = "apps.releases"

    def ready(self) -> None:
        from apps.releases import retention, rooms
        from apps.releases.trail_words import WORDS
        from apps.studies import vocabulary
        from apps.studies.retention import before_deleting
        from apps.studies.rooms import register

        before_deleting("campaign", retention.before_deleting_a_campaign)
        register(rooms.RELEASES, "releases")
        vocabulary.register(WORDS)
