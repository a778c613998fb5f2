from django.apps import AppConfig


class PanelsConfig(AppConfig):
    """People from panels: arrival, consent, completion codes, events, pay."""

    name = "apps.panels"

    def ready(self) -> None:
        from apps.campaigns.gates import add_listener, add_source
        from apps.campaigns.readiness import add_check
        from apps.panels import erasure, glance, invariants
        from apps.panels.consents import consent_unwritten
        from apps.panels.selectors import has_panel
        from apps.panels.services import price_keep
        from apps.panels.trail_words import WORDS
        from apps.people.erasure import add_room
        from apps.studies import vocabulary
        from apps.studies.glance import add_money
        from apps.studies.rooms import belong
        from apps.studies.soundness import register

        add_listener(price_keep)
        add_source(has_panel)
        add_check(consent_unwritten)
        add_money(glance.money_of)
        add_room(erasure.describe, erasure.forget)
        belong("panels", to="campaigns")
        register(*invariants.CHECKS)
        vocabulary.register(WORDS)
