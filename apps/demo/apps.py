from django.apps import AppConfig


class DemoConfig(AppConfig):
    """What fills the demo study."""

    name = "apps.demo"
