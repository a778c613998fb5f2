"""Files on their way in, through the API: upload, look, commit."""

from __future__ import annotations

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_view
from rest_framework.decorators import action
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer

from apps.api.parsers import Json
from apps.api.problems import Conflict
from apps.api.viewsets import ScopedViewSet
from apps.corpora import draft_services
from apps.corpora.draft_serializers import (
    ColumnBody,
    CommitBody,
    DraftSerializer,
    EncodingBody,
    FileDraftBody,
    FullDraftSerializer,
    TextDraftBody,
)
from apps.corpora.formats.readings import Format
from apps.corpora.formats.tables import Layout
from apps.corpora.models import CorpusDraft

_TEXT = {
    "study": "dogs-and-cats",
    "name": "Dogs",
    "licence": "CC0",
    "source": "ourselves",
    "text": "Every dog barks at night.\nNo cat likes the rain.",
}


@extend_schema(tags=["corpora"])
@extend_schema_view(retrieve=extend_schema(responses=FullDraftSerializer))
class DraftViewSet(ScopedViewSet[CorpusDraft]):
    """Files on their way into a corpus. Nothing of a draft is a sentence until it is committed; one of them
    alone has its preview, with every bad row by its number."""

    model = CorpusDraft
    parser_classes = [Json, MultiPartParser]

    def get_serializer_class(self) -> type[BaseSerializer[CorpusDraft]]:
        return DraftSerializer if self.action == "list" else FullDraftSerializer

    def get_queryset(self) -> QuerySet[CorpusDraft]:
        return super().get_queryset().select_related("study")

    @extend_schema(
        request={"application/json": TextDraftBody, "multipart/form-data": FileDraftBody},
        responses={201: FullDraftSerializer},
        examples=[OpenApiExample("Two sentences", _TEXT, request_only=True)],
    )
    def create(self, request: Request) -> Response:
        """Upload a file (multipart/form-data, ``file``), or send its text. Look at the answer's ``state`` and
        ``preview``, then commit it."""
        shape = FileDraftBody if request.content_type.startswith("multipart/") else TextDraftBody
        return self.made(draft_services.draft_create(actor=self.user, **self.checked(shape)))

    @extend_schema(
        request=EncodingBody,
        responses=FullDraftSerializer,
        examples=[OpenApiExample("Windows", {"encoding": "cp1252"}, request_only=True)],
    )
    @action(detail=True, methods=["post"], parser_classes=[Json])
    def encoding(self, request: Request, pk: str) -> Response:
        """Read a file that is not UTF-8 in this encoding; the draft shows its guess and the first lines."""
        draft = self.one()
        body = self.checked(EncodingBody)
        return self.shown(draft_services.draft_accept_encoding(draft=draft, actor=self.user, **body))

    @extend_schema(
        request=ColumnBody,
        responses=FullDraftSerializer,
        examples=[OpenApiExample("The second column", {"column": 1}, request_only=True)],
    )
    @action(detail=True, methods=["post"], parser_classes=[Json])
    def column(self, request: Request, pk: str) -> Response:
        """Say which column of a table (CSV, TSV) holds the sentences."""
        draft = self.one()
        layout = Layout(**self.checked(ColumnBody))
        if draft.options.get("raw") or not Format(draft.options["format"]).is_table:
            raise Conflict(_("This file has no columns, or its encoding is not settled."))
        return self.shown(draft_services.draft_choose_column(draft=draft, actor=self.user, layout=layout))

    @extend_schema(
        request=CommitBody,
        responses=FullDraftSerializer,
        examples=[OpenApiExample("Leave bad rows out", {"skip_bad": True}, request_only=True)],
    )
    @action(detail=True, methods=["post"], parser_classes=[Json])
    def commit(self, request: Request, pk: str) -> Response:
        """Store the new sentences, all or nothing; done again, it changes nothing."""
        draft = self.one()
        return self.shown(
            draft_services.draft_commit(draft=draft, actor=self.user, **self.checked(CommitBody))
        )

    def destroy(self, request: Request, pk: str) -> Response:
        """Throw a draft away that is not committed."""
        draft_services.draft_discard(draft=self.one(), actor=self.user)
        return Response(status=204)
