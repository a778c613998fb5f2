"""The share of sets that the checks flagged."""

from __future__ import annotations

from datetime import datetime

from django.db.models import F
from django.utils.translation import gettext_lazy as _

from apps.quality.models import AnswerCheck, Flag, Rule
from apps.quality.signals.signal import CREATION, Reading, Signal, given, share


def _read(rule: Rule, participant: int, since: datetime | None) -> Reading | None:
    checked = AnswerCheck.objects.filter(judgement__revision=F("revision"))
    found = given(rule, participant, since).filter(check_done__in=checked)
    last = list(found.values_list("pk", flat=True)[: rule.last])
    flagged = set(Flag.objects.filter(judgement__in=last).values_list("judgement_id", flat=True))
    return share([pk in flagged for pk in last])


SIGNAL = Signal(
    Rule.Signal.FLAGGED,
    _read,
    _("Some of your phrases were not more specific than the underlined part."),
    tasks=CREATION,
    is_share=True,
    fires_above=True,
)
