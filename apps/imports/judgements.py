"""The judgements that a file brings: every single one is kept, of people whom nobody knows by name.

A file's judgements are a closed campaign named after dataset and file. Its people are numbered by the
place that their answer has in a row ("1" to "3" for three ratings a pair), which says nothing about who
they were: agreement over them is right, a single one's record is not. Times are the import's, and the
seconds are 0, for files tell neither.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import F, Max
from django.utils import timezone

from apps.campaigns.models import (
    IMPORTED,
    Assignment,
    Campaign,
    Guideline,
    Item,
    Judgement,
    JudgementRevision,
)
from apps.datasets.labels import stored_label
from apps.datasets.models import Dataset
from apps.imports import bulk
from apps.imports.rows import Answer
from apps.studies.models import Participant


@dataclass(frozen=True)
class Filed:
    """The file that brings them: its name, the source of its dataset where that is known, and the number
    of the dataset that it belongs to, by which its people are known."""

    name: str
    source: str
    dataset: int

    @property
    def digest(self) -> str:
        return hashlib.sha256(f"{self.dataset}:{self.name}".encode()).hexdigest()[:10]

    def person(self, slot: str) -> str:
        """By what identifier the person in a slot is known."""
        return f"{self.digest}:{slot}"


@dataclass(frozen=True)
class Judged:
    """The answers that one row of a file gives for a pair; ``occurrence`` counts its rows from 0."""

    pair: int
    occurrence: int
    answers: Sequence[Answer]

    def slots(self) -> list[tuple[str, Answer]]:
        before = f"{self.occurrence + 1}." if self.occurrence else ""
        return [(f"{before}{number}", answer) for number, answer in enumerate(self.answers, 1)]


def judgements_store(*, dataset: Dataset, filed: Filed, judged: Sequence[Judged]) -> int:
    """Add the answers that are not there yet; returns how many. The same file twice adds nothing."""
    judged = [row for row in judged if row.answers]
    if not judged:
        return 0
    rated = any(answer.rating is not None for row in judged for answer in row.answers)
    campaign = _campaign(dataset, filed, rated=rated)
    items = _items(campaign, [row.pair for row in judged])
    wanted = [(items[row.pair], slot, answer) for row in judged for slot, answer in row.slots()]
    people = _people(dataset, filed, sorted({slot for _item, slot, _answer in wanted}))
    there = set(Judgement.objects.filter(item__in=items.values()).values_list("item_id", "participant_id"))
    fresh = {
        (item, people[slot]): answer for item, slot, answer in wanted if (item, people[slot]) not in there
    }
    _create(campaign, fresh)
    counted: dict[int, int] = {}
    for item, _person in fresh:
        counted[item] = counted.get(item, 0) + 1
    for number in sorted(set(counted.values())):
        same = [item for item, count in counted.items() if count == number]
        Item.objects.filter(pk__in=same).update(counted=F("counted") + number, wanted=F("counted") + number)
    return len(fresh)


def _create(campaign: Campaign, fresh: dict[tuple[int, int], Answer]) -> None:
    now, guideline = timezone.now(), campaign.guidelines.get(version=1).pk
    assignments = bulk.numbers(Assignment, len(fresh))
    judgements = bulk.numbers(Judgement, len(fresh))
    state = Assignment.State.SUBMITTED.value
    bulk.insert(
        Assignment,
        ("id", "item", "participant", "state", "leased_at", "shown_at", "expires_at"),
        (
            (pk, item, person, state, now, now, now)
            for pk, (item, person) in zip(assignments, fresh, strict=True)
        ),
    )
    given = [
        (pk, assignment, item, person, stored_label(answer.label), answer.rating)
        for pk, assignment, ((item, person), answer) in zip(
            judgements, assignments, fresh.items(), strict=True
        )
    ]
    bulk.insert(
        Judgement,
        (
            "id",
            "assignment",
            "item",
            "participant",
            "answer",
            "rating",
            "guideline",
            "seconds",
            "submitted_at",
        ),
        ((*one, guideline, 0, now) for one in given),
    )
    bulk.insert(
        JudgementRevision,
        ("judgement", "number", "value", "guideline", "at"),
        (
            (pk, 1, {"answer": answer, "rating": rating}, guideline, now)
            for pk, _a, _i, _p, answer, rating in given
        ),
    )


def campaign_of(dataset: Dataset, file_name: str, task: str) -> Campaign | None:
    """The campaign that a file's judgements of this dataset are in already."""
    of_file = Campaign.objects.filter(dataset=dataset, preset=IMPORTED, task=task)
    return of_file.filter(name__startswith=_name(dataset, file_name)).first()


def free_name(dataset: Dataset, file_name: str, study: int) -> str:
    """What a campaign of a file's judgements can be called in a study."""
    name = _name(dataset, file_name)
    there = Campaign.objects.filter(study=study, name__startswith=name)
    taken = set(there.values_list("name", flat=True))
    return next(
        option for n in range(1, 1000) if (option := name if n == 1 else f"{name} ({n})") not in taken
    )


def _name(dataset: Dataset, file_name: str) -> str:
    return f"{dataset.name}: {file_name}"[:190]


def _campaign(dataset: Dataset, filed: Filed, *, rated: bool) -> Campaign:
    task = Campaign.Task.LIKERT if rated else Campaign.Task.VALIDATION
    if found := campaign_of(dataset, filed.name, task):
        return found
    campaign = Campaign.objects.create(
        study=dataset.study,
        dataset=dataset,
        name=free_name(dataset, filed.name, dataset.study_id),
        task=task,
        state=Campaign.State.CLOSED,
        preset=IMPORTED,
        order=Campaign.Order.FIXED,
        simulated=dataset.simulated,
    )
    # Content, as all instructions: in English, whoever brings the file in.
    body = "These judgements came in with the file %(file)s; their authors’ instructions hold: %(source)s."
    Guideline.objects.create(
        campaign=campaign, version=1, body=body % {"file": filed.name, "source": filed.source or "not stated"}
    )
    return campaign


def _items(campaign: Campaign, pairs: Sequence[int]) -> dict[int, int]:
    """The campaign's item of each pair, made where it is missing."""
    items = dict(campaign.items.filter(pair__in=pairs).values_list("pair_id", "pk"))
    fresh = [pair for pair in dict.fromkeys(pairs) if pair not in items]
    last = campaign.items.aggregate(last=Max("position"))["last"] or 0
    made = bulk.numbers(Item, len(fresh))
    rows = (
        (pk, campaign.pk, pair, last + n, True)
        for n, (pk, pair) in enumerate(zip(made, fresh, strict=True), 1)
    )
    bulk.insert(Item, ("id", "campaign", "pair", "position", "is_complete"), rows)
    return items | dict(zip(fresh, made, strict=True))


def _people(dataset: Dataset, filed: Filed, slots: Sequence[str]) -> dict[str, int]:
    wanted = {filed.person(slot): slot for slot in slots}
    Participant.objects.bulk_create(
        [
            Participant(
                study=dataset.study,
                panel=IMPORTED,
                external_id=key,
                pseudonym=f"import-{filed.digest}-{slot}",
            )
            for key, slot in wanted.items()
        ],
        ignore_conflicts=True,
    )
    found = Participant.objects.filter(study=dataset.study, panel=IMPORTED, external_id__in=wanted)
    return {wanted[key]: pk for key, pk in found.values_list("external_id", "pk")}
