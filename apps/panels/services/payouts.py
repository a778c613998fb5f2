"""Bonuses and payouts: what is put together for the paymaster, and marked as paid."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.frame.clock import database_now
from apps.frame.texts import text_checked
from apps.panels import selectors
from apps.panels.models import Bonus, Panel, Payout, PayoutSet
from apps.studies import audit
from apps.studies.models import Participant

_BATCH = 500


@transaction.atomic
def bonus_create(
    *, panel: Panel, participant: Participant, actor: User | None, cents: int, reason: str
) -> Bonus:
    """A bonus, once for each reason: the same one again is the one that is there already."""
    reason = " ".join(text_checked(reason, "reason").split())
    if len(reason) > 200:
        raise ValidationError({"reason": _("Please keep the reason below 200 characters.")})
    if cents < 1:
        raise ValidationError({"amount": _("A bonus is at least 0.01.")})
    if not panel.visits.filter(participant=participant).exists():
        raise ValidationError({"participant": _("This person did not come from this panel.")})
    try:
        with transaction.atomic():
            bonus = Bonus.objects.create(
                panel=panel, participant=participant, cents=cents, reason=reason, created_by=actor
            )
    except IntegrityError:
        there = Bonus.objects.get(panel=panel, participant=participant, reason=reason)
        if there.cents != cents:
            raise ValidationError(
                {
                    "reason": _("There is a bonus for this reason already: %(amount)s.")
                    % {"amount": selectors.money(there.cents, panel.campaign.currency)}
                }
            ) from None
        return there
    audit.record(
        "bonus.created",
        study=panel.campaign.study,
        actor=actor,
        participant=participant,
        subject=bonus,
        cents=cents,
        reason=reason,
    )
    return bonus


@transaction.atomic
def payout_create(*, panel: Panel, actor: User | None) -> Payout | None:
    """Put all that is owed at this moment into one payout; None where nothing is.

    The panel's row is locked, and a judgement's row in a payout is unique, so that two clicks make one.
    """
    Panel.objects.select_for_update(no_key=True).get(pk=panel.pk)
    owed = selectors.owed_prices(panel)
    bonuses = Bonus.objects.filter(panel=panel, payout=None)
    if not owed and not bonuses.exists():
        return None
    last = Payout.objects.filter(panel=panel).aggregate(last=Max("number"))["last"] or 0
    payout = Payout.objects.create(panel=panel, number=last + 1, created_by=actor, created_at=database_now())
    PayoutSet.objects.bulk_create(
        (PayoutSet(payout=payout, judgement_id=pk, cents=cents) for pk, cents in owed), batch_size=_BATCH
    )
    extra = bonuses.update(payout=payout)
    audit.record(
        "payout.created",
        study=panel.campaign.study,
        actor=actor,
        subject=payout,
        number=payout.number,
        sets=len(owed),
        bonuses=extra,
    )
    return payout


@transaction.atomic
def payout_set_paid(*, payout: Payout, actor: User | None) -> Payout:
    """The paymaster has paid it; said twice changes nothing."""
    held = Payout.objects.select_for_update(no_key=True, of=("self",)).get(pk=payout.pk)
    if held.paid_at is None:
        held.paid_at, held.paid_by = database_now(), actor
        held.save(update_fields=["paid_at", "paid_by"])
        study = payout.panel.campaign.study
        audit.record("payout.paid", study=study, actor=actor, subject=held, number=held.number)
    return held


def payout_note_fetch(*, payout: Payout, actor: User) -> None:
    """The list for the paymaster says who is behind pseudonyms, so whoever fetches it is noted."""
    study = payout.panel.campaign.study
    audit.record("payout.fetched", study=study, actor=actor, subject=payout, number=payout.number)


@transaction.atomic
def payout_cancel(*, payout: Payout, actor: User | None) -> None:
    """Take an unpaid payout apart: all in it is owed again."""
    held = Payout.objects.select_for_update(no_key=True, of=("self",)).get(pk=payout.pk)
    if held.paid_at:
        raise ValidationError(_("This payout is paid, so it stays."))
    study = payout.panel.campaign.study
    audit.record("payout.cancelled", study=study, actor=actor, subject=held, number=held.number)
    held.delete()
