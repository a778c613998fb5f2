from django.apps import AppConfig
from django.urls import reverse
from django.utils.translation import gettext_lazy as _


class StudiesConfig(AppConfig):
    """Studies, membership and roles, the scoped lookup, the audit trail."""

    name = "apps.studies"

    def ready(self) -> None:
        from apps.studies import invariants, retention, rooms, services, vocabulary
        from apps.studies.models import Study
        from apps.studies.soundness import register
        from apps.studies.trail_words import WORDS

        rooms.register(rooms.Room("trail", _("Trail"), 150, "studies:trail"))
        register(*invariants.CHECKS)
        retention.register(
            retention.Keepable(
                kind="study",
                model=Study,
                rename=lambda study, actor, name: services.study_update(study=study, actor=actor, name=name),
                address=lambda study: reverse("studies:overview", args=[study.slug]),
                among=lambda study: reverse("study_list"),
            )
        )
        vocabulary.register(WORDS)
