"""Signals: what somebody's last answers in a campaign say, each as one number, for the rules.

A new one is a module beside these, its place in ``_SIGNALS``, and its key and name in :class:`RuleSignal`, to
which the database holds rules (so that it takes a migration).
"""

from __future__ import annotations

from datetime import datetime

from apps.quality.models import QualityAction, Rule
from apps.quality.signals import agreement, copied, flagged, same, skips, speed, trust
from apps.quality.signals.signal import Reading, Signal
from apps.studies.models import Participant

__all__ = ["Reading", "Signal", "of", "read", "signals_for", "window_start"]

_SIGNALS: dict[str, Signal] = {
    module.SIGNAL.key: module.SIGNAL for module in (trust, speed, agreement, same, skips, copied, flagged)
}


def of(key: str) -> Signal:
    """The signal of a rule, or of what it did."""
    return _SIGNALS[Rule.Signal(key)]


def signals_for(task: str) -> list[Signal]:
    """The signals that make sense for a task."""
    return [signal for signal in _SIGNALS.values() if task in signal.tasks]


def read(rule: Rule, participant: Participant, *, since: datetime | None = None) -> Reading | None:
    """The rule's signal over the participant's last answers (after ``since``); None below ``rule.least``."""
    values = of(rule.signal).read(rule, participant.pk, since)
    return values if values and values.answers >= rule.least else None


def window_start(
    rule: Rule, participant: Participant, *, beside: QualityAction | None = None
) -> datetime | None:
    """From when on answers count for the rule: after what it did last, or after that was undone by hand.

    So a person who was let back is not paused again for the same answers, and nobody is warned twice. For
    trust, neither do the answers of a quiz count that was waived or begun again afterwards.
    """
    acted = QualityAction.objects.filter(rule=rule, participant=participant)
    if beside:
        acted = acted.exclude(pk=beside.pk)
    times = []
    for action in acted:
        if action.undone_why == QualityAction.Undone.BY_HAND and action.undone_at:
            times.append(action.undone_at)
        elif action.undone_why != QualityAction.Undone.FORGIVEN:
            times.append(action.created_at)
    if of(rule.signal).of_quizzes:
        forgotten = QualityAction.objects.filter(
            campaign=rule.campaign_id,
            participant=participant,
            kind__in=[QualityAction.Kind.WAIVE_QUIZ, QualityAction.Kind.RETRY_QUIZ],
            undone_at=None,
        )
        times += forgotten.values_list("created_at", flat=True)
    return max(times, default=None)
