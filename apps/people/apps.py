from django.apps import AppConfig


class PeopleConfig(AppConfig):
    """How people come in, are known and leave: invitations, passwords, members, erasing."""

    name = "apps.people"
