"""Signals: what somebody's last answers in a campaign say, each as one number.

Shares are in [0, 1], speed in seconds, a row of same answers is a count. A signal that has too little to
go by is None: nobody is judged on nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import median

from django.db.models import F, QuerySet

from apps.campaigns.models import Judgement, Replacement
from apps.quality.folding import folded
from apps.quality.models import AnswerCheck, Flag, QualityAction, Rule, TestQuestion
from apps.quality.quizzes import answers_of
from apps.studies.models import Participant
from measures.agreement import majority


@dataclass(frozen=True)
class Reading:
    """A signal's value over so many answers."""

    value: float
    answers: int


def read(rule: Rule, participant: Participant, *, since: datetime | None = None) -> Reading | None:
    """The rule's signal over the participant's last answers (after ``since``); None below ``rule.least``."""
    values = _SIGNALS[Rule.Signal(rule.signal)](rule, participant.pk, since)
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
    if rule.signal == Rule.Signal.TRUST:
        forgotten = QualityAction.objects.filter(
            campaign=rule.campaign_id,
            participant=participant,
            kind__in=[QualityAction.Kind.WAIVE_QUIZ, QualityAction.Kind.RETRY_QUIZ],
            undone_at=None,
        )
        times += forgotten.values_list("created_at", flat=True)
    return max(times, default=None)


def _given(rule: Rule, participant: int, since: datetime | None) -> QuerySet[Judgement]:
    given = Judgement.objects.filter(item__campaign=rule.campaign_id, participant=participant)
    if since:
        given = given.filter(submitted_at__gt=since)
    return given.order_by("-submitted_at", "-pk")


def _share(hits: Sequence[bool]) -> Reading | None:
    return Reading(sum(hits) / len(hits), len(hits)) if hits else None


def _trust(rule: Rule, participant: int, since: datetime | None) -> Reading | None:
    answers = answers_of(rule.campaign_id, participant).exclude(question__state=TestQuestion.State.FORGIVEN)
    if since:
        answers = answers.filter(at__gt=since)
    rows = answers.order_by("-at", "-pk").values_list("answer", "question__expected")[: rule.last]
    return _share([answer == expected for answer, expected in rows])


def _speed(rule: Rule, participant: int, since: datetime | None) -> Reading | None:
    given = _given(rule, participant, since).filter(skip_reason="")
    seconds = list(given.values_list("seconds", flat=True)[: rule.last])
    return Reading(median(seconds), len(seconds)) if seconds else None


def _agreement(rule: Rule, participant: int, since: datetime | None) -> Reading | None:
    given = _given(rule, participant, since).filter(item__is_test=False).exclude(answer="")
    rows = given.values_list("item_id", "answer")
    hits: list[bool] = []
    # The newest items may have no other answers yet, so that more rows than ``last`` are looked at.
    own = list(rows[: 4 * rule.last])
    others = _others([item for item, _answer in own], participant)
    for item, answer in own:
        if (most := majority(others.get(item, Counter()))) is not None and len(hits) < rule.last:
            hits.append(answer == most)
    return _share(hits)


def _others(items: Sequence[int], participant: int) -> dict[int, Counter[str]]:
    found: dict[int, Counter[str]] = {}
    rows = Judgement.objects.filter(item__in=items, counted=True).exclude(participant=participant)
    for item, answer in rows.exclude(answer="").values_list("item_id", "answer"):
        found.setdefault(item, Counter())[answer] += 1
    return found


def _same(rule: Rule, participant: int, since: datetime | None) -> Reading | None:
    given = _given(rule, participant, since).exclude(answer="")
    answers = list(given.values_list("answer", flat=True)[: rule.last])
    if not answers:
        return None
    row = next((n for n, answer in enumerate(answers) if answer != answers[0]), len(answers))
    return Reading(row, len(answers))


def _skips(rule: Rule, participant: int, since: datetime | None) -> Reading | None:
    given = _given(rule, participant, since).filter(item__is_test=False)
    reasons = given.values_list("skip_reason", flat=True)[: rule.last]
    return _share([bool(reason) for reason in reasons])


def _copied(rule: Rule, participant: int, since: datetime | None) -> Reading | None:
    given = _given(rule, participant, since).filter(skip_reason="", item__blank__isnull=False)
    last = set(given.values_list("pk", flat=True)[: rule.last])
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
    return _share([hit for judgement, hit in hits.items() if judgement in last])


def _flagged(rule: Rule, participant: int, since: datetime | None) -> Reading | None:
    checked = AnswerCheck.objects.filter(judgement__revision=F("revision"))
    given = _given(rule, participant, since).filter(check_done__in=checked)
    last = list(given.values_list("pk", flat=True)[: rule.last])
    flagged = set(Flag.objects.filter(judgement__in=last).values_list("judgement_id", flat=True))
    return _share([pk in flagged for pk in last])


_SIGNALS: dict[Rule.Signal, Callable[[Rule, int, datetime | None], Reading | None]] = {
    Rule.Signal.TRUST: _trust,
    Rule.Signal.SPEED: _speed,
    Rule.Signal.AGREEMENT: _agreement,
    Rule.Signal.SAME: _same,
    Rule.Signal.SKIPS: _skips,
    Rule.Signal.COPIED: _copied,
    Rule.Signal.FLAGGED: _flagged,
}
