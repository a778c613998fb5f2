from django.apps import AppConfig
from django.core.checks import Tags, register


class FrameConfig(AppConfig):
    """What every room is built with: its pages' frame, texts, rows, the clock, addresses."""

    name = "apps.frame"

    def ready(self) -> None:
        from apps.frame import checks

        register(checks.encoding, Tags.database)
