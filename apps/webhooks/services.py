"""Webhooks' writes: registering an address, changing it, what was delivered and what was not."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.frame.clock import database_now
from apps.frame.outbound.destinations import address_checked
from apps.studies import audit
from apps.studies.models import Study
from apps.webhooks.events import EventType
from apps.webhooks.models import TEST, Delivery, Event, Stopped, Webhook
from apps.webhooks.signatures import new_secret

MOST_WEBHOOKS = 20
# How long the old secret still signs beside the new one.
BOTH_SECRETS = timedelta(hours=24)
# Waits of 30 s, 90 s, 4.5 min … 18 h, then a day: ten of them make 75 hours.
FIRST_WAIT = timedelta(seconds=30)
LONGEST_WAIT = timedelta(hours=24)
MOST_ATTEMPTS = 11
# An address that has failed for so long, with no success between, is told no more.
LONGEST_FAILURE = timedelta(days=5)
GONE = 410


@transaction.atomic
def webhook_create(
    *, study: Study, actor: User, address: str, events: Sequence[str], server: str
) -> tuple[Webhook, str]:
    """An address to be told, and the secret that signs what it is told: the only time that it is shown.

    ``server`` is this server's own address, such as ``https://polarlab.example.org``. ValidationError by
    field: no https, a host that the server may not speak to, no event.
    """
    address = address_checked(address)
    Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    if Webhook.objects.filter(study=study, address=address).exists():
        raise ValidationError({"address": _("This study tells this address already.")})
    if Webhook.objects.filter(study=study).count() >= MOST_WEBHOOKS:
        raise ValidationError(_("A study tells %(n)d addresses at most.") % {"n": MOST_WEBHOOKS})
    webhook = Webhook.objects.create(
        study=study,
        address=address,
        events=_events_checked(events),
        secret=new_secret(),
        server=server.rstrip("/"),
        created_by=actor,
    )
    _study_listens(study)
    audit.record("webhook.created", study=study, actor=actor, subject=webhook, events=webhook.events)
    return webhook, webhook.secret


@transaction.atomic
def webhook_update(*, webhook: Webhook, actor: User, events: Sequence[str]) -> Webhook:
    """Choose the events anew; what waits already is still delivered."""
    held = Webhook.objects.select_for_update(no_key=True).get(pk=webhook.pk)
    chosen = _events_checked(events)
    if chosen == held.events:
        return held
    held.events = chosen
    held.save(update_fields=["events"])
    _study_listens(held.study)
    audit.record("webhook.changed", study=held.study, actor=actor, subject=held, events=held.events)
    return held


@transaction.atomic
def webhook_rotate(*, webhook: Webhook, actor: User) -> str:
    """A new secret, shown now and never again; the old one signs beside it for another day."""
    held = Webhook.objects.select_for_update(no_key=True).get(pk=webhook.pk)
    held.previous_secret, held.previous_until = held.secret, database_now() + BOTH_SECRETS
    held.secret = new_secret()
    held.save(update_fields=["secret", "previous_secret", "previous_until"])
    audit.record("webhook.rotated", study=held.study, actor=actor, subject=held)
    return held.secret


@transaction.atomic
def webhook_enable(*, webhook: Webhook, actor: User) -> None:
    """Tell the address again, from now on; what happened meanwhile was not kept for it."""
    held = Webhook.objects.select_for_update(no_key=True).get(pk=webhook.pk)
    if held.disabled_at is None:
        return
    held.disabled_at, held.disabled_reason, held.failing_since = None, "", None
    held.save(update_fields=["disabled_at", "disabled_reason", "failing_since"])
    _study_listens(held.study)
    audit.record("webhook.enabled", study=held.study, actor=actor, subject=held)


@transaction.atomic
def webhook_disable(*, webhook: Webhook, actor: User | None, reason: Stopped | None = None) -> None:
    """Tell the address nothing any more; what waits for it is given up."""
    held = Webhook.objects.select_for_update(no_key=True).get(pk=webhook.pk)
    if held.disabled_at:
        return
    held.disabled_at, held.disabled_reason = database_now(), reason or ""
    held.save(update_fields=["disabled_at", "disabled_reason"])
    held.deliveries.filter(state=Delivery.State.WAITING).update(state=Delivery.State.GIVEN_UP)
    _study_listens(held.study)
    audit.record("webhook.disabled", study=held.study, actor=actor, subject=held, reason=held.disabled_reason)


@transaction.atomic
def webhook_remove(*, webhook: Webhook, actor: User) -> None:
    """Forget the address and how its deliveries went."""
    study = webhook.study
    audit.record("webhook.removed", study=study, actor=actor, subject=webhook)
    Webhook.objects.filter(pk=webhook.pk).delete()
    _study_listens(study)


@transaction.atomic
def webhook_test(*, webhook: Webhook, actor: User) -> Delivery:
    """An event that says nothing, for this address alone."""
    if webhook.disabled_at:
        raise ValidationError(_("This address is told nothing at present; switch it on first."))
    now = database_now()
    event = Event.objects.create(study=webhook.study, type=TEST, at=now, is_dealt=True)
    audit.record("webhook.tested", study=webhook.study, actor=actor, subject=webhook)
    return Delivery.objects.create(webhook=webhook, event=event, next_at=now)


@transaction.atomic
def delivery_resend(*, delivery: Delivery, actor: User) -> None:
    """Send it once more, under the same message id, with a fresh row of tries."""
    webhook = Webhook.objects.get(pk=delivery.webhook_id)
    if webhook.disabled_at:
        raise ValidationError(_("This address is told nothing at present; switch it on first."))
    Delivery.objects.filter(pk=delivery.pk).update(
        state=Delivery.State.WAITING, attempts=0, next_at=database_now()
    )
    audit.record("webhook.resent", study=webhook.study, actor=actor, subject=delivery)


# ---- How a try ended ----------------------------------------------------------------------------


@transaction.atomic
def delivery_succeed(*, delivery: Delivery, status: int, answer: str) -> None:
    _store(delivery, state=Delivery.State.DELIVERED, status=status, answer=answer)
    Webhook.objects.filter(pk=delivery.webhook_id, failing_since__isnull=False).update(failing_since=None)


@transaction.atomic
def delivery_fail(*, delivery: Delivery, reason: str, status: int | None = None, answer: str = "") -> None:
    """Try it later, or give it up after the last try; an address that fails for days is told no more."""
    now = database_now()
    is_last = delivery.attempts + 1 >= MOST_ATTEMPTS
    _store(
        delivery,
        state=Delivery.State.GIVEN_UP if is_last else Delivery.State.WAITING,
        status=status,
        answer=answer,
        error=reason,
        next_at=now + wait_after(delivery.attempts + 1),
    )
    webhook = Webhook.objects.select_for_update(no_key=True).get(pk=delivery.webhook_id)
    if webhook.failing_since is None:
        webhook.failing_since = now
        webhook.save(update_fields=["failing_since"])
    if status == GONE:
        webhook_disable(webhook=webhook, actor=None, reason=Stopped.GONE)
    elif now - webhook.failing_since >= LONGEST_FAILURE:
        webhook_disable(webhook=webhook, actor=None, reason=Stopped.FAILING)


def wait_after(attempts: int) -> timedelta:
    """How long to wait after so many tries: thrice as long each time, give or take a tenth.

    What failed together must not come back together, hence the tenth.
    """
    wait: timedelta = min(FIRST_WAIT * 3 ** (attempts - 1), LONGEST_WAIT)
    return wait * random.uniform(0.9, 1.1)


def _store(
    delivery: Delivery,
    *,
    state: str,
    status: int | None,
    answer: str,
    error: str = "",
    next_at: datetime | None = None,
) -> None:
    delivery.state, delivery.status, delivery.answer, delivery.error = state, status, answer, error[:200]
    delivery.attempts += 1
    delivery.tried_at = database_now()
    delivery.next_at = next_at or delivery.next_at
    delivery.save()


# ---- What makes sense ---------------------------------------------------------------------------


def _events_checked(events: Sequence[str]) -> list[str]:
    unknown = sorted(set(events) - set(EventType.values))
    if unknown:
        raise ValidationError({"events": _("There is no event “%(name)s”.") % {"name": unknown[0][:40]}})
    if not events:
        raise ValidationError({"events": _("Please choose at least one event.")})
    return [event for event in EventType.values if event in events]


def _study_listens(study: Study) -> None:
    """Keep on the study's row what anybody wants to hear of: it is at hand wherever something happens."""
    Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    listening = Webhook.objects.filter(study=study, disabled_at=None).values_list("events", flat=True)
    study.told_events = sorted({event for events in listening for event in events})
    Study.objects.filter(pk=study.pk).update(told_events=study.told_events)
