from django.apps import AppConfig


class WebhooksConfig(AppConfig):
    """Addresses that a study tells of what happens in it: events, signed deliveries, tries."""

    name = "apps.webhooks"
