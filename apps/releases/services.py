"""Releases' writes: gold rules, starting a release, its swapped twins, freezing it."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from apps.accounts.models import User
from apps.comparison.judges import judges_of
from apps.datasets.models import Dataset, GoldLabel, Pair, Premise
from apps.datasets.profiles import words_store
from apps.frame.among import Among
from apps.frame.rows import insert_many, plain_rows
from apps.frame.texts import line_checked, pair_digest
from apps.jobs.services import job_start
from apps.jobs.wording import wording
from apps.releases.archive import BLOCK, Written
from apps.releases.forecast import why_empty
from apps.releases.gold_rules import Options, options_of, parameters_of
from apps.releases.models import ArchiveBlock, GoldRule, Release
from apps.releases.selection import REVERSED, texts_of
from apps.releases.storage import beside, final_path
from apps.studies import audit
from apps.studies.models import Study
from apps.webhooks.events import EventType, events_record

# The source of a twin's gold label: its original's, turned over by the latest release.
SWAP = "swap"


@transaction.atomic
def gold_rule_create(*, study: Study, actor: User, name: str, options: Options) -> GoldRule:
    """A named gold rule, or its next version. A rule that says the same as the last version is that one."""
    name = line_checked(name, "name")
    if len(name) > 100:
        raise ValidationError({"name": _("At most 100 characters.")})
    options.check()
    Study.objects.select_for_update().get(pk=study.pk)
    last = GoldRule.objects.filter(study=study, name=name).order_by("-version").first()
    parameters = parameters_of(options)
    if last and (last.kind, last.parameters) == (options.rule, parameters):
        return last
    rule = GoldRule.objects.create(
        study=study,
        name=name,
        version=last.version + 1 if last else 1,
        kind=options.rule,
        parameters=parameters,
        created_by=actor,
    )
    audit.record("gold_rule.created", study=study, actor=actor, subject=rule, name=name, version=rule.version)
    return rule


@transaction.atomic
def release_create(
    *, dataset: Dataset, actor: User, options: Options, gold_rule: GoldRule | None = None
) -> Release:
    """A new numbered release; a background job makes twins, writes the file and freezes it.

    A ``gold_rule`` takes the place of the options' own rule; they are copied, so that the release says
    for itself what decided on it. Raises ValidationError where no pair would be published, or by field
    where an option makes no sense.
    """
    if gold_rule:
        options = replace(options, **options_of(gold_rule))
    options.check()
    # By their numbers, so that a campaign that comes later does not change what the release reads.
    options = replace(options, campaigns=judges_of(dataset, options.campaigns).numbers)
    if why := why_empty(dataset, options):
        raise ValidationError(_("Nothing would be published: %(why)s") % {"why": why})
    # The study's lock: numbers are the dataset's, file names the study's.
    Study.objects.select_for_update().get(pk=dataset.study_id)
    held = Dataset.objects.get(pk=dataset.pk)
    last = Release.objects.filter(dataset=held).aggregate(last=Max("number"))["last"] or 0
    release = Release.objects.create(
        dataset=held,
        number=last + 1,
        rule=options.rule,
        options=options.as_dict(),
        gold_rule=gold_rule,
        created_by=actor,
    )
    release.file_name = _file_name(release)
    release.job = job_start(
        study=held.study,
        kind="datasets.release",
        title=wording(gettext_noop("Release %(n)d of %(name)s"), n=release.number, name=held.name),
        actor=actor,
        release=release.pk,
    )
    release.save(update_fields=["file_name", "job"])
    audit.record("release.created", study=held.study, actor=actor, subject=release, number=release.number)
    return release


def _file_name(release: Release) -> str:
    """``<dataset>-<number>.zip``; with the dataset's number where another dataset's name reads the same."""
    dataset = release.dataset
    name = f"{slugify(dataset.name)[:60] or 'dataset'}-{release.number}.zip"
    others = Release.objects.filter(dataset__study=dataset.study, file_name=name).exclude(pk=release.pk)
    if others.exists():
        name = f"{slugify(dataset.name)[:60] or 'dataset'}-{dataset.pk}-{release.number}.zip"
    return name


def twins_create(*, release: Release, gold: Mapping[int, str]) -> None:
    """Store the swapped twins of the pairs in ``gold`` (their labels by number): premise and hypothesis
    exchanged, direction and genre kept, the label turned over. Twins that are there take the label."""
    _twins_insert(gold)
    twins = Pair.objects.filter(Among("swapped_from_id", gold)).order_by("pk")
    columns = twins.values_list("pk", "swapped_from_id", "swapped_from__hypothesis", "hypothesis")
    rows = plain_rows(columns)
    words_store((pk, [premise], hypothesis) for pk, _original, premise, hypothesis in rows)
    premises = ((pk, premise) for pk, _original, premise, _hypothesis in rows)
    insert_many(Premise(position=0), ("pair", "text"), premises)
    labels = ((pk, REVERSED[gold[original]]) for pk, original, _premise, _hypothesis in rows)
    insert_many(GoldLabel(source=SWAP), ("pair", "label"), labels, conflict=_TAKE_THE_LABEL)
    study, maker = release.dataset.study, release.created_by
    audit.record("twins.stored", study=study, actor=maker, subject=release, twins=len(rows))


_TAKE_THE_LABEL = "(pair_id, source) DO UPDATE SET label = EXCLUDED.label"


def _twins_insert(originals: Collection[int]) -> None:
    """The rows of the twins that are not there yet."""
    wanted = Pair.objects.filter(Among("pk", originals), swapped_twin=None).order_by("pk")
    found = plain_rows(wanted.values_list("pk", "dataset_id", "hypothesis", "direction", "genre"))
    texts = texts_of(pk for pk, *_rest in found)
    new: dict[int, list[tuple[Any, ...]]] = {}
    for pk, dataset, hypothesis, direction, genre in found:
        digest = pair_digest([hypothesis], premise := " ".join(texts[pk]))
        new.setdefault(dataset, []).append((premise, digest, direction, genre, pk))
    names = ("hypothesis", "digest", "direction", "genre", "swapped_from")
    for dataset, rows in new.items():
        insert_many(Pair(dataset_id=dataset, origin=Pair.Origin.SWAP), names, rows)


def release_freeze(*, release: Release, written: Written) -> None:
    """Put the written file in its place, once; a frozen release is never written again."""
    held = Release.objects.select_for_update().select_related("dataset__study").get(pk=release.pk)
    if held.frozen_at:
        return
    _keep(held, written.path)
    written.path.replace(final_path(held))
    held.sha256, held.manifest, held.frozen_at = written.sha256, written.manifest, timezone.now()
    held.save(update_fields=["sha256", "size", "manifest", "frozen_at"])
    audit.record(
        "release.frozen",
        study=held.dataset.study,
        actor=held.created_by,
        subject=held,
        sha256=held.sha256,
        pairs=written.manifest["counts"]["pairs"]["total"],
    )
    events_record(
        EventType.RELEASE_READY,
        study=held.dataset.study,
        at=held.frozen_at,
        data=[
            {
                "dataset": held.dataset_id,
                "release": held.pk,
                "number": held.number,
                "file_name": held.file_name,
                "sha256": held.sha256,
                "pairs": written.manifest["counts"]["pairs"]["total"],
            }
        ],
    )


def _keep(release: Release, path: Path) -> None:
    """Copy the archive into the database, a block at a time."""
    release.size = path.stat().st_size
    with path.open("rb") as file:
        for position, content in enumerate(iter(lambda: file.read(BLOCK), b"")):
            ArchiveBlock.objects.update_or_create(
                release=release, position=position, defaults={"content": content}
            )


@transaction.atomic
def archive_restore(*, release: Release, actor: User) -> None:
    """Make the archive on disk again, with the bytes that were frozen, out of the database's copy.

    Raises ValidationError where the release is not frozen, or where there is no whole copy; then nothing
    is changed.
    """
    held = Release.objects.select_for_update(of=("self",)).select_related("dataset__study").get(pk=release.pk)
    if not held.frozen_at:
        raise ValidationError(_("The release is not frozen yet."))
    part, digest = beside(held, "restored"), hashlib.sha256()
    part.parent.mkdir(parents=True, exist_ok=True)
    with part.open("wb") as file:
        for content in held.blocks.values_list("content", flat=True).iterator(chunk_size=1):
            digest.update(content)
            file.write(content)
    if digest.hexdigest() != held.sha256:
        part.unlink()
        raise ValidationError(
            _("The database holds no whole copy of this archive. Put the file back from a backup.")
        )
    part.replace(final_path(held))
    audit.record("release.restored", study=held.dataset.study, actor=actor, subject=held, sha256=held.sha256)
