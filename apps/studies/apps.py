from django.apps import AppConfig


class StudiesConfig(AppConfig):
    """Studies, membership and roles, the scoped lookup, the audit trail."""

    name = "apps.studies"
