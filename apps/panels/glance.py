"""What a study's page says of money: what its panels are owed, what waits in payouts, what is paid."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Exists, F, OuterRef, Q, Sum
from django.db.models.functions import Coalesce
from django.urls import reverse

from apps.campaigns.models import Judgement
from apps.panels.models import Bonus, Panel, PayoutSet, Visit
from apps.studies.access import within
from apps.studies.glance import Money, Reading
from apps.studies.models import Study
from apps.tallies.selectors import read

COUNTING = "panels.money"


def money_of(study: Study, reading: Reading) -> list[Money]:
    """By currency, archived campaigns among them, computed anew as in a panel's ledger
    (apps/panels/selectors/pay.py). One query, and those of what is kept where there are panels."""
    panels = list(within(Panel, study).values_list("campaign", "campaign__currency"))
    if not panels:
        return []
    found = reading.value(read(study, COUNTING, wait=reading.wait))
    return [
        Money(currency, owed, waiting, paid, _address(study, [pk for pk, own in panels if own == currency]))
        for currency, (owed, waiting, paid) in sorted(found.items())
        if owed or waiting or paid
    ]


def money_counted(study: Study, _arguments: Mapping[str, Any]) -> dict[str, list[int]]:
    """Owed, in payouts that aren't paid, and paid, in hundredths by currency. Four queries."""
    panels = list(within(Panel, study).values_list("campaign", flat=True))
    sums: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for currency, cents in _owed_sets(panels):
        sums[currency][0] += cents or 0
    waits, is_paid = Q(payout__paid_at=None, payout__isnull=False), Q(payout__paid_at__isnull=False)
    of_sets = within(PayoutSet, study).order_by().values_list("payout__panel__campaign__currency")
    for currency, waiting, paid in of_sets.annotate(waiting=_sum(waits), paid=_sum(is_paid)):
        _add(sums[currency], (0, waiting, paid))
    of_bonuses = within(Bonus, study).order_by().values_list("panel__campaign__currency")
    in_no_payout = Q(payout=None)
    for currency, owed, waiting, paid in of_bonuses.annotate(
        owed=_sum(in_no_payout), waiting=_sum(waits), paid=_sum(is_paid)
    ):
        _add(sums[currency], (owed, waiting, paid))
    return dict(sums)


def _sum(which: Q) -> Coalesce:
    return Coalesce(Sum("cents", filter=which), 0)


def _add(amounts: list[int], cents: Sequence[int]) -> None:
    for place, more in enumerate(cents):
        amounts[place] += more


def _owed_sets(campaigns: list[int]) -> list[tuple[str, int]]:
    """What the sets that are in no payout come to, by currency: those of people from the panels."""
    came = Visit.objects.filter(
        panel__campaign=OuterRef("item__campaign"), participant=OuterRef("participant")
    )
    sets = Judgement.objects.filter(Exists(came), item__campaign__in=campaigns, payout_set=None).order_by()
    priced = sets.annotate(cents=Coalesce("set_price__cents", F("item__campaign__price")))
    return list(priced.values_list("item__campaign__currency").annotate(n=Sum("cents")))


def _address(study: Study, campaigns: list[int]) -> str:
    """The ledger where there is one, else the campaigns, each of which leads to its own."""
    if len(campaigns) == 1:
        return reverse("panels:ledger", args=[study.slug, campaigns[0]])
    return reverse("campaigns:list", args=[study.slug])
