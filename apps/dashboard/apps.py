from django.apps import AppConfig


class DashboardConfig(AppConfig):
    """Comparison, agreement and progress pages."""

    name = "apps.dashboard"

    def ready(self) -> None:
        from apps.dashboard import rooms
        from apps.studies.rooms import register

        register(rooms.DASHBOARD, "dashboard")
