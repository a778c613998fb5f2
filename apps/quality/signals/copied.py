"""The share of sets with a phrase that the annotator wrote before."""

from __future__ import annotations

from datetime import datetime

from django.utils.translation import gettext_lazy as _

from apps.campaigns.models import Replacement
from apps.quality.folding import folded
from apps.quality.models import Rule
from apps.quality.signals.signal import CREATION, Reading, Signal, given, share


def _read(rule: Rule, participant: int, since: datetime | None) -> Reading | None:
    found = given(rule, participant, since).filter(skip_reason="", item__blank__isnull=False)
    last = set(found.values_list("pk", flat=True)[: rule.last])
    written = Replacement.objects.filter(
        judgement__participant=participant, judgement__item__campaign=rule.campaign_id
    )
    rows = written.order_by("judgement__submitted_at", "judgement_id", "position")
    before: set[str] = set()
    sets: dict[int, set[str]] = {}
    hits: dict[int, bool] = {}
    for judgement, text in rows.values_list("judgement_id", "text"):
        sets.setdefault(judgement, set()).add(folded(text))
    for judgement, texts in sets.items():
        hits[judgement] = bool(texts & before)
        before |= texts
    return share([hit for judgement, hit in hits.items() if judgement in last])


SIGNAL = Signal(
    Rule.Signal.COPIED,
    _read,
    _("You wrote some phrases several times. Please find new ones."),
    tasks=CREATION,
    is_share=True,
    fires_above=True,
)
