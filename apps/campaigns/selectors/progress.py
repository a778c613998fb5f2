"""What researchers' pages read: how far a campaign is, who answered, what came in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from django.db.models import Count, Q, QuerySet

from apps.campaigns.models import Campaign, Item, Judgement
from apps.campaigns.selectors.availability import live_leases
from apps.datasets.models import Pair
from apps.frame.clock import database_now
from apps.studies.models import Participant


@dataclass(frozen=True)
class Progress:
    """A campaign's items by how far they are, and its answers. ``surplus`` answers came too late to
    count; skips are answers too."""

    items: int
    complete: int
    partial: int
    judgements: int
    skips: int
    surplus: int
    live: int

    @property
    def untouched(self) -> int:
        return self.items - self.complete - self.partial

    @property
    def share(self) -> float | None:
        return self.complete / self.items if self.items else None


@dataclass(frozen=True)
class Annotator:
    """One participant's work in a campaign; ``seconds`` is the median of an answer's active time."""

    participant: Participant
    judgements: int
    skips: int
    surplus: int
    seconds: float


def progress_counts(campaigns: Sequence[Campaign]) -> dict[int, Progress]:
    """The progress of each campaign, by its number. Three queries whatever their count."""
    complete = Q(is_complete=True)
    items = {
        pk: counts
        for pk, *counts in Item.objects.filter(campaign__in=campaigns, is_test=False)
        .order_by()
        .values_list("campaign")
        .annotate(
            items=Count("pk"),
            complete=Count("pk", filter=complete),
            partial=Count("pk", filter=~complete & Q(counted__gt=0)),
        )
    }
    judgements = {
        pk: counts
        for pk, *counts in Judgement.objects.filter(item__campaign__in=campaigns, item__is_test=False)
        .order_by()
        .values_list("item__campaign")
        .annotate(
            judgements=Count("pk"),
            skips=Count("pk", filter=~Q(skip_reason="")),
            surplus=Count("pk", filter=Q(counted=False)),
        )
    }
    leases = live_leases(database_now()).filter(item__campaign__in=campaigns)
    held = dict(leases.order_by().values_list("item__campaign").annotate(n=Count("pk")))
    none = (0, 0, 0)
    progress: dict[int, Progress] = {}
    for campaign in campaigns:
        total, complete_items, partial = items.get(campaign.pk, none)
        answers, skips, surplus = judgements.get(campaign.pk, none)
        progress[campaign.pk] = Progress(
            total, complete_items, partial, answers, skips, surplus, held.get(campaign.pk, 0)
        )
    return progress


def annotators_of(campaign: Campaign) -> list[Annotator]:
    """Who answered, under their pseudonyms, most answers first. Two queries."""
    rows = Judgement.objects.filter(item__campaign=campaign, item__is_test=False).values_list(
        "participant", "seconds", "skip_reason", "counted"
    )
    by_participant: dict[int, list[tuple[float, str, bool]]] = {}
    for pk, seconds, skip_reason, counted in rows:
        by_participant.setdefault(pk, []).append((seconds, skip_reason, counted))
    participants = Participant.objects.in_bulk(by_participant)
    found = [
        Annotator(
            participant=participants[pk],
            judgements=len(answers),
            skips=sum(1 for answer in answers if answer[1]),
            surplus=sum(1 for answer in answers if not answer[2]),
            seconds=median(answer[0] for answer in answers),
        )
        for pk, answers in by_participant.items()
    ]
    return sorted(found, key=lambda a: (-a.judgements, a.participant.pseudonym))


def new_pairs(campaign: Campaign) -> QuerySet[Pair]:
    """The dataset's pairs that a validation campaign has not got. Swapped twins follow their
    originals and are not judged on their own."""
    return (
        Pair.objects.filter(dataset=campaign.dataset_id)
        .exclude(origin=Pair.Origin.SWAP)
        .exclude(pk__in=Item.objects.filter(campaign=campaign).values("pair"))
        .order_by("pk")
    )


def recent_judgements(campaign: Campaign) -> QuerySet[Judgement]:
    """The campaign's judgements, newest first, with all that a table row shows."""
    return (
        Judgement.objects.filter(item__campaign=campaign, item__is_test=False)
        .select_related("participant", "guideline", "item__blank__sentence", "item__pair")
        .prefetch_related("replacements", "item__pair__premises")
        .order_by("-submitted_at", "-pk")
    )
