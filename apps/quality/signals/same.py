"""The same answer in a row."""

from __future__ import annotations

from datetime import datetime

from django.utils.translation import gettext_lazy as _

from apps.quality.models import Rule
from apps.quality.signals.signal import JUDGING, Reading, Signal, given


def _read(rule: Rule, participant: int, since: datetime | None) -> Reading | None:
    found = given(rule, participant, since).exclude(answer="")
    answers = list(found.values_list("answer", flat=True)[: rule.last])
    if not answers:
        return None
    row = next((n for n, answer in enumerate(answers) if answer != answers[0]), len(answers))
    return Reading(row, len(answers))


SIGNAL = Signal(
    Rule.Signal.SAME,
    _read,
    _("You gave the same answer many times in a row."),
    tasks=JUDGING,
    fires_above=True,
)
