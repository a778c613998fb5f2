from django.apps import AppConfig
from django.db.models.signals import post_migrate, pre_migrate


class TalliesConfig(AppConfig):
    """Numbers over many rows, kept with the time that they were counted at."""

    name = "apps.tallies"

    def ready(self) -> None:
        from apps.studies.models import Participant
        from apps.studies.soundness import register, register_complaints
        from apps.tallies import changes, invariants

        register(*invariants.CHECKS)
        register_complaints(invariants.complaints)
        changes.watch(Participant)
        pre_migrate.connect(_lift, sender=self)
        post_migrate.connect(_lay, sender=self)


def _lift(plan: object = None, **kwargs: object) -> None:
    """Only where a migration is to run: a trigger would stand in the way of its table."""
    from apps.tallies.changes import triggers_lift

    if plan:
        triggers_lift()


def _lay(**kwargs: object) -> None:
    from apps.tallies.changes import triggers_lay

    triggers_lay()
