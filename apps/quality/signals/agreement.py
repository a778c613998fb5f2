"""The share of answers that agree with most of the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from django.utils.translation import gettext_lazy as _

from apps.campaigns.models import Judgement
from apps.quality.models import Rule
from apps.quality.signals.signal import JUDGING, Reading, Signal, given, share
from measures.agreement import majority


def _read(rule: Rule, participant: int, since: datetime | None) -> Reading | None:
    found = given(rule, participant, since).filter(item__is_test=False).exclude(answer="")
    rows = found.values_list("item_id", "answer")
    hits: list[bool] = []
    # The newest items may have no other answers yet, so that more rows than ``last`` are looked at.
    own = list(rows[: 4 * rule.last])
    others = _others([item for item, _answer in own], participant)
    for item, answer in own:
        if (most := majority(others.get(item, Counter()))) is not None and len(hits) < rule.last:
            hits.append(answer == most)
    return share(hits)


def _others(items: Sequence[int], participant: int) -> dict[int, Counter[str]]:
    found: dict[int, Counter[str]] = {}
    rows = Judgement.objects.filter(item__in=items, counted=True).exclude(participant=participant)
    for item, answer in rows.exclude(answer="").values_list("item_id", "answer"):
        found.setdefault(item, Counter())[answer] += 1
    return found


SIGNAL = Signal(
    Rule.Signal.AGREEMENT,
    _read,
    _("Your last answers often differ from those of the others."),
    tasks=JUDGING,
    is_share=True,
)
