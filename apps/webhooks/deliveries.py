"""Telling: deal new events out to the addresses that want them, and send what is due.

The rows are the truth, as with jobs: a worker that dies between an answer and its storing sends the same
message again, under the same id; nothing is lost. An address has one worker at a time, which keeps one
connection open for what is due; a slow or dead address costs its own time only, and no submit ever waits.
"""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import F, Q
from django.urls import reverse

from apps.frame.clock import database_now
from apps.frame.outbound.destinations import NotSent
from apps.frame.outbound.lines import Line
from apps.webhooks import services
from apps.webhooks.events import address_name, subject_of
from apps.webhooks.models import Delivery, Event, Webhook
from apps.webhooks.signatures import headers

_DEALT_AT_ONCE = 500
_READ_AT_ONCE = 200
# What one call may take, and how long an address stays claimed by a worker of which nothing is heard.
_SECONDS = 45
_CLAIM = timedelta(seconds=90)
# After so many failures in a row, or the first that is no answer at all, the rest waits for the next time.
_MOST_FAILURES = 5
KEPT = timedelta(days=30)


def tell_all(*, seconds: float = _SECONDS) -> int:
    """Deal out what is new and send what is due, for at most so many seconds; returns how many were taken."""
    end = time.monotonic() + seconds
    while events_deal() and time.monotonic() < end:
        pass
    now = database_now()
    due = Delivery.objects.filter(state=Delivery.State.WAITING, next_at__lte=now)
    hooks = Webhook.objects.filter(pk__in=due.values("webhook"), disabled_at=None)
    # Those that answer come first, so that dead ones hold nobody up.
    in_turn = hooks.order_by(F("failing_since").asc(nulls_first=True), "pk")
    waiting = list(in_turn.values_list("pk", flat=True))
    count = 0
    for done, pk in enumerate(waiting):
        left = end - time.monotonic()
        if left > 0:
            # An even share of what is left, so that one address' storm is not all that is sent.
            count += _tell(pk, time.monotonic() + left / (len(waiting) - done))
    return count


@transaction.atomic
def events_deal() -> int:
    """Make the deliveries of events that have none yet; returns how many events were dealt out."""
    new = Event.objects.filter(is_dealt=False).order_by("pk").select_for_update(skip_locked=True)
    events = list(new[:_DEALT_AT_ONCE])
    if not events:
        return 0
    studies = {event.study_id for event in events}
    hooks = list(Webhook.objects.filter(study__in=studies, disabled_at=None))
    Delivery.objects.bulk_create(
        (
            Delivery(webhook=hook, event=event, next_at=event.at)
            for event in events
            for hook in hooks
            if hook.study_id == event.study_id and event.type in hook.events
        ),
        ignore_conflicts=True,
    )
    Event.objects.filter(pk__in=[event.pk for event in events]).update(is_dealt=True)
    return len(events)


def events_forget() -> int:
    """Delete events, with their deliveries, after 30 days; a thousand at a time."""
    old = Event.objects.filter(at__lt=database_now() - KEPT).order_by("at").values_list("pk", flat=True)
    pks = list(old[:1000])
    Event.objects.filter(pk__in=pks).delete()
    return len(pks)


def message_of(delivery: Delivery) -> bytes:
    """The body: the same bytes each time the event is sent to the address."""
    event, webhook = delivery.event, delivery.webhook
    data: dict[str, Any] = {"study": webhook.study.slug, **event.data}
    subject = subject_of(event.type)
    if subject in event.data:  # recording sees to it; the one that is sent by hand is about nothing
        data["url"] = webhook.server + reverse(address_name(event.type), args=[event.data[subject]])
    body = {"type": event.type, "timestamp": event.at.isoformat(), "data": data}
    return json.dumps(body, ensure_ascii=False, sort_keys=True).encode()


def _tell(pk: int, end: float) -> int:
    """Send what is due to one address, unless another worker is at it."""
    claim = _claimed(pk)
    if claim is None:
        return 0
    webhook = Webhook.objects.select_related("study").get(pk=pk)
    failures = count = 0
    with Line(webhook.address) as line:
        for delivery in _due(webhook):
            if time.monotonic() > end or failures >= _MOST_FAILURES or not _holds(pk, claim):
                break
            sent = _send(line, delivery)
            failures = 0 if sent else failures + 1
            count += bool(sent)
            if sent is None:
                break
    Webhook.objects.filter(pk=pk, claim=claim).update(claim="", claimed_until=None)
    return count


def _due(webhook: Webhook) -> Iterator[Delivery]:
    """What is due, a few hundred rows at a time: what was sent meanwhile is due no more."""
    due = webhook.deliveries.filter(state=Delivery.State.WAITING, next_at__lte=database_now())
    while batch := list(due.select_related("event").order_by("next_at", "pk")[:_READ_AT_ONCE]):
        for delivery in batch:
            delivery.webhook = webhook
            yield delivery


def _send(line: Line, delivery: Delivery) -> bool | None:
    """Whether it was taken; None where the address did not answer at all."""
    webhook, body = delivery.webhook, message_of(delivery)
    now = database_now()
    keys = [webhook.secret]
    if webhook.previous_until and webhook.previous_until > now:
        keys.append(webhook.previous_secret)
    signed = headers(keys, delivery.event.message_id, int(now.timestamp()), body)
    try:
        answer = line.post(body, {"Content-Type": "application/json", **signed})
    except NotSent as error:
        services.delivery_fail(delivery=delivery, reason=str(error))
        return None
    if answer.is_good:
        services.delivery_succeed(delivery=delivery, status=answer.status, answer=answer.text)
        return True
    services.delivery_fail(delivery=delivery, reason="", status=answer.status, answer=answer.text)
    return False


def _claimed(pk: int) -> str | None:
    """The address is this worker's for a while; one UPDATE decides who gets it."""
    now, claim = database_now(), uuid.uuid4().hex
    free = Q(claimed_until=None) | Q(claimed_until__lt=now)
    taken = Webhook.objects.filter(free, pk=pk, disabled_at=None).update(
        claim=claim, claimed_until=now + _CLAIM
    )
    return claim if taken else None


def _holds(pk: int, claim: str) -> bool:
    """Whether the address is still this worker's and still wants to be told."""
    return Webhook.objects.filter(pk=pk, claim=claim, disabled_at=None).exists()
