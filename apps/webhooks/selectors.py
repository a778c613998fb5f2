"""Reading webhooks and how their deliveries went."""

from __future__ import annotations

from django.db.models import Count, Max, Q, QuerySet

from apps.studies.access import within
from apps.studies.models import Study
from apps.webhooks.models import Delivery, Webhook

_WAITING = Q(deliveries__state=Delivery.State.WAITING)
_GIVEN_UP = Q(deliveries__state=Delivery.State.GIVEN_UP)
_DELIVERED = Q(deliveries__state=Delivery.State.DELIVERED)


def webhooks_of(study: Study) -> QuerySet[Webhook]:
    """The study's webhooks with ``waiting``, ``given_up`` and ``last_at`` (the last delivery). One query."""
    return within(Webhook, study).annotate(
        waiting=Count("deliveries", filter=_WAITING),
        given_up=Count("deliveries", filter=_GIVEN_UP),
        last_at=Max("deliveries__tried_at", filter=_DELIVERED),
    )


def deliveries_of(webhook: Webhook, state: str = "") -> QuerySet[Delivery]:
    """The webhook's deliveries with their events, the newest first. One query."""
    found = webhook.deliveries.select_related("event")
    return found.filter(state=state) if state else found
