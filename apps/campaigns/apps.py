from django.apps import AppConfig


class CampaignsConfig(AppConfig):
    """Tasks for annotators."""

    name = "apps.campaigns"

    def ready(self) -> None:
        from apps.campaigns import forgetting, gates, invariants, opening
        from apps.campaigns.keeping import (
            CAMPAIGN,
            before_deleting,
            before_deleting_a_study,
            busy_campaign,
            busy_study,
        )
        from apps.campaigns.quality import eligibility, rules, testing
        from apps.campaigns.quality import invariants as quality
        from apps.studies import keeping
        from apps.studies.erasing import add_room
        from apps.studies.soundness import register

        add_room(forgetting.describe, forgetting.forget)
        gates.add_gate(eligibility.refusal)
        gates.add_listener(rules.after_judgement)
        opening.add_check(testing.missing_questions)
        opening.add_check(opening.too_few_people)
        register(*invariants.CHECKS, *quality.CHECKS)
        keeping.register(CAMPAIGN)
        keeping.before_archiving("campaign", busy_campaign)
        keeping.before_archiving("study", busy_study)
        keeping.before_deleting("campaign", before_deleting)
        keeping.before_deleting("study", before_deleting_a_study)
