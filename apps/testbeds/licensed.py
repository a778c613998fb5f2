"""Pairs that the sentences of a testbed of meanings license, as a dataset that people can be asked about."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from apps.accounts.models import User
from apps.datasets.labels import three_way_labels
from apps.datasets.models import Dataset, Meaning
from apps.datasets.services import dataset_create
from apps.imports.judgements import Filed
from apps.imports.readers import digest_of
from apps.imports.rows import PairRow
from apps.imports.storage import Numbered, batch_store
from apps.jobs.models import Job
from apps.jobs.services import job_start
from apps.jobs.wording import wording
from apps.studies import audit
from apps.testbeds.models import Testbed
from apps.testbeds.services import CONVENTION

if TYPE_CHECKING:
    from natlog.logic.prover import Prover

LICENSED_KIND = "testbeds.licensed"


@transaction.atomic
def licensed_begin(*, testbed: Testbed, actor: User, name: str) -> tuple[Dataset, Job]:
    """A dataset for the pairs, and the job that makes and proves them. ValidationError."""
    source = testbed.dataset
    if source.kind != Dataset.Kind.MEANINGS:
        raise ValidationError(_("Its rows are pairs already."))
    if not testbed.finished_at:
        raise ValidationError(_("The testbed is still being generated."))
    made = dataset_create(
        study=source.study,
        actor=actor,
        name=name,
        labels=three_way_labels(),
        source=_("pairs that the sentences of %(name)s license") % {"name": source.name},
    )
    made.labelled_under = CONVENTION
    made.save(update_fields=["labelled_under"])
    job = job_start(
        study=source.study,
        kind=LICENSED_KIND,
        title=wording(gettext_noop("Pairs of %(name)s"), name=source.name),
        actor=actor,
        testbed=testbed.pk,
        dataset=made.pk,
    )
    audit.record("testbed.paired", study=source.study, actor=actor, subject=testbed, dataset=made.pk)
    return made, job


def rows_of(fragment: str, meanings: Iterable[Meaning], prover: Prover) -> list[PairRow]:
    """The pairs that some sentences license, with what was left out as their facts; those that the prover
    can't decide in its time are passed over."""
    from natlog.fragments.grammar import load
    from natlog.fragments.licensed import pairs_of
    from natlog.fragments.parsing import parse

    grammar = load(fragment)
    rows = []
    for meaning in meanings:
        sentence = parse(grammar, meaning.text)
        for pair in pairs_of(sentence):
            if label := pair.label(prover):
                premise, hypothesis = pair.texts
                facts = {
                    "phenomenon": pair.kind,
                    "change": "dropped" if pair.premise is sentence else "added",
                    "depth": meaning.facts.get("depth", ""),
                    "meaning": meaning.pk,
                }
                genre = f"{fragment}:{pair.kind}"
                rows.append(
                    PairRow(
                        meaning.pk,
                        meaning.pk,
                        (premise,),
                        hypothesis,
                        label,
                        "",
                        genre,
                        facts=facts,
                        origin="machine",
                    )
                )
    return rows


def rows_store(*, dataset: Dataset, rows: Iterable[PairRow]) -> None:
    """Add pairs; those that are there stay as they are. In the transaction that moves the job's cursor."""
    held = Dataset.objects.select_for_update().get(pk=dataset.pk)
    batch = [Numbered(row, digest_of(row), 0) for row in rows]
    known = held.pairs.filter(digest__in=[item.digest for item in batch])
    filed = Filed(held.name, held.source, held.pk)
    batch_store(dataset=held, filed=filed, batch=batch, there=dict(known.values_list("digest", "pk")))
