from django.apps import AppConfig


class ComparisonConfig(AppConfig):
    """Who says what of a pair: people, calculus, files and models."""

    name = "apps.comparison"
