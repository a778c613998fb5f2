"""Pay, computed anew from what was sent: what is owed, what is in a payout, what is paid.

Money is counted in whole hundredths of the currency.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from django.db.models import Count, Q, QuerySet, Sum
from django.db.models.functions import Coalesce
from django.utils.formats import number_format

from apps.campaigns.models import Judgement
from apps.panels.models import Bonus, Panel, Payout, PayoutSet, Visit
from apps.studies.models import Participant

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations


def money(cents: int, currency: str) -> str:
    """An amount with its currency.

    >>> money(1205, "USD")
    '12.05 USD'
    """
    return f"{number_format(f'{cents / 100:.2f}')} {currency}"


class Priced(TypedDict):
    """What a query adds to a judgement: its price in hundredths."""

    cents: int


def sets_sent(panel: Panel) -> QuerySet[WithAnnotations[Judgement, Priced]]:
    """Every set that somebody from the panel sent in its campaign, with its price in ``cents``: the
    one in force when it was sent. Late answers, surplus ones and skips are work like any other."""
    return Judgement.objects.filter(
        item__campaign=panel.campaign_id,
        participant__in=Visit.objects.filter(panel=panel).values("participant"),
    ).annotate(cents=Coalesce("set_price__cents", "item__campaign__price"))


def owed_sets(panel: Panel) -> QuerySet[WithAnnotations[Judgement, Priced]]:
    """The sets that are in no payout yet."""
    return sets_sent(panel).filter(payout_set=None)


def owed_prices(panel: Panel) -> list[tuple[int, int]]:
    """The owed sets' numbers, each with its price."""
    return [(pk, cents) for pk, cents in owed_sets(panel).values_list("pk", "cents")]


def unpaid_of(panel: Panel, participant: Participant) -> int:
    """What is owed to one person or waits in a payout, in hundredths. Three queries."""
    sets = owed_sets(panel).filter(participant=participant).aggregate(n=Sum("cents"))["n"] or 0
    waiting = PayoutSet.objects.filter(
        payout__panel=panel, payout__paid_at=None, judgement__participant=participant
    ).aggregate(n=Sum("cents"))["n"]
    bonuses = Bonus.objects.filter(panel=panel, participant=participant).exclude(
        payout__paid_at__isnull=False
    )
    return int(sets + (waiting or 0) + (bonuses.aggregate(n=Sum("cents"))["n"] or 0))


@dataclass
class Account:
    """One person's sets, answers to the quiz, and bonuses in hundredths: what is owed, what waits in payouts,
    what is paid. ``sets`` are counted as on the pages of their visits."""

    participant: Participant
    sets: int = 0
    quiz: int = 0
    surplus: int = 0
    skips: int = 0
    bonus: int = 0
    owed: int = 0
    waiting: int = 0
    paid: int = 0

    @property
    def total(self) -> int:
        return self.owed + self.waiting + self.paid


def accounts_of(panel: Panel) -> list[Account]:
    """The ledger by person, most sets first. Six queries."""
    people = Participant.objects.filter(visits__panel=panel).distinct()
    accounts = {person.pk: Account(person) for person in people}
    sent = sets_sent(panel).order_by().values("participant")
    counts = sent.annotate(
        sets=Count("pk", filter=~Q(test_answer__in_quiz=True)),
        quiz=Count("pk", filter=Q(test_answer__in_quiz=True)),
        surplus=Count("pk", filter=Q(counted=False)),
        skips=Count("pk", filter=~Q(skip_reason="")),
    )
    for row in counts:
        account = accounts[row["participant"]]
        account.sets, account.quiz = row["sets"], row["quiz"]
        account.surplus, account.skips = row["surplus"], row["skips"]
    for pk, cents in owed_sets(panel).order_by().values_list("participant").annotate(n=Sum("cents")):
        accounts[pk].owed += cents or 0
    in_payouts = (
        PayoutSet.objects.filter(payout__panel=panel).order_by().values_list("judgement__participant")
    )
    for waits in (True, False):
        rows = in_payouts.filter(payout__paid_at__isnull=waits)
        for pk, cents in rows.annotate(n=Sum("cents")):
            _add(accounts[pk], waits=waits, cents=cents)
    for bonus in Bonus.objects.filter(panel=panel).select_related("payout"):
        account = accounts[bonus.participant_id]
        account.bonus += bonus.cents
        if bonus.payout is None:
            account.owed += bonus.cents
        else:
            _add(account, waits=bonus.payout.paid_at is None, cents=bonus.cents)
    return sorted(accounts.values(), key=lambda a: (-a.sets, a.participant.pseudonym))


def _add(account: Account, *, waits: bool, cents: int) -> None:
    if waits:
        account.waiting += cents
    else:
        account.paid += cents


@dataclass(frozen=True)
class Totals:
    """A panel's ledger in one line, in hundredths."""

    sets: int
    quiz: int
    owed: int
    waiting: int
    paid: int


def total_of(accounts: list[Account]) -> Totals:
    return Totals(
        sum(a.sets for a in accounts),
        sum(a.quiz for a in accounts),
        sum(a.owed for a in accounts),
        sum(a.waiting for a in accounts),
        sum(a.paid for a in accounts),
    )


@dataclass
class Line:
    """What one person gets in a payout; ``session`` is their latest, for platforms that pay by it."""

    participant: Participant
    session: str = ""
    sets: int = 0
    sets_cents: int = 0
    bonus_cents: int = 0
    reasons: tuple[str, ...] = ()

    @property
    def cents(self) -> int:
        return self.sets_cents + self.bonus_cents


def lines_of(payout: Payout) -> list[Line]:
    """A payout by person, by pseudonym. Four queries."""
    lines: dict[int, Line] = {}
    people = Participant.objects.filter(
        Q(judgements__payout_set__payout=payout) | Q(bonuses__payout=payout)
    ).distinct()
    for person in people:
        lines[person.pk] = Line(person)
    rows = payout.sets.order_by().values_list("judgement__participant")
    for pk, sets, cents in rows.annotate(n=Count("pk"), total=Sum("cents")):
        lines[pk].sets, lines[pk].sets_cents = sets, cents
    for bonus in payout.bonuses.order_by("pk"):
        line = lines[bonus.participant_id]
        line.bonus_cents += bonus.cents
        line.reasons = (*line.reasons, bonus.reason)
    visits = Visit.objects.filter(panel=payout.panel_id, participant__in=lines).order_by("pk")
    for pk, session in visits.values_list("participant", "session_id"):
        lines[pk].session = session
    return sorted(lines.values(), key=lambda line: line.participant.pseudonym)


def payouts_of(panel: Panel) -> list[tuple[Payout, int, int]]:
    """The payouts, newest first, each with its people and its amount. Three queries."""
    payouts = list(panel.payouts.all())
    people: dict[int, set[int]] = {payout.pk: set() for payout in payouts}
    cents = dict.fromkeys(people, 0)
    sets = PayoutSet.objects.filter(payout__in=payouts).order_by()
    for pk, person, amount in sets.values_list("payout", "judgement__participant").annotate(n=Sum("cents")):
        people[pk].add(person)
        cents[pk] += amount
    for pk, person, amount in Bonus.objects.filter(payout__in=payouts).values_list(
        "payout", "participant", "cents"
    ):
        people[pk].add(person)
        cents[pk] += amount
    return [(payout, len(people[payout.pk]), cents[payout.pk]) for payout in payouts]
