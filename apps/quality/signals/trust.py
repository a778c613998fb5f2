"""The share of test questions answered right."""

from __future__ import annotations

from datetime import datetime

from django.utils.translation import gettext_lazy as _

from apps.quality.models import Rule, TestQuestion
from apps.quality.question_answers import answers_of
from apps.quality.signals.signal import JUDGING, Reading, Signal, share


def _read(rule: Rule, participant: int, since: datetime | None) -> Reading | None:
    answers = answers_of(rule.campaign_id, participant).exclude(question__state=TestQuestion.State.FORGIVEN)
    if since:
        answers = answers.filter(at__gt=since)
    rows = answers.order_by("-at", "-pk").values_list("answer", "question__expected")[: rule.last]
    return share([answer == expected for answer, expected in rows])


SIGNAL = Signal(
    Rule.Signal.TRUST,
    _read,
    _("Several answers to questions with a known answer were not right."),
    tasks=JUDGING,
    is_share=True,
    of_quizzes=True,
)
