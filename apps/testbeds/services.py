"""Testbeds' writes: one begun, its rows stored, what a prover found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from apps.accounts.models import User
from apps.datasets.labels import three_way_labels, two_way_labels
from apps.datasets.models import Dataset
from apps.datasets.services import dataset_create, labels_complete
from apps.frame.clock import database_now
from apps.imports.judgements import Filed
from apps.imports.storage import batch_store
from apps.jobs.services import job_start
from apps.jobs.wording import wording
from apps.studies import audit
from apps.studies.models import Study
from apps.testbeds.models import Testbed
from apps.testbeds.options import TestbedOptions
from apps.testbeds.rows import is_of_meanings, meanings_store, pair_rows
from natlog import ENGINE, VERSION
from natlog.fragments.testbeds import TESTBEDS

GENERATE_KIND = "testbeds.generate"
PROVE_KIND = "testbeds.prove"
# What its pairs are labelled by: no assumption about words that no source knows.
CONVENTION = "default"


@transaction.atomic
def testbed_create(*, study: Study, actor: User, name: str, options: TestbedOptions) -> Testbed:
    """A dataset for the testbed, and the job that draws its rows. ValidationError by field."""
    options.check()
    if options.source is not None and options.source.study_id != study.pk:
        raise ValidationError({"source": _("Choose a dataset of this study.")})
    columns = TESTBEDS[options.kind].columns
    dataset = dataset_create(
        study=study,
        actor=actor,
        name=name,
        labels=three_way_labels() if "three_way" in columns else two_way_labels(),
        source=_source_of(options),
    )
    dataset.labelled_under = CONVENTION
    if is_of_meanings(options.kind):
        dataset.kind = Dataset.Kind.MEANINGS
    dataset.save(update_fields=["labelled_under", "kind"])
    testbed = Testbed.objects.create(
        dataset=dataset,
        kind=options.kind,
        size=options.size,
        depth=options.depth,
        seed=options.seed,
        variant=options.variant,
        frames=options.frames,
        is_natural=options.source is not None,
        source=options.source,
        engine_version=f"{ENGINE} {VERSION}",
        created_by=actor,
    )
    testbed.job = job_start(
        study=study,
        kind=GENERATE_KIND,
        title=wording(gettext_noop("Testbed %(name)s"), name=dataset.name),
        actor=actor,
        testbed=testbed.pk,
    )
    testbed.save(update_fields=["job"])
    audit.record(
        "testbed.created",
        study=study,
        actor=actor,
        subject=testbed,
        kind=options.kind,
        size=options.size,
        depth=options.depth,
        seed=options.seed,
        variant=options.variant,
        frames=options.frames,
        of=options.source.pk if options.source else None,
    )
    return testbed


def _source_of(options: TestbedOptions) -> str:
    """What releases say of where the rows are from."""
    made = f"{ENGINE} {VERSION}, testbed {options.kind}, seed {options.seed}"
    return f"{made}, out of {options.source.name}" if options.source else made


def rows_store(*, testbed: Testbed, rows: Sequence[dict[str, str]], first: int) -> None:
    """Add a chunk's rows, numbered from ``first``; in the transaction that moves the job's cursor."""
    if is_of_meanings(testbed.kind):
        meanings_store(testbed.dataset, rows, first)
        return
    dataset = Dataset.objects.select_for_update().get(pk=testbed.dataset_id)
    batch = pair_rows(testbed, rows, first)
    known = dataset.pairs.filter(digest__in=[item.digest for item in batch])
    filed = Filed(dataset.name, dataset.source, dataset.pk)
    batch_store(dataset=dataset, filed=filed, batch=batch, there=dict(known.values_list("digest", "pk")))


@transaction.atomic
def testbed_finish(*, testbed: Testbed) -> Testbed:
    """After the last chunk: the calculus labels the pairs, in the background."""
    held = Testbed.objects.select_for_update(of=("self",)).select_related("dataset__study").get(pk=testbed.pk)
    held.finished_at = database_now()
    held.save(update_fields=["finished_at"])
    audit.record("testbed.finished", study=held.dataset.study, subject=held, size=held.size)
    if held.dataset.kind == Dataset.Kind.PAIRS:
        labels_complete(dataset=held.dataset, actor=held.created_by)
    return held


@transaction.atomic
def proving_start(*, testbed: Testbed, actor: User) -> Testbed:
    """Have a prover check what the testbed claims, from the first row on, in the background."""
    held = Testbed.objects.select_for_update(of=("self",)).select_related("dataset__study").get(pk=testbed.pk)
    if not held.finished_at:
        raise ValidationError(_("The testbed is still being generated."))
    if held.job and not held.job.is_over:
        return held
    held.proved = {}
    held.job = job_start(
        study=held.dataset.study,
        kind=PROVE_KIND,
        title=wording(gettext_noop("Proofs of %(name)s"), name=held.dataset.name),
        actor=actor,
        testbed=held.pk,
    )
    held.save(update_fields=["proved", "job"])
    return held


def proofs_store(*, testbed: Testbed, counts: Mapping[str, int]) -> None:
    """Add a chunk's counts by answer."""
    held = Testbed.objects.select_for_update().get(pk=testbed.pk)
    held.proved = {name: held.proved.get(name, 0) + n for name, n in counts.items()}
    held.save(update_fields=["proved"])
