"""Webhooks through the API."""

from __future__ import annotations

import django_filters
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.viewsets import IdFilter, ScopedViewSet, StudyFilters
from apps.frame.public_address import origin
from apps.webhooks import services
from apps.webhooks.models import Delivery, Webhook
from apps.webhooks.serializers import (
    DeliverySerializer,
    EventsBody,
    NewWebhookSerializer,
    WebhookBody,
    WebhookSerializer,
)

_NEW = {
    "study": "dogs-and-cats",
    "address": "https://lab.example.org/polarlab",
    "events": ["campaign.finished", "release.ready"],
}


@extend_schema(tags=["webhooks"])
class WebhookViewSet(ScopedViewSet[Webhook]):
    """Addresses that are told of a study's events by signed requests (docs/webhooks.md)."""

    model = Webhook
    serializer_class = WebhookSerializer
    shown_once = ("secret",)
    moving = ("failing_since",)

    def get_queryset(self) -> QuerySet[Webhook]:
        return super().get_queryset().select_related("study")

    @extend_schema(
        request=WebhookBody,
        responses={201: NewWebhookSerializer},
        examples=[OpenApiExample("Ends and releases", _NEW, request_only=True)],
    )
    def create(self, request: Request) -> Response:
        """Register an address. The answer has its secret, now and never again."""
        webhook, _secret = services.webhook_create(
            actor=self.user, server=origin(request), **self.checked(WebhookBody)
        )
        address = reverse("api:webhook-detail", args=[webhook.pk])
        return Response(NewWebhookSerializer(webhook).data, status=201, headers={"Location": address})

    @extend_schema(
        request=EventsBody,
        responses=WebhookSerializer,
        examples=[OpenApiExample("Releases alone", {"events": ["release.ready"]}, request_only=True)],
    )
    def partial_update(self, request: Request, pk: str) -> Response:
        """Choose its events anew."""
        return self.shown(
            services.webhook_update(webhook=self.one(), actor=self.user, **self.checked(EventsBody))
        )

    def destroy(self, request: Request, pk: str) -> Response:
        """Forget the address and its deliveries."""
        services.webhook_remove(webhook=self.one(), actor=self.user)
        return Response(status=204)

    @extend_schema(request=None, responses=NewWebhookSerializer)
    @action(detail=True, methods=["post"])
    def rotate(self, request: Request, pk: str) -> Response:
        """A new secret; the old one signs beside it for another day."""
        services.webhook_rotate(webhook=self.one(), actor=self.user)
        return Response(NewWebhookSerializer(self.one()).data)

    @extend_schema(request=None, responses={202: DeliverySerializer})
    @action(detail=True, methods=["post"])
    def test(self, request: Request, pk: str) -> Response:
        """Send it an event that says nothing."""
        delivery = services.webhook_test(webhook=self.one(), actor=self.user)
        address = reverse("api:webhook-delivery-detail", args=[delivery.pk])
        return Response(DeliverySerializer(delivery).data, status=202, headers={"Location": address})

    @extend_schema(request=None, responses=WebhookSerializer)
    @action(detail=True, methods=["post"])
    def enable(self, request: Request, pk: str) -> Response:
        """Tell it again, from now on."""
        services.webhook_enable(webhook=self.one(), actor=self.user)
        return self.shown(self.one())

    @extend_schema(request=None, responses=WebhookSerializer)
    @action(detail=True, methods=["post"])
    def disable(self, request: Request, pk: str) -> Response:
        """Tell it nothing any more; what waits is given up."""
        services.webhook_disable(webhook=self.one(), actor=self.user)
        return self.shown(self.one())


class DeliveryFilters(StudyFilters):
    webhook = IdFilter("webhook_id", _("The webhook's id."))
    state = django_filters.ChoiceFilter(choices=Delivery.State.choices, label=_("The delivery's state."))


@extend_schema(tags=["webhooks"])
class DeliveryViewSet(ScopedViewSet[Delivery]):
    """What webhooks were told in the last 30 days, and what came back."""

    model = Delivery
    serializer_class = DeliverySerializer
    filterset_class = DeliveryFilters

    def get_queryset(self) -> QuerySet[Delivery]:
        return super().get_queryset().select_related("event")

    @extend_schema(request=None, responses={202: DeliverySerializer})
    @action(detail=True, methods=["post"])
    def resend(self, request: Request, pk: str) -> Response:
        """Send it once more, under the same message id."""
        delivery = self.one()
        services.delivery_resend(delivery=delivery, actor=self.user)
        return self.shown(delivery, status=202)
