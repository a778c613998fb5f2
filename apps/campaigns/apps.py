from django.apps import AppConfig


class CampaignsConfig(AppConfig):
    """Tasks for annotators."""

    name = "apps.campaigns"

    def ready(self) -> None:
        from apps.campaigns import gates, invariants
        from apps.campaigns.quality import eligibility, rules
        from apps.campaigns.quality import invariants as quality
        from apps.studies.soundness import register

        gates.add_gate(eligibility.refusal)
        gates.add_listener(rules.after_judgement)
        register(*invariants.CHECKS, *quality.CHECKS)
