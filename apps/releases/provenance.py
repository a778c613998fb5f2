"""Where a release's data came from: corpora, calculus, campaigns with their instructions, pay and rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db.models import Count, Q

from apps.campaigns.models import Campaign, Guideline
from apps.comparison.judges import Judges
from apps.corpora.models import Corpus
from apps.datasets.models import CalculusLabel, Dataset
from apps.panels.models import Panel, SetPrice
from apps.quality.models import Quality
from apps.quality.standing import Standing, of_numbers, of_tests


def calculus_versions(dataset: Dataset) -> list[dict[str, Any]]:
    """What made the current calculus labels. One query."""
    current = CalculusLabel.objects.filter(pair__dataset=dataset, is_current=True)
    names = ("engine", "engine_version", "convention", "parser")
    found = current.order_by(*names).values_list(*names).distinct()
    return [dict(zip(names, row, strict=True)) for row in found]


def corpora_of(dataset: Dataset) -> list[dict[str, Any]]:
    """The corpora that the premises come from, with their licences."""
    of_premises = Q(sentences__premises__pair__dataset=dataset)
    found = Corpus.objects.filter(of_premises).distinct().order_by("name")
    return [dict(row) for row in found.values("name", "licence", "source", "simulated")]


def campaigns_of(dataset: Dataset, judges: Judges) -> list[dict[str, Any]]:
    """The dataset's campaigns: the task, whether its answers are read, what was asked of people and paid, by
    which rules they were watched. Four queries a campaign."""
    campaigns = Campaign.objects.filter(dataset=dataset).order_by("pk").prefetch_related("guidelines")
    return [
        {
            "name": campaign.name,
            "task": campaign.task,
            "is_read": campaign.pk in judges.numbers,
            "annotators_an_item": campaign.target,
            "annotators_an_item_at_most": campaign.maximum or campaign.target,
            "minimum_seconds": campaign.minimum_seconds,
            "guideline_versions": sorted(guideline.version for guideline in campaign.guidelines.all()),
            "pay": _pay(campaign),
            "quality": _quality(campaign),
            "model_in_the_loop": campaign.show_predictions,
            "is_pilot": campaign.is_pilot,
            "simulated": campaign.simulated,
        }
        for campaign in campaigns
    ]


def _pay(campaign: Campaign) -> dict[str, Any] | None:
    """What a set or question was paid, in whole units of the currency, and how many were at that price;
    None where no pay was stated."""
    prices = SetPrice.objects.filter(judgement__item__campaign=campaign, judgement__item__is_test=False)
    paid = list(prices.order_by("cents").values_list("cents").annotate(sets=Count("pk")))
    if not paid and not campaign.price:
        return None
    panel = Panel.objects.filter(campaign=campaign).first()
    return {
        "panel": panel.platform if panel else None,
        "currency": campaign.currency,
        "prices": [{"price": cents / 100, "sets": sets} for cents, sets in paid]
        or [{"price": campaign.price / 100, "sets": None}],
    }


def _quality(campaign: Campaign) -> dict[str, Any] | None:
    """What people had to be and how they were watched; None where nothing was asked or watched."""
    settings = Quality.objects.filter(campaign=campaign).first()
    rules = [
        {
            "signal": rule.signal,
            "over_the_last": rule.last,
            "from_answers": rule.least,
            "threshold": rule.threshold,
            "then": rule.action,
        }
        for rule in campaign.rules.filter(is_active=True)
    ]
    if settings is None and not rules:
        return None
    asked = (
        {
            "languages": settings.languages,
            "countries": settings.countries,
            "approved_tasks_at_least": settings.approved_tasks,
            "approval_rate_at_least": settings.approval_rate,
            "standing": {
                "asked": Standing.ENFORCED.value,
                "numbers": of_numbers(settings).value,
                "quiz": of_tests(settings, settings.quiz_size).value,
                "test_questions": of_tests(settings).value,
            },
            "quiz_questions": settings.quiz_size,
            "quiz_wrong_at_most": settings.quiz_wrong,
            "test_questions_in_percent": settings.test_share,
            "checks": {
                "near-duplicate": settings.near_duplicates,
                "other-script": settings.other_script,
                "not-more-specific": settings.not_more_specific,
                "spelling": settings.spelling,
                "calculus": settings.calculus.value,
            },
        }
        if settings
        else {}
    )
    return {**asked, "test_questions": campaign.test_questions.count(), "rules": rules}


def guidelines_of(dataset: Dataset) -> Iterator[tuple[str, str, str]]:
    """Every version of every campaign's instructions: file name, campaign, text."""
    guidelines = Guideline.objects.filter(campaign__dataset=dataset).select_related("campaign")
    place: dict[int, int] = {}
    for guideline in guidelines.order_by("campaign_id", "version"):
        number = place.setdefault(guideline.campaign_id, len(place) + 1)
        name = f"campaign-{number}-{guideline.campaign.task}-v{guideline.version}.md"
        yield name, guideline.campaign.name, guideline.body
