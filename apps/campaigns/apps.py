from django.apps import AppConfig


class CampaignsConfig(AppConfig):
    """Tasks for annotators."""

    name = "apps.campaigns"

    def ready(self) -> None:
        from apps.campaigns import forgetting, gates, invariants
        from apps.campaigns.quality import eligibility, rules
        from apps.campaigns.quality import invariants as quality
        from apps.studies.erasing import add_room
        from apps.studies.soundness import register

        add_room(forgetting.describe, forgetting.forget)
        gates.add_gate(eligibility.refusal)
        gates.add_listener(rules.after_judgement)
        register(*invariants.CHECKS, *quality.CHECKS)
