"""Files of predictions on their way in, through the API: upload, look, commit."""

from __future__ import annotations

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_view
from rest_framework.decorators import action
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer

from apps.api.parsers import Json
from apps.api.viewsets import ScopedViewSet
from apps.imports.models import PredictionDraft
from apps.imports.predictions import services
from apps.imports.predictions.serializers import (
    FilePredictionDraftBody,
    FullPredictionDraftSerializer,
    PredictionChoicesBody,
    PredictionCommitBody,
    PredictionDraftSerializer,
    TextPredictionDraftBody,
)

_TEXT = {
    "dataset": 1,
    "model_name": "RoBERTa",
    "version": "2",
    "text": "pair_id\tlabel\tp_entailment\tp_non-entailment\n1\tentailment\t0.9\t0.1\n",
}


@extend_schema(tags=["models"])
@extend_schema_view(retrieve=extend_schema(responses=FullPredictionDraftSerializer))
class PredictionDraftViewSet(ScopedViewSet[PredictionDraft]):
    """Files of what a model says that was run elsewhere. Nothing of a draft is a prediction until it is
    committed; one of them alone has its preview, with every bad row by its number."""

    model = PredictionDraft
    parser_classes = [Json, MultiPartParser]

    def get_serializer_class(self) -> type[BaseSerializer[PredictionDraft]]:
        return PredictionDraftSerializer if self.action == "list" else FullPredictionDraftSerializer

    def get_queryset(self) -> QuerySet[PredictionDraft]:
        return super().get_queryset().select_related("dataset__study")

    @extend_schema(
        request={"application/json": TextPredictionDraftBody, "multipart/form-data": FilePredictionDraftBody},
        responses={201: FullPredictionDraftSerializer},
        examples=[OpenApiExample("One prediction", _TEXT, request_only=True)],
    )
    def create(self, request: Request) -> Response:
        """Upload a file (multipart/form-data, ``file``), or send its text: ``pair_id`` or texts, ``label``,
        probabilities. It is read at once where it is small, else by a job. Look at the answer's ``state`` and
        ``preview``, then commit it."""
        is_file = (request.content_type or "").startswith("multipart/")
        body = self.checked(FilePredictionDraftBody if is_file else TextPredictionDraftBody)
        draft = services.predictions_draft_create(actor=self.user, **body)
        return self.made(services.predictions_preview(draft=draft, actor=self.user))

    @extend_schema(
        request=PredictionChoicesBody,
        responses=FullPredictionDraftSerializer,
        examples=[OpenApiExample("Labels", {"values": {"0": "entailment"}}, request_only=True)],
    )
    def partial_update(self, request: Request, pk: str) -> Response:
        """Settle how the file is read, and read it anew: its encoding, a file of the archive, what its labels
        stand for."""
        options = self.checked(PredictionChoicesBody)
        held = services.predictions_draft_choose(draft=self.one(), actor=self.user, options=options)
        return self.shown(services.predictions_preview(draft=held, actor=self.user))

    @extend_schema(
        request=PredictionCommitBody,
        responses={200: FullPredictionDraftSerializer, 202: FullPredictionDraftSerializer},
        examples=[OpenApiExample("Leave bad rows out", {"skip_bad": True}, request_only=True)],
    )
    @action(detail=True, methods=["post"], parser_classes=[Json])
    def commit(self, request: Request, pk: str) -> Response:
        """Store the predictions as a run, all or nothing; done again, it changes nothing. 202 where a job
        does it, whose number is ``job``."""
        draft = self.one()
        job = services.predictions_commit(draft=draft, actor=self.user, **self.checked(PredictionCommitBody))
        return self.shown(draft, status=200 if job is None or job.is_over else 202)

    def destroy(self, request: Request, pk: str) -> Response:
        """Throw a draft away that is not committed."""
        services.predictions_draft_discard(draft=self.one(), actor=self.user)
        return Response(status=204)
