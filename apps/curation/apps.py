from django.apps import AppConfig


class CurationConfig(AppConfig):
    """Reading a dataset's pairs and deciding on them: filters, tags, adjudication."""

    name = "apps.curation"
