from django.apps import AppConfig


class CampaignsConfig(AppConfig):
    """Tasks for annotators."""

    name = "apps.campaigns"

    def ready(self) -> None:
        from apps.campaigns import erasure, gates, invariants, readiness
        from apps.campaigns.retention import (
            CAMPAIGN,
            before_deleting,
            before_deleting_a_study,
            busy_campaign,
            busy_study,
        )
        from apps.people.erasure import add_room
        from apps.quality import eligibility, quizzes, rules
        from apps.quality import invariants as quality
        from apps.studies import retention
        from apps.studies.soundness import register

        add_room(erasure.describe, erasure.forget)
        gates.add_gate(eligibility.refusal)
        gates.add_listener(rules.after_judgement)
        readiness.add_check(quizzes.missing_questions)
        readiness.add_check(readiness.too_few_people)
        register(*invariants.CHECKS, *quality.CHECKS)
        retention.register(CAMPAIGN)
        retention.before_archiving("campaign", busy_campaign)
        retention.before_archiving("study", busy_study)
        retention.before_deleting("campaign", before_deleting)
        retention.before_deleting("study", before_deleting_a_study)
