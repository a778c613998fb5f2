from django.apps import AppConfig


class CampaignsConfig(AppConfig):
    """Tasks for annotators."""

    name = "apps.campaigns"

    def ready(self) -> None:
        from apps.campaigns import gates
        from apps.campaigns.quality import eligibility, rules

        gates.add_gate(eligibility.refusal)
        gates.add_listener(rules.after_judgement)
