"""What must hold of prices and payouts: pay equals answers, each once (docs/panels.md)."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Count, F
from django.db.models.functions import Coalesce

from apps.campaigns.models import IMPORTED, Judgement
from apps.panels.models import Bonus, Payout, PayoutSet
from apps.studies.models import AuditEvent, Study
from apps.studies.soundness import Fault, rows

_STOP = "don't pay this payout; take it apart and make it anew (if it is paid, settle it by hand)"


def prices(study: Study | None) -> Iterator[Fault]:
    """Every set that somebody from a panel sent has the price that was in force then."""
    given = rows(Judgement, study).exclude(participant__panel__in=["", IMPORTED])
    for pk, participant in given.filter(set_price=None).values_list("pk", "participant_id").iterator():
        text = f"judgement {pk} of participant {participant} has no price of its own"
        yield Fault("price", text, "it is paid at the campaign's price of today; store the price meant")


def payouts(study: Study | None) -> Iterator[Fault]:
    """A payout has the sets of its own campaign, at their prices, and as many as were put into it."""
    sets = rows(PayoutSet, study)
    price = Coalesce("judgement__set_price__cents", "judgement__item__campaign__price")
    other = sets.annotate(price=price).filter(judgement__set_price__isnull=False).exclude(cents=F("price"))
    for judgement, payout, cents, due in other.values_list(
        "judgement_id", "payout_id", "cents", "price"
    ).iterator():
        text = f"judgement {judgement} is in payout {payout} with {cents} cents, and was sent at {due}"
        yield Fault("payout", text, _STOP)
    foreign = sets.exclude(judgement__item__campaign=F("payout__panel__campaign"))
    for judgement, payout in foreign.values_list("judgement_id", "payout_id").iterator():
        text = f"judgement {judgement} is in payout {payout} of another campaign"
        yield Fault("payout", text, _STOP)
    for pk, payout in (
        rows(Bonus, study)
        .filter(payout__isnull=False)
        .exclude(payout__panel=F("panel"))
        .values_list("pk", "payout_id")
        .iterator()
    ):
        yield Fault("payout", f"bonus {pk} is in payout {payout} of another panel", _STOP)
    made = dict(
        rows(AuditEvent, study).filter(action="payout.created").values_list("object_id", "data__sets")
    )
    for pk, n in rows(Payout, study).annotate(n=Count("sets")).values_list("pk", "n").iterator():
        if made.get(pk) != n:
            text = f"payout {pk} has {n} sets; {made.get(pk, 'none')} were put into it"
            yield Fault("payout", text, _STOP)


CHECKS = (prices, payouts)
