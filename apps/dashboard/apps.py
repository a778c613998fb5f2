from django.apps import AppConfig
from django.utils.translation import gettext_noop


class DashboardConfig(AppConfig):
    """Comparison, agreement and progress pages."""

    name = "apps.dashboard"

    def ready(self) -> None:
        from apps.campaigns.models import Campaign, Item, Judgement
        from apps.dashboard import choices, counted, glance, listed, rooms
        from apps.dashboard.trail_words import WORDS
        from apps.datasets.models import Dataset, Pair
        from apps.studies import vocabulary
        from apps.studies.glance import add_problems
        from apps.studies.rooms import register
        from apps.tallies import counting

        counting.register(
            glance.COUNTING,
            gettext_noop("Counting agreement"),
            glance.agreement_counted,
            reads=[Campaign, Item, Judgement, Dataset, Pair],
        )
        add_problems(glance.problems)
        register(rooms.DASHBOARD, "dashboard")
        choices.offer()
        counted.offer()
        listed.offer()
        vocabulary.register(WORDS)
