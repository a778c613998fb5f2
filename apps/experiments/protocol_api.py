"""A study's own protocols through the API."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.bodies import StudyBody
from apps.api.viewsets import ScopedViewSet
from apps.experiments import own_protocols
from apps.experiments.models import OwnProtocol

_EXAMPLE = """
title = "Down to depth 2"
paper = "ours"
source = "our appendix, table 1"
about = "Learnt from depth 1; tested on depth 2."
[sets]
D1 = { testbed = "systematicity", depth = 1 }
D2 = { testbed = "systematicity", depth = 2 }
[[trainings]]
name = "D1"
on = [{ set = "D1" }]
[[tests]]
name = "D2"
on = [{ set = "D2" }]
[presets.smoke]
train = 2000
test = 500
seeds = 2
pool = 20000
networks = ["lstm"]
""".strip()
_NEW = {"study": "dogs-and-cats", "name": "down_to_depth_2", "text": _EXAMPLE}


class OwnProtocolSerializer(serializers.ModelSerializer[OwnProtocol]):
    """``text`` is the file, ``sha256`` its sum."""

    sha256 = serializers.CharField(source="fingerprint", read_only=True)

    class Meta:
        model = OwnProtocol
        fields = ["id", "name", "sha256", "text", "created_at"]


class OwnProtocolBody(StudyBody):
    name = serializers.CharField(max_length=80)
    text = serializers.CharField(max_length=own_protocols.LARGEST_FILE, trim_whitespace=False)


@extend_schema(tags=["experiments"])
class OwnProtocolViewSet(ScopedViewSet[OwnProtocol]):
    """Protocols that the study's researchers wrote (docs/experiments.md has the format)."""

    model = OwnProtocol
    serializer_class = OwnProtocolSerializer

    @extend_schema(
        request=OwnProtocolBody,
        responses={201: OwnProtocolSerializer},
        examples=[OpenApiExample("Down to depth 2", _NEW, request_only=True)],
    )
    def create(self, request: Request) -> Response:
        """Keep a protocol; refused, with the line or the key, where anything in it can't be run."""
        body = self.checked(OwnProtocolBody)
        data = body.pop("text").encode()
        return self.made(own_protocols.protocol_add(actor=self.user, data=data, **body))

    def destroy(self, request: Request, pk: str) -> Response:
        """Remove it. Experiments made of it keep its text, and go on."""
        own_protocols.protocol_remove(protocol=self.one(), actor=self.user)
        return Response(status=204)
