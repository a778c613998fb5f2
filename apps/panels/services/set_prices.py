"""What a set is worth: the price in force when it was sent, kept with it."""

from __future__ import annotations

from apps.campaigns.models import Judgement
from apps.panels.models import SetPrice


def price_keep(judgement: Judgement) -> None:
    """Keep the price in force with a set that somebody from a panel sends; a revision changes nothing.

    Runs in the transaction that takes the set in. Who has an account is not paid here.
    """
    if judgement.participant.panel:
        price = SetPrice(judgement=judgement, cents=judgement.item.campaign.price)
        SetPrice.objects.bulk_create([price], ignore_conflicts=True)
