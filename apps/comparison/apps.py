from django.apps import AppConfig


class ComparisonConfig(AppConfig):
    """Who says what of a pair: people, calculus, files and models."""

    name = "apps.comparison"

    def ready(self) -> None:
        from apps.comparison import invariants
        from apps.comparison.majority import people
        from apps.inference.references import register as add_reference
        from apps.studies.soundness import register

        register(*invariants.CHECKS)
        add_reference(people)
