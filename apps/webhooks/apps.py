from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class WebhooksConfig(AppConfig):
    """Addresses that a study tells of what happens in it: events, signed deliveries, tries."""

    name = "apps.webhooks"

    def ready(self) -> None:
        from apps.studies import rooms, vocabulary
        from apps.studies.soundness import register
        from apps.webhooks import invariants
        from apps.webhooks.trail_words import WORDS

        rooms.register(rooms.Room("webhooks", _("Webhooks"), 120, "webhooks:list"), "webhooks")
        register(*invariants.CHECKS)
        vocabulary.register(WORDS)
