from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class JobsConfig(AppConfig):
    """Background work as rows."""

    name = "apps.jobs"

    def ready(self) -> None:
        from apps.jobs import glance, invariants, retention
        from apps.jobs.trail_words import WORDS
        from apps.studies import rooms, vocabulary
        from apps.studies.glance import add_problems
        from apps.studies.retention import before_deleting_anything
        from apps.studies.soundness import register

        rooms.register(rooms.Room("jobs", _("Jobs"), 110, "jobs:list"))
        add_problems(glance.problems)
        before_deleting_anything(retention.before_deleting)
        register(*invariants.CHECKS)
        vocabulary.register(WORDS)
