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

from apps.campaigns.models import Assignment, Campaign, Guideline, Item, Judgement, JudgementRevision
from apps.datasets.comparison import NEUTRAL
from apps.datasets.importing.rows import Answer
from apps.datasets.models import NON_ENTAILMENT, Dataset
from apps.studies.models import Participant

# What participants and campaigns that came in with a file are known by.
IMPORTED = "import"


@dataclass(frozen=True)
class Judged:
    """The answers that one row of a file gives for a pair; ``occurrence`` counts its rows from 0."""

    pair: int
    occurrence: int
    answers: Sequence[Answer]

    def slots(self) -> list[tuple[str, Answer]]:
        before = f"{self.occurrence + 1}." if self.occurrence else ""
        return [(f"{before}{number}", answer) for number, answer in enumerate(self.answers, 1)]


def stored_label(label: str) -> str:
    """MultiNLI's *neutral* is stored as non-entailment; a contradiction stays one."""
    return NON_ENTAILMENT if label == NEUTRAL else label


def judgements_store(*, dataset: Dataset, file_name: str, source: str, judged: Sequence[Judged]) -> int:
    """Add the answers that are not there yet; returns how many. The same file twice adds nothing."""
    judged = [row for row in judged if row.answers]
    if not judged:
        return 0
    rated = any(answer.rating is not None for row in judged for answer in row.answers)
    campaign = _campaign(dataset, file_name, source, rated=rated)
    items = _items(campaign, [row.pair for row in judged])
    wanted = [(items[row.pair], slot, answer) for row in judged for slot, answer in row.slots()]
    people = _people(dataset, file_name, sorted({slot for _item, slot, _answer in wanted}))
    there = set(Judgement.objects.filter(item__in=items.values()).values_list("item_id", "participant_id"))
    fresh = {
        (item.pk, people[slot].pk): answer
        for item, slot, answer in wanted
        if (item.pk, people[slot].pk) not in there
    }
    _create(campaign.guidelines.get(version=1), fresh)
    counted: dict[int, int] = {}
    for item, _person in fresh:
        counted[item] = counted.get(item, 0) + 1
    for number in sorted(set(counted.values())):
        same = [item for item, count in counted.items() if count == number]
        Item.objects.filter(pk__in=same).update(counted=F("counted") + number, wanted=F("counted") + number)
    return len(fresh)


def _create(guideline: Guideline, fresh: dict[tuple[int, int], Answer]) -> None:
    now = timezone.now()
    assignments = Assignment.objects.bulk_create(
        [
            Assignment(
                item_id=item,
                participant_id=person,
                state=Assignment.State.SUBMITTED,
                leased_at=now,
                shown_at=now,
                expires_at=now,
            )
            for item, person in fresh
        ]
    )
    judgements = Judgement.objects.bulk_create(
        [
            Judgement(
                assignment=assignment,
                item_id=assignment.item_id,
                participant_id=assignment.participant_id,
                guideline=guideline,
                answer=stored_label(answer.label),
                rating=answer.rating,
                seconds=0,
                submitted_at=now,
            )
            for assignment, answer in zip(assignments, fresh.values(), strict=True)
        ]
    )
    JudgementRevision.objects.bulk_create(
        [
            JudgementRevision(
                judgement=judgement,
                number=1,
                value={"answer": judgement.answer, "rating": judgement.rating},
                guideline=guideline,
                at=now,
            )
            for judgement in judgements
        ]
    )


def _campaign(dataset: Dataset, file_name: str, source: str, *, rated: bool) -> Campaign:
    task = Campaign.Task.LIKERT if rated else Campaign.Task.VALIDATION
    name = f"{dataset.name}: {file_name}"[:190]
    found = Campaign.objects.filter(
        dataset=dataset, preset=IMPORTED, task=task, name__startswith=name
    ).first()
    if found:
        return found
    taken = set(
        Campaign.objects.filter(study=dataset.study, name__startswith=name).values_list("name", flat=True)
    )
    free = next(
        option for n in range(1, 1000) if (option := name if n == 1 else f"{name} ({n})") not in taken
    )
    campaign = Campaign.objects.create(
        study=dataset.study,
        dataset=dataset,
        name=free,
        task=task,
        state=Campaign.State.CLOSED,
        preset=IMPORTED,
        order=Campaign.Order.FIXED,
        simulated=dataset.simulated,
    )
    # Content, as all instructions: in English, whoever brings the file in.
    body = "These judgements came in with the file %(file)s; their authors’ instructions hold: %(source)s."
    Guideline.objects.create(
        campaign=campaign, version=1, body=body % {"file": file_name, "source": source or "not stated"}
    )
    return campaign


def _items(campaign: Campaign, pairs: Sequence[int]) -> dict[int, Item]:
    there = {item.pair_id: item for item in campaign.items.filter(pair__in=pairs)}
    last = campaign.items.aggregate(last=Max("position"))["last"] or 0
    fresh = [pair for pair in dict.fromkeys(pairs) if pair not in there]
    made = Item.objects.bulk_create(
        [
            Item(campaign=campaign, pair_id=pair, position=position, is_complete=True)
            for position, pair in enumerate(fresh, last + 1)
        ]
    )
    return {pair: item for pair, item in [*there.items(), *((item.pair_id, item) for item in made)] if pair}


def _people(dataset: Dataset, file_name: str, slots: Sequence[str]) -> dict[str, Participant]:
    of_file = hashlib.sha256(f"{dataset.pk}:{file_name}".encode()).hexdigest()[:10]
    wanted = {f"{of_file}:{slot}": slot for slot in slots}
    Participant.objects.bulk_create(
        [
            Participant(
                study=dataset.study, panel=IMPORTED, external_id=key, pseudonym=f"import-{of_file}-{slot}"
            )
            for key, slot in wanted.items()
        ],
        ignore_conflicts=True,
    )
    found = Participant.objects.filter(study=dataset.study, panel=IMPORTED, external_id__in=wanted)
    return {wanted[person.external_id]: person for person in found}
