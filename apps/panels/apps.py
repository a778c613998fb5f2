from django.apps import AppConfig


class PanelsConfig(AppConfig):
    """People from panels: arrival, consent, completion codes, events, pay."""

    name = "apps.panels"
