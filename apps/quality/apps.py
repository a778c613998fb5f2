from django.apps import AppConfig


class QualityConfig(AppConfig):
    """Who may work, test questions, rules and what they do, checks of answers."""

    name = "apps.quality"

    def ready(self) -> None:
        from apps.campaigns import conditions, extensions, gates, readiness
        from apps.people.erasure import add_room
        from apps.quality import (
            actions,
            checks,
            eligibility,
            erasure,
            glance,
            in_force,
            invariants,
            question_mixing,
            refusals,
            settings,
            signal_rules,
        )
        from apps.quality.models import Quality, Reliability
        from apps.quality.trail_words import WORDS
        from apps.studies import vocabulary
        from apps.studies.glance import add_problems
        from apps.studies.rooms import belong
        from apps.studies.soundness import register
        from apps.tallies.changes import watch

        extensions.extend(Quality)
        gates.add_beginning(settings.preset_apply)
        gates.add_gate(eligibility.refusal)
        gates.add_witness(refusals.refusal_note)
        gates.add_mixture(question_mixing.mixed_in, question_mixing.hides_tests)
        gates.add_text_check(checks.refuse)
        gates.add_exclusion(actions.is_requeued)
        gates.add_listener(signal_rules.after_judgement)
        readiness.add_check(question_mixing.missing_questions)
        conditions.add(in_force)
        add_problems(glance.problems)
        add_room(erasure.describe, erasure.forget)
        register(*invariants.CHECKS)
        belong("quality", to="campaigns")
        vocabulary.register(WORDS)
        watch(Reliability)
