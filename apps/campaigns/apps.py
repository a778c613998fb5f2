from django.apps import AppConfig


class CampaignsConfig(AppConfig):
    """Tasks for annotators."""

    name = "apps.campaigns"
