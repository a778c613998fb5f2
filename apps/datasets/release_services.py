"""Releases' writes: starting one, its swapped twins, freezing it."""

from __future__ import annotations

from collections.abc import Sequence

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.datasets.models import Dataset, Pair, Premise, Release
from apps.datasets.release_files import Written, final_path
from apps.datasets.release_rules import RULE_NAMES, Options, exchanged_digest
from apps.jobs.services import job_start
from apps.studies import audit


@transaction.atomic
def release_create(*, dataset: Dataset, actor: User, options: Options) -> Release:
    """A new numbered release; a background job makes twins, writes the file and freezes it."""
    if options.rule not in RULE_NAMES:
        raise ValidationError({"rule": _("There is no such rule.")})
    if options.judgements < 1:
        raise ValidationError({"judgements": _("At least one judgement is needed.")})
    if not 1 <= options.matches <= options.judgements:
        raise ValidationError({"matches": _("Matches are between 1 and the number of judgements.")})
    held = Dataset.objects.select_for_update().get(pk=dataset.pk)
    last = Release.objects.filter(dataset=held).aggregate(last=Max("number"))["last"] or 0
    release = Release.objects.create(
        dataset=held,
        number=last + 1,
        rule=options.rule,
        options=options.as_dict(),
        created_by=actor,
    )
    release.file_name = _file_name(release)
    release.job = job_start(
        study=held.study,
        kind="datasets.release",
        title=_("Release %(n)d of %(name)s") % {"n": release.number, "name": held.name},
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


def twins_create(*, release: Release, pairs: Sequence[int]) -> None:
    """Store the swapped twins of ``pairs`` that are not there yet: premise and hypothesis exchanged,
    direction and genre kept."""
    originals = Pair.objects.filter(pk__in=pairs, swapped_twin=None).prefetch_related("premises")
    twins = [
        Pair(
            dataset_id=original.dataset_id,
            hypothesis=original.premise,
            digest=exchanged_digest(original),
            origin=Pair.Origin.SWAP,
            direction=original.direction,
            genre=original.genre,
            swapped_from=original,
        )
        for original in originals.order_by("pk")
    ]
    Pair.objects.bulk_create(twins, ignore_conflicts=True)
    made = Pair.objects.filter(swapped_from__in=[twin.swapped_from_id for twin in twins])
    texts = made.values_list("pk", "swapped_from__hypothesis")
    Premise.objects.bulk_create(
        [Premise(pair_id=pk, position=0, text=text or "") for pk, text in texts], ignore_conflicts=True
    )
    study, maker = release.dataset.study, release.created_by
    audit.record("twins.created", study=study, actor=maker, subject=release, twins=len(made))


def release_freeze(*, release: Release, written: Written) -> None:
    """Put the written file in its place, once; a frozen release is never written again."""
    held = Release.objects.select_for_update().select_related("dataset__study").get(pk=release.pk)
    if held.frozen_at:
        return
    written.path.replace(final_path(held))
    held.sha256, held.manifest, held.frozen_at = written.sha256, written.manifest, timezone.now()
    held.save(update_fields=["sha256", "manifest", "frozen_at"])
    audit.record(
        "release.frozen",
        study=held.dataset.study,
        actor=held.created_by,
        subject=held,
        sha256=held.sha256,
        pairs=written.manifest["counts"]["pairs"]["total"],
    )
