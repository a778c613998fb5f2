from django.apps import AppConfig


class ReleasesConfig(AppConfig):
    """Gold rules, and frozen exports of a dataset."""

    name = "apps.releases"

    def ready(self) -> None:
        from apps.releases import rooms
        from apps.studies.rooms import register

        register(rooms.RELEASES, "releases")
