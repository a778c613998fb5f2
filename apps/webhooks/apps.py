from django.apps import AppConfig


class WebhooksConfig(AppConfig):
    """Addresses that a study tells of what happens in it: events, signed deliveries, tries."""

    name = "apps.webhooks"

    def ready(self) -> None:
        from apps.studies.soundness import register
        from apps.webhooks import invariants

        register(*invariants.CHECKS)
