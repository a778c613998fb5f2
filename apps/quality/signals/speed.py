"""The median seconds of an answer."""

from __future__ import annotations

from datetime import datetime
from statistics import median

from django.utils.translation import gettext_lazy as _

from apps.quality.models import Rule
from apps.quality.signals.signal import Reading, Signal, given


def _read(rule: Rule, participant: int, since: datetime | None) -> Reading | None:
    found = given(rule, participant, since).filter(skip_reason="")
    seconds = list(found.values_list("seconds", flat=True)[: rule.last])
    return Reading(median(seconds), len(seconds)) if seconds else None


SIGNAL = Signal(
    Rule.Signal.SPEED,
    _read,
    _("You are very quick. Please take the time to read both sentences."),
)
