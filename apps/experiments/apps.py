from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ExperimentsConfig(AppConfig):
    """The papers' protocols, run and read like any other study."""

    name = "apps.experiments"

    def ready(self) -> None:
        from apps.experiments import kept_networks, retention
        from apps.experiments.trail_words import WORDS
        from apps.inference import trainings
        from apps.studies import retention as keeping
        from apps.studies import vocabulary
        from apps.studies.rooms import Room, register

        register(Room("experiments", _("Experiments"), 55, "experiments:list"), "experiments")
        vocabulary.register(WORDS)
        keeping.register(retention.EXPERIMENT)
        keeping.before_archiving("experiment", retention.busy)
        keeping.before_deleting("experiment", retention.before_deleting)
        trainings.add_listener(kept_networks.run_on_datasets)
