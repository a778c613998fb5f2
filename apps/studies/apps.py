from django.apps import AppConfig


class StudiesConfig(AppConfig):
    """Studies, membership and roles, the scoped lookup, the audit trail."""

    name = "apps.studies"

    def ready(self) -> None:
        from apps.studies import invariants
        from apps.studies.soundness import register

        register(*invariants.CHECKS)
