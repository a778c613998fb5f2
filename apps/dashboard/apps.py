from django.apps import AppConfig


class DashboardConfig(AppConfig):
    """Comparison, agreement and progress pages."""

    name = "apps.dashboard"
