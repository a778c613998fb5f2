"""Campaigns and judgements through the API."""

from __future__ import annotations

import django_filters
from django.db.models import F, Func, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema

from apps.campaigns.models import Campaign, Item, Judgement
from apps.campaigns.serializers import CampaignSerializer, JudgementSerializer
from apps.studies.api import IdFilter, ScopedViewSet, StudyFilters, YesNoFilter


class CampaignFilters(StudyFilters):
    task = django_filters.ChoiceFilter(choices=Campaign.Task.choices, label=_("creation or validation."))
    state = django_filters.ChoiceFilter(choices=Campaign.State.choices, label=_("The campaign's state."))
    dataset = IdFilter("dataset_id", _("The dataset's id."))


@extend_schema(tags=["campaigns"])
class CampaignViewSet(ScopedViewSet[Campaign]):
    """Campaigns and how far they are."""

    model = Campaign
    serializer_class = CampaignSerializer
    filterset_class = CampaignFilters

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
            )
        )


def _number(rows: QuerySet[Item] | QuerySet[Judgement]) -> Coalesce:
    """How many rows a subquery finds: a count of its own, so that counts don't multiply one another."""
    counted = rows.order_by().annotate(n=Func(F("pk"), function="COUNT")).values("n")
    return Coalesce(Subquery(counted), 0)


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
