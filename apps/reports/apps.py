from django.apps import AppConfig


class ReportsConfig(AppConfig):
    """Balance, leakage and near-duplicates of a dataset."""

    name = "apps.reports"

    def ready(self) -> None:
        from apps.studies.rooms import belong

        belong("reports", to="pairs")
