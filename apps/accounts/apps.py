from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """People, sign-in, invitations, API tokens."""

    name = "apps.accounts"
