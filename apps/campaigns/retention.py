"""What a campaign is asked before it is archived or deleted, and what campaigns say of their study."""

from __future__ import annotations

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.campaigns.models import Campaign, Judgement, Replacement
from apps.campaigns.services.lifecycle import campaign_update
from apps.corpora.models import BlankSet
from apps.datasets.models import Dataset, Pair
from apps.studies.models import Study
from apps.studies.retention import Keepable


def busy_campaign(campaign: Campaign) -> list[str]:
    return [_("It is open. Close it first.")] if campaign.state == Campaign.State.OPEN else []


def busy_study(study: Study) -> list[str]:
    names = Campaign.objects.filter(study=study, state=Campaign.State.OPEN).values_list("name", flat=True)
    return [_("“%(name)s” is open. Close it first.") % {"name": name} for name in names]


def busy_thing(thing: BlankSet | Dataset) -> list[str]:
    """Of a set of blanks or a dataset: the open campaigns that are at work with it."""
    names = thing.campaigns.filter(state=Campaign.State.OPEN).values_list("name", flat=True)
    return [_("“%(name)s” is open. Close it first.") % {"name": name} for name in names]


def campaigns_made_of(thing: BlankSet | Dataset) -> tuple[list[str], list[str]]:
    """A campaign keeps its blanks and its dataset."""
    campaigns = thing.campaigns.count()
    kept = ngettext(
        "%(n)d campaign is made of it. Archive it instead.",
        "%(n)d campaigns are made of it. Archive it instead.",
        campaigns,
    )
    return [kept % {"n": campaigns}] if campaigns else [], []


def of_people(judgements: QuerySet[Judgement]) -> int:
    """Answers that a person gave who was asked: no simulation's, and no researcher's who tried it."""
    return judgements.filter(participant__simulated=False, could_see_labels=False).count()


def before_deleting(campaign: Campaign) -> tuple[list[str], list[str]]:
    return _said(Judgement.objects.filter(item__campaign=campaign))


def before_deleting_a_study(study: Study) -> tuple[list[str], list[str]]:
    reasons, goes = _said(Judgement.objects.filter(item__campaign__study=study))
    campaigns = Campaign.objects.filter(study=study).count()
    if campaigns:
        goes.append(ngettext("%(n)d campaign", "%(n)d campaigns", campaigns) % {"n": campaigns})
    return reasons, goes


def _said(judgements: QuerySet[Judgement]) -> tuple[list[str], list[str]]:
    people, every = of_people(judgements), judgements.count()
    reasons = ngettext(
        "%(n)d answer of annotators is in it. Every answer is kept: archive it instead.",
        "%(n)d answers of annotators are in it. Every answer is kept: archive it instead.",
        people,
    )
    goes = ngettext(
        "%(n)d answer, simulated or given by researchers to try it, and pairs that nothing else uses",
        "%(n)d answers, simulated or given by researchers to try it, and pairs that nothing else uses",
        every,
    )
    return [reasons % {"n": people}] if people else [], [goes % {"n": every}] if every else []


def _pairs_of_it_alone(campaign: Campaign) -> list[Pair]:
    """What was written in the campaign and nowhere else, and is judged nowhere."""
    elsewhere = Replacement.objects.exclude(judgement__item__campaign=campaign).values("pair")
    pairs = Pair.objects.filter(
        origin=Pair.Origin.CROWD, replacements__judgement__item__campaign=campaign, items=None
    )
    twins = Pair.objects.filter(swapped_from__isnull=False).values("swapped_from")
    return list(pairs.exclude(pk__in=elsewhere).exclude(pk__in=twins).distinct())


CAMPAIGN = Keepable(
    kind="campaign",
    model=Campaign,
    rename=lambda campaign, actor, name: campaign_update(campaign=campaign, actor=actor, name=name),
    along=_pairs_of_it_alone,
    address=lambda campaign: reverse("campaigns:campaign", args=[campaign.study.slug, campaign.pk]),
    among=lambda study: reverse("campaigns:list", args=[study.slug]),
)
