from django.apps import AppConfig


class FrameConfig(AppConfig):
    """What every room is built with: its pages' frame, texts, rows, the clock, addresses."""

    name = "apps.frame"
