"""Rules: rows that say when a signal calls for an action, and their evaluation after each answer."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.campaigns.models import Campaign, Judgement
from apps.quality import actions, checks, quizzes, signals
from apps.quality.models import QualityAction, Rule
from apps.quality.settings import quality_ensure, quality_or_none
from apps.studies import audit
from apps.studies.models import Participant


def signals_of(campaign: Campaign) -> list[tuple[str, str]]:
    """The signals that make sense for the campaign's task, with their names."""
    return [(signal.key.value, str(signal.key.label)) for signal in signals.signals_for(campaign.task)]


def after_judgement(judgement: Judgement) -> None:
    """What follows from an answer that was taken in or revised, in the same transaction.

    A test answer is recorded; written phrases are checked (by the calculus in the background); then the
    campaign's rules look at the person. No query where a campaign has no quality settings.
    """
    in_quiz = False
    if judgement.item.is_test:
        in_quiz = quizzes.answer_record(judgement).in_quiz
    elif judgement.item.blank_id is not None:
        checks.after_creation(judgement)
    evaluate(judgement.item.campaign, judgement.participant, in_quiz=in_quiz)


def evaluate(campaign: Campaign, participant: Participant, *, in_quiz: bool = False) -> list[QualityAction]:
    """Apply the campaign's rules in force to one person; returns what was done.

    During a quiz that may be tried again, the quiz alone says who gets work: trust is looked at from the
    next test question on.
    """
    quality = quality_or_none(campaign)
    if quality is None:
        return []
    done = []
    for rule in Rule.objects.filter(campaign=campaign, is_active=True):
        if in_quiz and quality.quiz_tries > 1 and signals.of(rule.signal).of_quizzes:
            continue
        if _has_paused(rule, participant):
            continue
        since = signals.window_start(rule, participant)
        reading = signals.read(rule, participant, since=since)
        if reading is None or not signals.of(rule.signal).speaks_at(reading.value, rule.threshold):
            continue
        action = actions.action_take(
            campaign=campaign, participant=participant, kind=rule.action, rule=rule, reading=reading
        )
        if action:
            done.append(action)
    return done


def _has_paused(rule: Rule, participant: Participant) -> bool:
    if rule.action != Rule.Action.PAUSE:
        return False
    return QualityAction.objects.filter(
        rule=rule, participant=participant, kind=QualityAction.Kind.PAUSE, undone_at=None
    ).exists()


@transaction.atomic
def rule_create(
    *,
    campaign: Campaign,
    actor: User | None,
    signal: str,
    last: int,
    least: int,
    threshold: float,
    action: str,
) -> Rule:
    """A new rule, in force from the next answer on. ValidationError by field."""
    if signal not in dict(signals_of(campaign)):
        raise ValidationError({"signal": _("This signal says nothing about this task.")})
    if least > last:
        raise ValidationError({"least": _("No more than the answers that are looked at.")})
    if signals.of(signal).is_share and not 0 <= threshold <= 1:
        raise ValidationError({"threshold": _("A share is between 0 and 100 %.")})
    if signal == Rule.Signal.SAME and not 2 <= threshold <= last:
        raise ValidationError({"threshold": _("A row is between 2 and the answers that are looked at.")})
    rule = Rule(
        campaign=campaign,
        signal=signal,
        last=last,
        least=least,
        threshold=threshold,
        action=action,
        created_by=actor,
    )
    rule.full_clean(exclude=["campaign", "created_by"])
    rule.save()
    quality_ensure(campaign)
    audit.record(
        "rule.created",
        study=campaign.study,
        actor=actor,
        subject=rule,
        signal=signal,
        threshold=threshold,
        then=action,
    )
    return rule


@transaction.atomic
def rule_set_active(*, rule: Rule, actor: User, active: bool) -> None:
    """Put a rule in or out of force. What it did stands until it is undone."""
    Rule.objects.filter(pk=rule.pk).update(is_active=active)
    audit.record("rule.active", study=rule.campaign.study, actor=actor, subject=rule, active=active)
