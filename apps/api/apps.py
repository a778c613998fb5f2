from django.apps import AppConfig


class ApiConfig(AppConfig):
    """What every address of the API shares: errors, scopes, limits, repeated requests, the schema."""

    name = "apps.api"
