"""Pairs on their way in, which nobody sees until all of them are there.

While a file is being stored, its pairs lie in a dataset of the same name in a hidden study, of which nobody
is a member. When the last row is in, they change study in one transaction: where the study has no dataset of
that name, the whole dataset does; else the pairs change to the one that is there. Rows of pairs that it has
already would show at once, so they wait as JSON until then. What is not whole is thrown away with the hidden
study.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence
from dataclasses import asdict
from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import F, Max
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.campaigns.models import Assignment, Campaign, Item, Judgement, JudgementRevision
from apps.datasets.labels import set_holding, stored_label
from apps.datasets.models import Dataset, GoldLabel, Pair
from apps.imports import drafts
from apps.imports.judgements import Filed, Judged, campaign_of, free_name
from apps.imports.models import PairDraft, WaitingRow
from apps.imports.rows import Answer, PairRow
from apps.imports.storage import SHOWN_CONFLICTS, Numbered, Stored, batch_store, gold_of, join_twins
from apps.studies import audit
from apps.studies.models import Participant, Study

BATCH = 500


# ---- In -----------------------------------------------------------------------------------------
def batch_stage(*, draft: PairDraft, batch: Sequence[Numbered]) -> None:
    """Store one batch where nobody sees it, and add to the draft's result, in the caller's transaction."""
    (hidden, held), target = _held(draft), target_of(draft)
    filed = _filed(draft, target or held)
    known = pairs_of(target, [item.digest for item in batch]) if target else {}
    fresh = [item for item in batch if item.digest not in known]
    again = pairs_of(held, [item.digest for item in fresh if item.occurrence])
    done = Stored.of(draft.result)
    done.add(batch_store(dataset=held, filed=filed, batch=fresh, there=again))
    if target and known:
        rows = [item for item in batch if item.digest in known]
        done.add(_known_stage(hidden, target, filed, rows, known))
    draft.result = asdict(done)
    draft.save(update_fields=["result"])


def pairs_of(dataset: Dataset, digests: Sequence[str]) -> dict[str, int]:
    """The numbers of those of these pairs that a dataset has."""
    if not digests:
        return {}
    found = Pair.objects.filter(dataset=dataset, digest__in=set(digests)).order_by()
    return dict(found.values_list("digest", "pk"))


def target_of(draft: PairDraft) -> Dataset | None:
    """The dataset that the draft's pairs go to, where the study has it already."""
    return Dataset.objects.filter(study=draft.study_id, name=draft.options["name"]).first()


def _held(draft: PairDraft) -> tuple[Study, Dataset]:
    """The draft's hidden study and its own dataset there; made with the first batch."""
    if draft.held_in is not None:
        return draft.held_in, Dataset.objects.get(study=draft.held_in)
    name = f"import-{draft.pk}-{uuid.uuid4().hex[:12]}"
    maker = draft.study.created_by
    hidden = Study.objects.create(name=name, slug=name, hidden=True, created_by=maker)
    draft.held_in = hidden
    draft.save(update_fields=["held_in"])
    dataset = Dataset.objects.create(
        study=hidden,
        name=draft.options["name"],
        labels=set_holding([*draft.preview["labels"], *draft.preview["answers"]]),
        licence=draft.options["licence"],
        source=draft.options["source"],
        created_by=draft.created_by,
    )
    return hidden, dataset


def _filed(draft: PairDraft, dataset: Dataset) -> Filed:
    return Filed(draft.file_name, dataset.source or draft.options["source"], dataset.pk)


def _known_stage(
    hidden: Study, target: Dataset, filed: Filed, known: Sequence[Numbered], there: dict[str, int]
) -> Stored:
    """Rows whose pairs are in the dataset: those that add something wait, the others are done with."""
    gold = gold_of(list(there.values()))
    given = _answers_of(target, filed, known, there)
    waiting: list[Numbered] = []
    done = Stored()
    for item in known:
        pair = there[item.digest]
        label = stored_label(item.row.label)
        judged = Judged(pair, item.occurrence, item.row.answers)
        has_new = any((pair, filed.person(slot)) not in given for slot, _answer in judged.slots())
        if item.occurrence or has_new or (label and pair not in gold):
            waiting.append(item)
            continue
        done.rows, done.known = done.rows + 1, done.known + 1
        if label and gold[pair] != label:
            done.conflict_count += 1
            done.conflicts = [*done.conflicts, item.row.line][:SHOWN_CONFLICTS]
    _wait(hidden, waiting)
    return done


def _answers_of(
    target: Dataset, filed: Filed, known: Sequence[Numbered], there: dict[str, int]
) -> set[tuple[int, str]]:
    """Which people of the file have judged these pairs already: pair and the person's identifier."""
    pairs = [there[item.digest] for item in known if item.row.answers]
    if not pairs:
        return set()
    is_rated = any(answer.rating is not None for item in known for answer in item.row.answers)
    task = Campaign.Task.LIKERT if is_rated else Campaign.Task.VALIDATION
    campaign = campaign_of(target, filed.name, task)
    given = Judgement.objects.filter(item__campaign=campaign, item__pair__in=pairs)
    return set(given.values_list("item__pair_id", "participant__external_id")) if campaign else set()


def _wait(hidden: Study, rows: Sequence[Numbered]) -> int:
    """Keep rows until the file is whole; returns how many of them did not wait already."""
    waiting = WaitingRow.objects.filter(study=hidden)
    before = waiting.count()
    WaitingRow.objects.bulk_create(
        [
            WaitingRow(
                study=hidden,
                number=item.row.number,
                row={"row": asdict(item.row), "digest": item.digest, "occurrence": item.occurrence},
            )
            for item in rows
        ],
        ignore_conflicts=True,
    )
    return waiting.count() - before


# ---- Whole --------------------------------------------------------------------------------------
def pairs_publish(*, draft: PairDraft, actor: User | None) -> Dataset:
    """The file is whole: all of its pairs become the study's, in the caller's transaction."""
    hidden, held = _held(draft)
    study, name = draft.study, draft.options["name"]
    target = Dataset.objects.select_for_update().filter(study=study, name=name).first()
    if target is None:
        Dataset.objects.filter(pk=held.pk).update(study=study)
        target = Dataset.objects.get(pk=held.pk)
        audit.record("dataset.created", study=study, actor=actor, subject=target, name=name)
    elif target.kind != Dataset.Kind.PAIRS:
        raise ValidationError(_("This dataset takes no pairs from files."))
    else:
        _give_way(draft, hidden, held, target)
        Pair.objects.filter(dataset=held).update(dataset=target)
    _people_move(hidden, study)
    _campaigns_move(hidden, target, draft.file_name)
    _waiting_store(draft, hidden, target)
    join_twins(
        target,
        list(target.pairs.filter(origin=Pair.Origin.SWAP, swapped_from=None).values_list("pk", flat=True)),
    )
    hidden_remove(hidden)
    draft.held_in, draft.dataset = None, target
    draft.save(update_fields=["held_in", "dataset", "result"])
    return target


def _give_way(draft: PairDraft, hidden: Study, held: Dataset, target: Dataset) -> None:
    """Pairs that others have added to the dataset in the meantime stay as they are: the file's rows of them
    are read again, and wait like those of pairs that were there from the beginning."""
    met = Pair.objects.filter(dataset=held, digest__in=target.pairs.order_by().values("digest"))
    digests = dict(met.values_list("digest", "pk"))
    if not digests:
        return
    done = Stored.of(draft.result)
    done.new -= len(digests)
    done.gold -= GoldLabel.objects.filter(pair__in=digests.values()).count()
    done.judgements -= Judgement.objects.filter(item__pair__in=digests.values()).count()
    pairs_throw_away(list(digests.values()))
    with drafts.reading_of(draft) as reading:
        numbered = (Numbered.of(event, reading) for event in reading.events if isinstance(event, PairRow))
        rows = [item for item in numbered if item.digest in digests]
    fresh = _wait(hidden, rows)
    done.rows, done.known = done.rows - fresh, done.known - (fresh - len(digests))
    draft.result = asdict(done)


def _people_move(hidden: Study, study: Study) -> None:
    """The file's people become the study's, or whom it knows by the same identifier."""
    there = {
        (panel, identifier): pk
        for panel, identifier, pk in Participant.objects.filter(
            study=study, external_id__in=Participant.objects.filter(study=hidden).values("external_id")
        ).values_list("panel", "external_id", "pk")
    }
    for person in Participant.objects.filter(study=hidden):
        known = there.get((person.panel, person.external_id))
        if known is None:
            Participant.objects.filter(pk=person.pk).update(study=study)
            continue
        Assignment.objects.filter(participant=person).update(participant=known)
        Judgement.objects.filter(participant=person).update(participant=known)


def _campaigns_move(hidden: Study, target: Dataset, file_name: str) -> None:
    """The file's judgements become a campaign of the study, or part of the one that the file has there."""
    for campaign in Campaign.objects.filter(study=hidden):
        there = campaign_of(target, file_name, campaign.task) if campaign.dataset_id != target.pk else None
        if there is None:
            name = free_name(target, file_name, target.study_id)
            moved = Campaign.objects.filter(pk=campaign.pk)
            moved.update(study=target.study, dataset=target, name=name)
            continue
        last = there.items.aggregate(last=Max("position"))["last"] or 0
        guideline = there.guidelines.get(version=1)
        judgements = Judgement.objects.filter(item__campaign=campaign)
        JudgementRevision.objects.filter(judgement__in=judgements).update(guideline=guideline)
        judgements.update(guideline=guideline)
        Item.objects.filter(campaign=campaign).update(campaign=there, position=F("position") + last)


def _waiting_store(draft: PairDraft, hidden: Study, target: Dataset) -> None:
    """Add what the waiting rows say of pairs that were there already."""
    done, filed = Stored.of(draft.result), _filed(draft, target)
    waiting = WaitingRow.objects.filter(study=hidden)
    last = 0
    while rows := list(waiting.filter(number__gt=last)[:BATCH]):
        batch = [_numbered(row.row) for row in rows]
        there = pairs_of(target, [item.digest for item in batch])
        done.add(batch_store(dataset=target, filed=filed, batch=batch, there=there))
        last = rows[-1].number
    done.conflicts = sorted(done.conflicts)
    draft.result = asdict(done)


def _numbered(stored: dict[str, Any]) -> Numbered:
    """A row as it was before it waited."""
    row = dict(stored["row"])
    several = {name: tuple(row[name]) for name in ("premises", "tags")}
    answers = tuple(Answer(**answer) for answer in row["answers"])
    return Numbered(
        PairRow(**{**row, **several, "answers": answers, "damage": ()}),
        stored["digest"],
        stored["occurrence"],
    )


# ---- Not whole ----------------------------------------------------------------------------------
def pairs_throw_away(pairs: Collection[int]) -> None:
    """Delete pairs that nobody has seen, with the file's judgements of them."""
    items = Item.objects.filter(pair__in=pairs)
    Judgement.objects.filter(item__in=items).delete()
    Assignment.objects.filter(item__in=items).delete()
    items.delete()
    Pair.objects.filter(pk__in=pairs).delete()


def hidden_remove(hidden: Study) -> None:
    """Delete a hidden study that has no pairs left."""
    Campaign.objects.filter(study=hidden).delete()
    hidden.delete()
