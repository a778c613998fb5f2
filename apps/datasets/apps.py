from django.apps import AppConfig


class DatasetsConfig(AppConfig):
    """Pairs, labels, gold, export."""

    name = "apps.datasets"

    def ready(self) -> None:
        from apps.datasets import invariants
        from apps.studies.soundness import register

        register(*invariants.CHECKS)
