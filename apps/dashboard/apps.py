from django.apps import AppConfig


class DashboardConfig(AppConfig):
    """Comparison, agreement and progress pages."""

    name = "apps.dashboard"

    def ready(self) -> None:
        from apps.dashboard import glance, rooms
        from apps.studies.glance import add_problems
        from apps.studies.rooms import register

        add_problems(glance.problems)
        register(rooms.DASHBOARD, "dashboard")
