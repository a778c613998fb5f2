"""What researchers' pages read: how far a campaign is, and what came in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.models import Count, Q, QuerySet
from django.db.models.functions import Now

from apps.campaigns.models import Assignment, Campaign, Item, Judgement
from apps.datasets.models import Pair
from apps.studies.access import within
from apps.studies.models import Study
from apps.tallies.counting import row_asked
from apps.tallies.selectors import Found, read

PROGRESS = "campaigns.progress"
NEW_PAIRS = "campaigns.new-pairs"


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


def progress_counts(campaigns: Sequence[Campaign]) -> dict[int, Progress]:
    """The progress of each campaign, by its number. Three queries whatever their count."""
    return _with_leases(campaigns, counts_of([campaign.pk for campaign in campaigns]))


def progress_kept(study: Study, campaigns: Sequence[Campaign]) -> tuple[dict[int, Progress], Found]:
    """The same out of what is kept, and what was found of it; {} until it is counted. What is being worked
    on is of now."""
    found = read(study, PROGRESS)
    if not found.is_there:
        return {}, found
    return _with_leases(campaigns, {int(pk): counts for pk, counts in found.value.items()}), found


def progress_counted(study: Study, _arguments: Mapping[str, Any]) -> dict[int, list[int]]:
    """Of each campaign of a study, the first six numbers of :class:`Progress`. Three queries."""
    return counts_of(within(Campaign, study).values_list("pk", flat=True))


def counts_of(campaigns: Iterable[int]) -> dict[int, list[int]]:
    """Of the campaigns of these numbers, the first six of :class:`Progress`. Two queries."""
    numbers = list(campaigns)
    complete = Q(is_complete=True)
    items = (
        Item.objects.filter(campaign__in=numbers, is_test=False)
        .order_by()
        .values_list("campaign")
        .annotate(
            items=Count("pk"),
            complete=Count("pk", filter=complete),
            partial=Count("pk", filter=~complete & Q(counted__gt=0)),
        )
    )
    judgements = (
        Judgement.objects.filter(item__campaign__in=numbers, item__is_test=False)
        .order_by()
        .values_list("item__campaign")
        .annotate(
            judgements=Count("pk"),
            skips=Count("pk", filter=~Q(skip_reason="")),
            surplus=Count("pk", filter=Q(counted=False)),
        )
    )
    found = {pk: [0] * 6 for pk in numbers}
    for pk, *counts in items:
        found[pk][:3] = counts
    for pk, *counts in judgements:
        found[pk][3:] = counts
    return found


def _with_leases(campaigns: Sequence[Campaign], counts: Mapping[int, Sequence[int]]) -> dict[int, Progress]:
    leases = Assignment.objects.filter(
        state=Assignment.State.LEASED, expires_at__gt=Now(), item__campaign__in=campaigns
    )
    held = dict(leases.order_by().values_list("item__campaign").annotate(n=Count("pk")))
    none = [0] * 6
    row: Any = Progress
    return {
        campaign.pk: row(*counts.get(campaign.pk, none), held.get(campaign.pk, 0)) for campaign in campaigns
    }


def new_pairs(campaign: Campaign) -> QuerySet[Pair]:
    """The dataset's pairs that a validation campaign has not got. Swapped twins follow their
    originals and are not judged on their own."""
    return (
        Pair.objects.filter(dataset=campaign.dataset_id)
        .exclude(origin=Pair.Origin.SWAP)
        .exclude(pk__in=Item.objects.filter(campaign=campaign).values("pair"))
        .order_by("pk")
    )


def new_pairs_counted(study: Study, arguments: Mapping[str, Any]) -> int:
    """How many :func:`new_pairs` the campaign of the ``arguments`` has."""
    return new_pairs(row_asked(Campaign, study, arguments["campaign"])).count()


#: The newest answers to one version of the instructions, found by an index; those of all versions together
#: would have to be sorted.
_NEWEST = """
    SELECT * FROM (
        SELECT j.id, j.submitted_at FROM campaigns_judgement j JOIN campaigns_item i ON i.id = j.item_id
        WHERE j.guideline_id = {version} AND NOT i.is_test {earlier}
        ORDER BY j.submitted_at DESC, j.id DESC LIMIT {number}
    ) of_{version}
"""
_EARLIER = "AND j.submitted_at <= %s AND (j.submitted_at < %s OR j.id < %s)"


def recent_judgements(campaign: Campaign, number: int, before: Judgement | None = None) -> list[Judgement]:
    """The campaign's judgements, newest first, those ``before`` one, so many at most, with all that a table
    row shows. Two queries (three unless the campaign's guidelines were prefetched), and those of what is
    prefetched."""
    versions = [version.pk for version in campaign.guidelines.all()]
    if not versions:
        return []
    earlier, values = "", []
    if before:
        at = connection.ops.adapt_datetimefield_value(before.submitted_at)
        earlier, values = _EARLIER, [at, at, before.pk]
    parts = [_NEWEST.format(version=version, earlier=earlier, number=number) for version in versions]
    sql = f"{' UNION ALL '.join(parts)} ORDER BY submitted_at DESC, id DESC LIMIT {number}"
    with connection.cursor() as cursor:
        cursor.execute(sql, values * len(versions))
        numbers = [pk for pk, _at in cursor.fetchall()]
    return list(
        Judgement.objects.filter(pk__in=numbers)
        .select_related("participant", "guideline", "item__blank__sentence", "item__pair")
        .prefetch_related("replacements", "item__pair__premises")
        .order_by("-submitted_at", "-pk")
    )
