"""How a visit stands: what was sent on it, and whether there is more work for it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Q, QuerySet

from apps.campaigns import selectors as campaigns
from apps.campaigns.card_sql import free_items
from apps.campaigns.models import Campaign, Judgement
from apps.campaigns.reasons import NothingNow
from apps.frame.clock import database_now
from apps.panels.models import ConsentText, Panel, Visit, VisitOutcome

# The campaign's reason for giving nothing to somebody who did not pass its quiz.
_QUIZ_FAILED = "quiz-failed"


def has_panel(campaign: Campaign) -> bool:
    return hasattr(campaign, "panel")


def consent_of(panel: Panel) -> ConsentText:
    """The text in force: the latest."""
    return panel.consents.latest("version")


@dataclass(frozen=True)
class Sets:
    """What somebody sent on a visit, the quiz left out; ``real`` leaves the test questions out as well,
    which nobody can tell from the others. ``quiz`` are the answers of the quiz, paid like the others."""

    sent: int
    real: int
    quiz: int


@dataclass(frozen=True)
class Standing:
    """How far a visit is: its sets, how many are wanted (None: as many as there are), and why there is no
    more work for it, if there is none."""

    done: Sets
    wanted: int | None
    nothing: NothingNow | None

    @property
    def sets(self) -> int:
        return self.done.sent

    @property
    def has_enough(self) -> bool:
        return self.wanted is not None and self.sets >= self.wanted

    @property
    def may_finish(self) -> bool:
        """With enough sets, or when there is no more work; without a wanted number, after one set."""
        return self.has_enough or self.nothing is not None or (self.wanted is None and self.sets > 0)

    @property
    def outcome(self) -> VisitOutcome:
        if self.done.real:
            return Visit.Outcome.COMPLETE
        if self.nothing and self.nothing.reason == _QUIZ_FAILED:
            return Visit.Outcome.FAILED_QUIZ
        return Visit.Outcome.NO_WORK


def sets_of(visit: Visit) -> Sets:
    """The sets that the person sent on this visit, and on earlier ones that never ended: who lost a session
    half-way and comes under a new one keeps what they did. What is sent after the end belongs to the visit
    until the next one begins, so that each set is some visit's, and one's alone. Two queries."""
    begins, ends = _span_of(visit)
    sent = Judgement.objects.filter(participant=visit.participant_id, item__campaign=visit.panel.campaign_id)
    if begins:
        sent = sent.filter(submitted_at__gt=begins)
    if ends:
        sent = sent.filter(submitted_at__lte=ends)
    in_quiz = Q(test_answer__in_quiz=True)
    return Sets(
        **sent.aggregate(
            sent=Count("pk", filter=~in_quiz),
            real=Count("pk", filter=Q(item__is_test=False)),
            quiz=Count("pk", filter=in_quiz),
        )
    )


def _span_of(visit: Visit) -> tuple[datetime | None, datetime | None]:
    """From when to when what the person sends belongs to the visit; None for no bound. One query."""
    visits = Visit.objects.filter(panel=visit.panel_id, participant=visit.participant_id).order_by("pk")
    rows = list(visits.values_list("pk", "arrived_at", "finished_at", "returned_at"))
    begins = ends = None
    for place, (pk, _arrived, *over) in enumerate(rows):
        over_at = min((at for at in over if at), default=None)
        if over_at is None:
            continue
        following = rows[place + 1][1] if place + 1 < len(rows) else None
        until = max(over_at, following) if following else None
        if pk == visit.pk:
            ends = until
        elif until and (visit.finished_at is None or over_at < visit.finished_at):
            begins = max(begins, until) if begins else until
    return begins, ends


def standing_of(visit: Visit) -> Standing:
    """How the visit stands at this moment."""
    campaign, participant = visit.panel.campaign, visit.participant
    found: NothingNow | None = campaigns.nothing_now(campaign, participant)
    if found and found.reason == "others":  # unless there is something for them all the same
        now = database_now()
        held = campaigns.live_leases(now).filter(participant=participant, item__campaign=campaign)
        if held.exists() or free_items(campaign, participant, now):
            found = None
    return Standing(sets_of(visit), visit.panel.sets_wanted, found)


def takes_work(visit: Visit) -> bool:
    """Whether new work is handed out under the visit. What is sent late is taken all the same."""
    if visit.finished_at or visit.returned_at:
        return False
    wanted = visit.panel.sets_wanted
    return wanted is None or sets_of(visit).sent < wanted


def progress_of(visit: Visit, left: int | None) -> tuple[int, int | None]:
    """What the line above a card counts: the visit's own sets, as its end does, and what is ``left`` for the
    person (None: many), or the rest of the wanted number."""
    wanted, sent = visit.panel.sets_wanted, sets_of(visit).sent
    if wanted is None:
        return sent, left
    rest = max(0, wanted - sent)
    return sent, rest if left is None else min(left, rest)


def visits_of(panel: Panel) -> QuerySet[Visit]:
    """The visits, newest first, with all that a table row shows."""
    return panel.visits.select_related("participant", "consent", "panel").order_by("-pk")
