from django.apps import AppConfig


class JobsConfig(AppConfig):
    """Background work as rows."""

    name = "apps.jobs"

    def ready(self) -> None:
        from apps.jobs import invariants
        from apps.studies.soundness import register

        register(*invariants.CHECKS)
