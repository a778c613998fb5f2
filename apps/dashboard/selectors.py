"""What the dashboard reads: one pass over a dataset's pairs gives all of its tables.

Whose answers these are is chosen (apps/comparison/judges.py). The database counts; what is read are the
different combinations of answers, of which there are few, not the pairs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import attrgetter
from typing import Any

from django.db.models import Avg, Count, Max, Q, QuerySet

from apps.campaigns.models import Campaign, Item, Judgement
from apps.comparison.agreement import Agreements, agreements
from apps.comparison.judges import Judges
from apps.comparison.pairs import labelled, predicted
from apps.comparison.sureness_choice import narrowed
from apps.comparison.tallied import tallied
from apps.datasets.labels import ENTAILMENT, NON_ENTAILMENT, NOT_JUDGED
from apps.datasets.models import Dataset, Pair
from apps.inference.models import Run
from apps.studies.access import within
from apps.studies.models import Study

LABELS = (ENTAILMENT, NON_ENTAILMENT)


@dataclass(frozen=True)
class Combination:
    """Everything that was said of some pairs alike."""

    place: str
    human: str
    calculus: str
    file_label: str
    entailments: int
    non_entailments: int
    unnatural: int
    judgements: int
    matches: int | None
    predictions: tuple[str, ...]


@dataclass(frozen=True)
class Comparison:
    """A dataset's pairs counted by what was said of them; ``runs`` in the order of ``predictions``. ``only``
    are the filters that chose them, as an address has them."""

    dataset: Dataset
    judges: Judges
    runs: Sequence[Run]
    counts: Counter[Combination]
    agreement: Agreements
    only: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def total(self) -> int:
        return self.counts.total()

    def count(self, condition: Callable[[Combination], bool]) -> int:
        return sum(n for item, n in self.counts.items() if condition(item))

    @cached_property
    def judged(self) -> int:
        return self.count(lambda item: item.human != NOT_JUDGED)

    @cached_property
    def labelled(self) -> int:
        return self.count(lambda item: item.calculus in LABELS)

    @cached_property
    def filed(self) -> int:
        return self.count(lambda item: item.file_label in LABELS)

    def said(self, source: str) -> Iterator[tuple[Combination, str, int]]:
        """Each combination with what ``source`` says of it: human, calculus, file or ``run_<pk>``."""
        says = self.says(source)
        for item, n in self.counts.items():
            yield item, says(item), n

    def says(self, source: str) -> Callable[[Combination], str]:
        """What a source says of a combination. To look it up by combination would take each one's hash, of
        all that was said."""
        places = {predicted(run): index for index, run in enumerate(self.runs)}
        if source in places:
            place = places[source]
            return lambda item: item.predictions[place]
        return attrgetter("file_label" if source == "file" else source)


def comparable(dataset: Dataset, only: dict[str, Any] | None = None) -> QuerySet[Pair]:
    """The pairs that are compared. Twins were made by rule and nobody judged them: they would double what the
    models are asked. No query."""
    return narrowed(dataset.pairs.exclude(origin=Pair.Origin.SWAP), only or {})


def comparison(
    dataset: Dataset, judges: Judges, runs: Sequence[Run], only: dict[str, Any] | None = None
) -> Comparison:
    """All that the tables need, of the pairs that pass ``only`` (``SurenessForm.said``). Two queries, three
    where there is a scale; a row for each combination is read."""
    only = only or {}
    these = comparable(dataset, only)
    columns = ("place", "calculus", "file_label", *(predicted(run) for run in runs))
    counts: Counter[Combination] = Counter()
    for (place, calculus, filed, *said), answers, number in tallied(labelled(these, runs), judges, columns):
        combination = Combination(
            place=place,
            human=answers.human,
            calculus=calculus,
            file_label=filed,
            entailments=answers.entailments,
            non_entailments=answers.non_entailments,
            unnatural=answers.unnatural,
            judgements=answers.judgements,
            matches=answers.matches(calculus),
            predictions=tuple(said),
        )
        counts[combination] += number
    found = agreements(dataset, judges, these if only else None)
    return Comparison(dataset, judges, runs, counts, found, only)


# ---- Campaigns --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Progress:
    """How far a campaign is. ``wanted`` is the number of counted judgements that it asks for."""

    campaign: Campaign
    items: int = 0
    complete: int = 0
    counted: int = 0
    skipped: int = 0
    surplus: int = 0
    people: int = 0
    seconds: float | None = None
    last: object = None

    @property
    def wanted(self) -> int:
        return self.items * self.campaign.target

    @property
    def share(self) -> float | None:
        return min(1.0, self.counted / self.wanted) if self.wanted else None


def campaign_progress(campaigns: Sequence[Campaign]) -> list[Progress]:
    """The progress of some campaigns. Two queries."""
    of_items = Item.objects.filter(campaign__in=campaigns, is_test=False).order_by()
    items = of_items.values_list("campaign").annotate(
        items=Count("pk"), complete=Count("pk", filter=Q(is_complete=True))
    )
    of_judgements = Judgement.objects.filter(item__campaign__in=campaigns, item__is_test=False).order_by()
    judgements = of_judgements.values_list("item__campaign").annotate(
        answers=Count("pk", filter=Q(counted=True)),
        skipped=Count("pk", filter=~Q(skip_reason="")),
        surplus=Count("pk", filter=Q(counted=False)),
        people=Count("participant", distinct=True),
        seconds=Avg("seconds"),
        last=Max("submitted_at"),
    )
    per_items: dict[int, Any] = {campaign: numbers for campaign, *numbers in items}
    per_judgements: dict[int, Any] = {campaign: numbers for campaign, *numbers in judgements}
    return [
        Progress(
            campaign,
            *per_items.get(campaign.pk, (0, 0)),
            *per_judgements.get(campaign.pk, (0, 0, 0, 0, None, None)),
        )
        for campaign in campaigns
    ]


def campaigns_of(study: Study) -> QuerySet[Campaign]:
    return within(Campaign, study).select_related("dataset")
