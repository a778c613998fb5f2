from django.apps import AppConfig


class CorporaConfig(AppConfig):
    """Sentences, parses, polarity, blanks."""

    name = "apps.corpora"
