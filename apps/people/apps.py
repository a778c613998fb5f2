from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PeopleConfig(AppConfig):
    """How people come in, are known and leave: invitations, passwords, members, erasing."""

    name = "apps.people"

    def ready(self) -> None:
        from apps.people.trail_words import WORDS
        from apps.studies import vocabulary
        from apps.studies.rooms import Room, register

        register(Room("members", _("Members"), 130, "members:list"))
        register(Room("annotators", _("Annotators"), 140, "members:annotators"))
        vocabulary.register(WORDS)
