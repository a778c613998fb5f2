"""Edits of many pairs through the API."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.viewsets import IdFilter, ScopedViewSet, StudyFilters
from apps.curation import bulk_edits
from apps.curation.bulk_edit_serializers import PairChangeSerializer, PairEditBody, PairEditSerializer
from apps.curation.models import BulkEdit

_EDIT = {"dataset": 1, "action": "add", "tag": "needs-review", "filters": {"agreement": "differ"}}


class PairEditFilters(StudyFilters):
    dataset = IdFilter("dataset_id", _("The dataset's id."))


@extend_schema(tags=["pairs"])
class PairEditViewSet(ScopedViewSet[BulkEdit]):
    """Tags and flags that were put on many pairs at once, or taken off; each can be undone."""

    model = BulkEdit
    serializer_class = PairEditSerializer
    filterset_class = PairEditFilters

    @extend_schema(
        request=PairEditBody,
        responses={201: PairEditSerializer},
        examples=[OpenApiExample("Look at them again", _EDIT, request_only=True)],
    )
    def create(self, request: Request) -> Response:
        """Add a tag to pairs, or take it away: at once, or by a job where they are many."""
        body = self.checked(PairEditBody)
        pairs, filters = body.pop("pairs", None), body.pop("filters", None)
        if filters:
            filters = {name: value for name, value in filters.items() if value}
        return self.made(bulk_edits.edit_start(actor=self.user, ticked=pairs, filters=filters, **body))

    @extend_schema(request=None, responses=PairEditSerializer)
    @action(detail=True, methods=["post"])
    def undo(self, request: Request, pk: str) -> Response:
        """Take the edit back: what it added goes, what it took away comes back."""
        return self.shown(bulk_edits.undo_start(edit=self.one(), actor=self.user))

    @extend_schema(responses=PairChangeSerializer(many=True))
    @action(detail=True, filterset_class=None)
    def changes(self, request: Request, pk: str) -> Response:
        """The pairs that the edit changed, each with whose tag it was."""
        return self.page_of(self.one().changes.all(), PairChangeSerializer)
