"""Campaigns and judgements through the API."""

from __future__ import annotations

import django_filters
from django.db.models import F, Func, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.viewsets import IdFilter, Keeping, ScopedViewSet, StudyFilters, YesNoFilter
from apps.campaigns import services
from apps.campaigns.models import Campaign, Guideline, Item, Judgement
from apps.campaigns.presets import presets
from apps.campaigns.readiness import doubts_refuse
from apps.campaigns.serializers import (
    AddedSerializer,
    CampaignBody,
    CampaignSerializer,
    GuidelineBody,
    GuidelineSerializer,
    ItemSerializer,
    JudgementSerializer,
    PresetSerializer,
    RulesBody,
    StateBody,
)


class CampaignFilters(StudyFilters):
    task = django_filters.ChoiceFilter(choices=Campaign.Task.choices, label=_("creation or validation."))
    state = django_filters.ChoiceFilter(choices=Campaign.State.choices, label=_("The campaign's state."))
    dataset = IdFilter("dataset_id", _("The dataset's id."))


@extend_schema(tags=["campaigns"])
class CampaignViewSet(Keeping[Campaign], ScopedViewSet[Campaign]):
    """Campaigns and how far they are."""

    model = Campaign
    serializer_class = CampaignSerializer
    filterset_class = CampaignFilters
    moving = ("item_count", "complete_count", "judgement_count", "counted_count", "skip_count")

    def get_queryset(self) -> QuerySet[Campaign]:
        answers = Judgement.objects.filter(item__campaign=OuterRef("pk"), item__is_test=False)
        items = Item.objects.filter(campaign=OuterRef("pk"), is_test=False)
        return (
            super()
            .get_queryset()
            .select_related("study")
            .annotate(
                item_count=_number(items),
                complete_count=_number(items.filter(is_complete=True)),
                judgement_count=_number(answers),
                counted_count=_number(answers.filter(counted=True)),
                skip_count=_number(answers.exclude(skip_reason="")),
                guideline_version=Subquery(
                    Guideline.objects.filter(campaign=OuterRef("pk"))
                    .order_by("-version")
                    .values("version")[:1]
                ),
            )
        )

    @extend_schema(
        request=CampaignBody,
        responses={201: CampaignSerializer},
        examples=[
            OpenApiExample(
                "Creation, as MED did it",
                {
                    "study": "dogs-and-cats",
                    "name": "Rewriting",
                    "task": "creation",
                    "blank_set": 1,
                    "new_dataset": "Dogs and cats",
                    "preset": "med-2019-creation",
                },
                request_only=True,
            ),
            OpenApiExample(
                "Validation",
                {
                    "study": "dogs-and-cats",
                    "name": "Judging",
                    "task": "validation",
                    "dataset": 1,
                    "target": 3,
                },
                request_only=True,
            ),
        ],
    )
    def create(self, request: Request) -> Response:
        """A draft with its items and the first version of its instructions; open it by its ``state``."""
        body = self.checked(CampaignBody)
        if key := body.get("preset"):
            body = {**presets()[key].rules, **body}
        return self.made(services.campaign_begin(actor=self.user, **body))

    @extend_schema(
        request=RulesBody,
        responses=CampaignSerializer,
        examples=[OpenApiExample("Ask five people", {"target": 5}, request_only=True)],
    )
    def partial_update(self, request: Request, pk: str) -> Response:
        """Change the name or rules. A new target is in force for every lease granted from then on."""
        campaign = self.one()
        body = self.checked(RulesBody, study=campaign.study, partial=True)
        return self.shown(services.campaign_update(campaign=campaign, actor=self.user, **body))

    @extend_schema(
        request=StateBody,
        responses=CampaignSerializer,
        examples=[OpenApiExample("Open it", {"state": "open"}, request_only=True)],
    )
    @action(detail=True, methods=["post"])
    def state(self, request: Request, pk: str) -> Response:
        """Open, pause or close a campaign. Answers in hand are kept. A draft that asks for what is not there
        (test questions, people enough) opens only with `confirmed`; the refusal says what is missing."""
        campaign = self.one()
        body = self.checked(StateBody)
        if body["state"] == Campaign.State.OPEN and not body["confirmed"]:
            doubts_refuse(campaign)
        held = services.campaign_set_state(campaign=campaign, actor=self.user, state=body["state"])
        return self.shown(held)

    @extend_schema(request=None, responses=AddedSerializer)
    @action(detail=True, methods=["post"], url_path="new-pairs")
    def new_pairs(self, request: Request, pk: str) -> Response:
        """Take the pairs in that the dataset has got since; for campaigns in which pairs are judged."""
        return Response({"added": services.items_add_new_pairs(campaign=self.one(), actor=self.user)})

    @extend_schema(
        methods=["get"], responses=GuidelineSerializer(many=True), description="The versions, oldest first."
    )
    @extend_schema(
        methods=["post"],
        request=GuidelineBody,
        responses={201: GuidelineSerializer},
        description="A new version of the instructions, in force from now on; the same text makes none.",
        examples=[OpenApiExample("Instructions", {"body": "# What to do\nRead."}, request_only=True)],
    )
    @action(detail=True, methods=["get", "post"], filterset_class=None)
    def guidelines(self, request: Request, pk: str) -> Response:
        campaign = self.one()
        if request.method != "POST":
            return self.page_of(campaign.guidelines.all(), GuidelineSerializer)
        body = self.checked(GuidelineBody)
        guideline = services.guideline_create(campaign=campaign, actor=self.user, **body)
        return Response(GuidelineSerializer(guideline).data, status=201)

    @extend_schema(responses=PresetSerializer(many=True), filters=False)
    @action(detail=False, methods=["get"], pagination_class=None)
    def presets(self, request: Request) -> Response:
        """Settings that papers report, to begin a campaign with."""
        return Response(PresetSerializer(list(presets().values()), many=True).data)


def _number(rows: QuerySet[Item] | QuerySet[Judgement]) -> Coalesce:
    """How many rows a subquery finds: a count of its own, so that counts don't multiply one another."""
    counted = rows.order_by().annotate(n=Func(F("pk"), function="COUNT")).values("n")
    return Coalesce(Subquery(counted), 0)


class ItemFilters(StudyFilters):
    campaign = IdFilter("campaign_id", _("The campaign's id."))
    blank = IdFilter("blank_id", _("The blank's id."))
    pair = IdFilter("pair_id", _("The pair's id."))
    is_complete = YesNoFilter("is_complete", _("Whether all wanted answers are there."))


@extend_schema(tags=["campaigns"])
class ItemViewSet(ScopedViewSet[Item]):
    """What a campaign gives to annotators: blanks to rewrite, or pairs to judge. Test questions are not
    among them."""

    model = Item
    serializer_class = ItemSerializer
    filterset_class = ItemFilters

    def get_queryset(self) -> QuerySet[Item]:
        return super().get_queryset().filter(is_test=False)


class JudgementFilters(StudyFilters):
    campaign = IdFilter("item__campaign_id", _("The campaign's id."))
    dataset = IdFilter("item__campaign__dataset_id", _("The id of the campaign's dataset."))
    item = IdFilter("item_id", _("The item's id."))
    pair = IdFilter("item__pair_id", _("The id of the pair that was judged."))
    annotator = django_filters.CharFilter(field_name="participant__pseudonym", label=_("A pseudonym."))
    counted = YesNoFilter("counted", _("false for surplus answers."))
    answer = django_filters.CharFilter(label=_("The answer, such as entailment or unnatural."))


@extend_schema(tags=["campaigns"])
class JudgementViewSet(ScopedViewSet[Judgement]):
    """Every single judgement, under its annotator's pseudonym, with its earlier values.

    Answers to test questions are no judgements of the data and are left out."""

    model = Judgement
    serializer_class = JudgementSerializer
    filterset_class = JudgementFilters

    def get_queryset(self) -> QuerySet[Judgement]:
        return (
            super()
            .get_queryset()
            .filter(item__is_test=False)
            .select_related("item__campaign", "participant", "guideline")
            .prefetch_related("replacements", "revisions__guideline")
        )
