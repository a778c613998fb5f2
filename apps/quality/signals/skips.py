"""The share of skips."""

from __future__ import annotations

from datetime import datetime

from django.utils.translation import gettext_lazy as _

from apps.quality.models import Rule
from apps.quality.signals.signal import Reading, Signal, given, share


def _read(rule: Rule, participant: int, since: datetime | None) -> Reading | None:
    found = given(rule, participant, since).filter(item__is_test=False)
    reasons = found.values_list("skip_reason", flat=True)[: rule.last]
    return share([bool(reason) for reason in reasons])


SIGNAL = Signal(
    Rule.Signal.SKIPS,
    _read,
    _("You skipped many of the last ones. Please skip only what can't be done."),
    is_share=True,
    fires_above=True,
)
