"""A campaign's adjudication queue through the API: mixed into the campaigns' viewset (config/api_urls.py)."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.viewsets import ScopedViewSet
from apps.campaigns.models import Campaign
from apps.curation.adjudication import KINDS, queue


class WaitingPairSerializer(serializers.Serializer[Any]):
    """``tied``: no answer has more than half of the judgements; ``disputed``: most say another label than the
    calculus; ``changed``: it was decided, and an answer that the decision rests on is another by now."""

    pair = serializers.IntegerField(source="pk")
    why = serializers.ChoiceField(choices=KINDS)


class WithAdjudication(ScopedViewSet[Campaign]):
    @extend_schema(responses=WaitingPairSerializer(many=True), filters=False)
    @action(detail=True, methods=["get"], pagination_class=None)
    def adjudication(self, request: Request, pk: str) -> Response:
        """The pairs on which people did not come to one word, ties first; decide each at its own address
        (`/api/v1/pairs/{id}/adjudicate/`)."""
        waiting = queue(self.one()).values("pk", "why")
        return Response(WaitingPairSerializer(waiting, many=True).data)
