"""Gold rules and releases through the API."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.db.models import QuerySet
from django.http import FileResponse, Http404
from django.utils.translation import gettext_lazy as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.models import Scope
from apps.api.files import FileRenderer
from apps.api.problems import Damaged
from apps.api.viewsets import IdFilter, ScopedViewSet, StudyFilters
from apps.datasets.models import Dataset
from apps.jobs.api import job_answer
from apps.jobs.serializers import JobSerializer
from apps.releases.forecast import as_made, preview, suggested
from apps.releases.gold_rules import Options, options_of
from apps.releases.models import GoldRule, Release
from apps.releases.rule_outcomes import outcomes_start
from apps.releases.serializers import (
    GoldRuleBody,
    GoldRuleSerializer,
    ReleaseBody,
    ReleasePreviewSerializer,
    ReleaseSerializer,
    WorkOutBody,
)
from apps.releases.services import archive_restore, gold_rule_create, release_create
from apps.releases.storage import DAMAGE_NAMES, damage_found, final_path

_RULE = {"study": "dogs-and-cats", "name": "Two of three", "rule": "at-least", "judgements": 3, "matches": 2}
_RELEASE = {"dataset": 1, "rule": "majority", "judgements": 3, "train": 80, "validation": 10, "test": 10}


@extend_schema(tags=["releases"])
class GoldRuleViewSet(ScopedViewSet[GoldRule]):
    """Named rules that say which label of a pair is the gold one, in all their versions."""

    model = GoldRule
    serializer_class = GoldRuleSerializer

    def get_queryset(self) -> QuerySet[GoldRule]:
        return super().get_queryset().select_related("study")

    @extend_schema(
        request=GoldRuleBody,
        responses={201: GoldRuleSerializer},
        examples=[OpenApiExample("Two of three", _RULE, request_only=True)],
    )
    def create(self, request: Request) -> Response:
        """A named rule, or the next version of one; the same again is the version that is there."""
        body = self.checked(GoldRuleBody)
        study, name = body.pop("study"), body.pop("name")
        return self.made(gold_rule_create(study=study, actor=self.user, name=name, options=Options(**body)))

    @extend_schema(
        request=WorkOutBody,
        responses={202: JobSerializer},
        examples=[OpenApiExample("On a dataset", {"dataset": 1}, request_only=True)],
    )
    @action(detail=True, methods=["post"], url_path="work-out")
    def work_out(self, request: Request, pk: str) -> Response:
        """Work a rule of probabilities (``posterior``, ``mace``) out for every pair of a dataset, so that
        pairs can be filtered by it."""
        rule = self.one()
        dataset = self.checked(WorkOutBody, study=rule.study)["dataset"]
        return job_answer(outcomes_start(dataset=dataset, rule=rule, actor=self.user))


class ReleaseFilters(StudyFilters):
    dataset = IdFilter("dataset_id", _("The dataset's id."))


@extend_schema(tags=["releases"])
class ReleaseViewSet(ScopedViewSet[Release]):
    """Frozen, numbered, checksummed exports of a dataset."""

    model = Release
    serializer_class = ReleaseSerializer
    filterset_class = ReleaseFilters
    write_scope = Scope.RELEASE

    def get_queryset(self) -> QuerySet[Release]:
        return super().get_queryset().select_related("dataset__study")

    @extend_schema(
        request=ReleaseBody,
        responses={201: ReleaseSerializer},
        examples=[OpenApiExample("The majority's labels", _RELEASE, request_only=True)],
    )
    def create(self, request: Request) -> Response:
        """A new numbered release. A job (``job``) writes its file; then ``download`` says where it is."""
        dataset, options, rule = self._chosen()
        return self.made(release_create(dataset=dataset, actor=self.user, options=options, gold_rule=rule))

    @extend_schema(
        request=ReleaseBody,
        responses=ReleasePreviewSerializer,
        examples=[OpenApiExample("The majority's labels", _RELEASE, request_only=True)],
    )
    @action(detail=False, methods=["post"], write_scope=Scope.READ)
    def preview(self, request: Request) -> Response:
        """What a release of these choices would hold. Nothing is stored."""
        dataset, options, _rule = self._chosen()
        options.check()
        found = preview(dataset, options)
        return Response(ReleasePreviewSerializer(found, context={"options": options}).data)

    def _chosen(self) -> tuple[Dataset, Options, GoldRule | None]:
        """The dataset, what decides on the release, and the named rule whose words the options take."""
        body: dict[str, Any] = self.checked(ReleaseBody)
        dataset, rule = body.pop("dataset"), body.pop("gold_rule", None)
        options = Options.of(as_made(suggested(dataset), body))
        return dataset, replace(options, **options_of(rule)) if rule else options, rule

    @extend_schema(
        responses={(200, "application/zip"): OpenApiResponse(OpenApiTypes.BINARY, _("The release's file."))}
    )
    @action(detail=True, renderer_classes=[FileRenderer])
    def download(self, request: Request, *args: Any, **kwargs: Any) -> FileResponse:
        """The release's file, as it was frozen; 404 until then. 503 where it is not on disk as it was frozen:
        ``restore`` makes it again."""
        release = self.get_object()
        if release.frozen_at is None:
            raise Http404
        if damage := damage_found(release):
            raise Damaged(DAMAGE_NAMES[damage])
        return FileResponse(final_path(release).open("rb"), as_attachment=True, filename=release.file_name)

    @extend_schema(request=None, responses=ReleaseSerializer)
    @action(detail=True, methods=["post"])
    def restore(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Make the release's file on disk again, with the bytes that were frozen."""
        release = self.one()
        archive_restore(release=release, actor=self.user)
        return self.shown(release)
