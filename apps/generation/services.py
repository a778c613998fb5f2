"""Machine-made pairs' writes: a batch, its preview, its pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from apps.accounts.models import User
from apps.corpora.models import Corpus, Parse
from apps.datasets.labelling import LabelKey, Labelled, Profiled
from apps.datasets.models import Dataset, Direction, Pair, Premise, Tag
from apps.datasets.profiles import words_store
from apps.datasets.services import GENRE_OF, calculus_labels_store
from apps.frame.clock import database_now
from apps.frame.texts import pair_digest
from apps.generation.models import MachineBatch
from apps.generation.options import MachineOptions
from apps.jobs.services import job_start
from apps.jobs.wording import wording
from apps.studies import audit

if TYPE_CHECKING:
    from natlog.generation import MadePair, Rejected

PREVIEW_KIND = "datasets.machine_preview"
MAKE_KIND = "datasets.machine_pairs"
# The source of the tag that names the operation.
MACHINE = "machine"
MOST_REFUSED = 100


@dataclass(frozen=True)
class Ready:
    """A pair ready to be stored: what was made, of which sentence, and the calculus' word on it."""

    pair: MadePair
    sentence: int
    label: Labelled
    profile: Profiled


@transaction.atomic
def machine_batch_create(
    *, dataset: Dataset, corpus: Corpus, actor: User, options: MachineOptions
) -> MachineBatch:
    """A batch with its options, and the job that makes a few examples of it. No pair is stored."""
    options.check()
    if corpus.study_id != dataset.study_id or dataset.kind != Dataset.Kind.PAIRS:
        raise ValidationError({"corpus": _("Choose a corpus of this study.")})
    parsed = Parse.objects.filter(sentence__corpus=corpus, kind=Parse.Kind.DECLARATIVE)
    if not parsed.exists():
        raise ValidationError({"corpus": _("Parse and polarise this corpus first.")})
    batch = MachineBatch.objects.create(
        dataset=dataset,
        corpus=corpus,
        corpus_name=corpus.name,
        options=options.stored(),
        last_sentence=corpus.sentences.order_by("-pk").values_list("pk", flat=True)[0],
        created_by=actor,
    )
    job_start(
        study=dataset.study,
        kind=PREVIEW_KIND,
        title=wording(gettext_noop("Examples of machine-made pairs of %(name)s"), name=corpus.name),
        actor=actor,
        dataset=dataset.pk,
        batch=batch.pk,
    )
    audit.record(
        "machine.prepared",
        study=dataset.study,
        actor=actor,
        subject=batch,
        corpus=corpus.name,
        **batch.options,
    )
    return batch


def preview_store(*, batch: MachineBatch, preview: dict[str, Any]) -> None:
    """Keep the examples; storing them again replaces them."""
    batch.preview = preview
    batch.save(update_fields=["preview"])


@transaction.atomic
def machine_batch_start(*, batch: MachineBatch, actor: User) -> MachineBatch:
    """Make the pairs, in the background. Starting a batch twice changes nothing."""
    held = (
        MachineBatch.objects.select_for_update(of=("self",)).select_related("dataset__study").get(pk=batch.pk)
    )
    if held.started_at:
        return held
    if held.corpus_id is None:
        raise ValidationError(_("The corpus is not there any more."))
    held.started_at = database_now()
    held.job = job_start(
        study=held.dataset.study,
        kind=MAKE_KIND,
        title=wording(gettext_noop("Machine-made pairs of %(name)s"), name=held.corpus_name),
        actor=actor,
        dataset=held.dataset_id,
        batch=held.pk,
    )
    held.save(update_fields=["started_at", "job"])
    audit.record("machine.started", study=held.dataset.study, actor=actor, subject=held)
    return held


@transaction.atomic
def machine_pairs_store(
    *, batch: MachineBatch, ready: Sequence[Ready], rejected: Sequence[Rejected], key: LabelKey
) -> None:
    """Add a chunk's pairs: those the dataset doesn't have, while their cell has room.

    Called in the transaction that moves the job's cursor, once for each chunk.
    """
    from natlog.generation.choosing import Quota

    held = MachineBatch.objects.select_for_update().get(pk=batch.pk)
    quota = Quota(held.options["limit"], [((cell[0], cell[1], cell[2]), cell[3]) for cell in held.cells])
    fresh = _fresh(batch, ready)
    held.known += len({_digest(item) for item in ready}) - len(fresh)
    taken = {digest: item for digest, item in fresh.items() if quota.take(item.pair)}
    _rows_create(batch, taken, key)
    held.cells = [[*cell, count] for cell, count in sorted(quota.taken.items())]
    for item in rejected:
        held.rejected[item.why] = held.rejected.get(item.why, 0) + 1
    held.refused = [*held.refused, *({
        "sentence": item.sentence, "changed": item.changed, "kind": item.kind, "why": item.why,
        "detail": item.detail,
    } for item in rejected)][:MOST_REFUSED]  # fmt: skip
    held.save(update_fields=["known", "cells", "rejected", "refused"])


def _digest(item: Ready) -> str:
    return pair_digest([item.pair.premise], item.pair.hypothesis)


def _fresh(batch: MachineBatch, ready: Sequence[Ready]) -> dict[str, Ready]:
    """What the dataset doesn't have, each once, in the order in which it was made."""
    by_digest: dict[str, Ready] = {}
    for item in ready:
        by_digest.setdefault(_digest(item), item)
    there = Pair.objects.filter(dataset=batch.dataset_id, digest__in=by_digest)
    known = set(there.values_list("digest", flat=True))
    return {digest: item for digest, item in by_digest.items() if digest not in known}


def _rows_create(batch: MachineBatch, taken: Mapping[str, Ready], key: LabelKey) -> None:
    Pair.objects.bulk_create(
        [
            Pair(
                dataset_id=batch.dataset_id,
                hypothesis=item.pair.hypothesis,
                digest=digest,
                origin=Pair.Origin.MACHINE,
                direction=item.pair.direction,
                genre=f"machine:{GENRE_OF[Direction(item.pair.direction)]}",
                facts=facts_of(item.pair, batch),
            )
            for digest, item in taken.items()
        ],
        ignore_conflicts=True,
    )
    there = Pair.objects.filter(dataset=batch.dataset_id, digest__in=taken, origin=Pair.Origin.MACHINE)
    numbers = dict(there.values_list("digest", "pk"))
    made = {numbers[digest]: item for digest, item in taken.items() if digest in numbers}
    Premise.objects.bulk_create(
        [
            Premise(
                pair_id=pk,
                position=0,
                text=item.pair.premise,
                sentence_id=None if item.pair.is_reversed else item.sentence,
            )
            for pk, item in made.items()
        ],
        ignore_conflicts=True,
    )
    Tag.objects.bulk_create(
        [Tag(pair_id=pk, name=item.pair.operation, source=MACHINE) for pk, item in made.items()],
        ignore_conflicts=True,
    )
    words_store((pk, [item.pair.premise], item.pair.hypothesis) for pk, item in made.items())
    calculus_labels_store(
        pairs=list(made),
        key=key,
        labels={pk: item.label for pk, item in made.items()},
        profiles={pk: item.profile for pk, item in made.items()},
    )


def facts_of(pair: MadePair, batch: MachineBatch) -> dict[str, Any]:
    """What is kept of how a pair was made, under names that a release's reader understands."""
    facts = {
        "made_by": f"{pair.engine} {pair.version}",
        "operation": pair.operation,
        "kind": pair.kind,
        "label": pair.label,
        "reversed": "yes" if pair.is_reversed else "no",
        "sentence": pair.sentence,
        "corpus": batch.corpus_name,
        "span": f"{pair.start}–{pair.end}",
        "before": pair.before,
        "after": pair.after,
        "polarity": pair.polarity,
        "relation": pair.relation,
        "sense_before": pair.first,
        "sense_after": pair.second,
        "convention": pair.convention,
        "parser": pair.parser,
        "seed": pair.seed,
        "batch": batch.pk,
    }
    return {name: value for name, value in facts.items() if value != ""}


@transaction.atomic
def machine_batch_finish(*, batch: MachineBatch) -> MachineBatch:
    """After the last chunk."""
    held = (
        MachineBatch.objects.select_for_update(of=("self",)).select_related("dataset__study").get(pk=batch.pk)
    )
    held.finished_at = database_now()
    held.save(update_fields=["finished_at"])
    audit.record("machine.finished", study=held.dataset.study, subject=held, made=held.made, known=held.known)
    return held
