"""Files of pairs on their way in, through the API: upload, look, commit."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.core.exceptions import ValidationError
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
from apps.corpora.sources import FileProblem
from apps.imports import drafts, services
from apps.imports.formats import mapped
from apps.imports.models import PairDraft
from apps.imports.readers import Choices
from apps.imports.serializers import (
    FilePairDraftBody,
    FullPairDraftSerializer,
    PairChoicesBody,
    PairCommitBody,
    PairDraftSerializer,
    TextPairDraftBody,
)

_TEXT = {
    "study": "dogs-and-cats",
    "name": "Farm pairs",
    "licence": "CC BY 4.0",
    "source": "ourselves",
    "text": "premise\thypothesis\tlabel\nNo dogs bark.\tNo small dogs bark.\tentailment\n",
    "file_name": "farm.tsv",
}
_MAPPING = {
    "mapping": {
        "premises": ["context"],
        "hypothesis": "claim",
        "label": "gold",
        "values": {"0": "entailment", "1": "non-entailment"},
    }
}


@extend_schema(tags=["pairs"])
@extend_schema_view(retrieve=extend_schema(responses=FullPairDraftSerializer))
class PairDraftViewSet(ScopedViewSet[PairDraft]):
    """Files on their way into a dataset. Nothing of a draft is a pair until it is committed; one of them
    alone has its preview, with every bad row by its number."""

    model = PairDraft
    parser_classes = [Json, MultiPartParser]

    def get_serializer_class(self) -> type[BaseSerializer[PairDraft]]:
        return PairDraftSerializer if self.action == "list" else FullPairDraftSerializer

    def get_queryset(self) -> QuerySet[PairDraft]:
        return super().get_queryset().select_related("study")

    @extend_schema(
        request={"application/json": TextPairDraftBody, "multipart/form-data": FilePairDraftBody},
        responses={201: FullPairDraftSerializer},
        examples=[OpenApiExample("One pair", _TEXT, request_only=True)],
    )
    def create(self, request: Request) -> Response:
        """Upload a file (multipart/form-data, ``file``), or send its text. It is read at once where it is
        small, else by a job. Look at the answer's ``state`` and ``preview``, then commit it."""
        is_file = (request.content_type or "").startswith("multipart/")
        body = self.checked(FilePairDraftBody if is_file else TextPairDraftBody)
        choices = Choices(format=body.pop("format", ""))
        draft = services.draft_create(actor=self.user, choices=choices, **body)
        return self.made(services.draft_preview(draft=draft, actor=self.user))

    @extend_schema(
        request=PairChoicesBody,
        responses=FullPairDraftSerializer,
        examples=[OpenApiExample("Columns", _MAPPING, request_only=True)],
    )
    def partial_update(self, request: Request, pk: str) -> Response:
        """Settle how the file is read, and read it anew: its encoding, a file of the archive, its format,
        what its columns hold."""
        draft = self.one()
        body = self.checked(PairChoicesBody)
        choices = self._settled(draft, drafts.choices_of(draft), body)
        held = services.draft_choose(draft=draft, actor=self.user, choices=choices)
        return self.shown(services.draft_preview(draft=held, actor=self.user))

    def _settled(self, draft: PairDraft, choices: Choices, body: dict[str, Any]) -> Choices:
        mapping = body.pop("mapping", None)
        if "has_header" in body and body["has_header"] != choices.has_header:
            choices = replace(choices, format=mapped.KEY, mapping=None)
        choices = replace(choices, **body)
        if mapping is None:
            return choices
        if not drafts.path_of(draft).is_file():
            raise Conflict(_("The file is not there any more; upload it again."))
        try:
            columns = {name.lower() for name in drafts.table_of(draft).columns}
        except (FileProblem, OSError) as error:
            raise Conflict(str(error)) from error
        found = mapped.ColumnMapping.of(mapping)
        if unknown := sorted(set(found.columns) - columns):
            raise ValidationError({"mapping": _("There is no column “%(name)s”.") % {"name": unknown[0]}})
        return replace(choices, format=mapped.KEY, mapping=found)

    @extend_schema(
        request=PairCommitBody,
        responses={200: FullPairDraftSerializer, 202: FullPairDraftSerializer},
        examples=[OpenApiExample("Leave bad rows out", {"skip_bad": True}, request_only=True)],
    )
    @action(detail=True, methods=["post"], parser_classes=[Json])
    def commit(self, request: Request, pk: str) -> Response:
        """Store the new pairs, all or nothing; done again, it changes nothing. 202 where a job does it, whose
        number is ``job``."""
        draft = self.one()
        job = services.draft_commit(draft=draft, actor=self.user, **self.checked(PairCommitBody))
        return self.shown(draft, status=200 if job is None or job.is_over else 202)

    def destroy(self, request: Request, pk: str) -> Response:
        """Throw a draft away that is not committed."""
        services.draft_discard(draft=self.one(), actor=self.user)
        return Response(status=204)
