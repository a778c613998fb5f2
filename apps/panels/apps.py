from django.apps import AppConfig
from django.utils.translation import gettext_noop


class PanelsConfig(AppConfig):
    """People from panels: arrival, consent, completion codes, events, pay."""

    name = "apps.panels"

    def ready(self) -> None:
        from apps.campaigns.gates import add_listener, add_source
        from apps.campaigns.models import Campaign, Judgement
        from apps.campaigns.readiness import add_check
        from apps.panels import erasure, glance, invariants
        from apps.panels.consents import consent_unwritten
        from apps.panels.models import Bonus, Payout, PayoutSet, Visit
        from apps.panels.selectors import has_panel
        from apps.panels.services import price_keep
        from apps.panels.trail_words import WORDS
        from apps.people.erasure import add_room
        from apps.studies import vocabulary
        from apps.studies.glance import add_money
        from apps.studies.rooms import belong
        from apps.studies.soundness import register
        from apps.tallies import counting
        from apps.tallies.changes import watch

        add_listener(price_keep)
        add_source(has_panel)
        add_check(consent_unwritten)
        watch(Visit, Payout, PayoutSet, Bonus)
        counting.register(
            glance.COUNTING,
            gettext_noop("Counting what is owed and paid"),
            glance.money_counted,
            reads=[Campaign, Judgement, Visit, Payout, PayoutSet, Bonus],
        )
        add_money(glance.money_of)
        add_room(erasure.describe, erasure.forget)
        belong("panels", to="campaigns")
        register(*invariants.CHECKS)
        vocabulary.register(WORDS)
