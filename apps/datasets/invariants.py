"""What must hold of pairs and releases: premises in order, twins in place, files as their releases say."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Count, F, Max, Min, Sum
from django.db.models.functions import Coalesce, Length

from apps.comparison.decisions import answers_changed
from apps.datasets.models import GoldLabel, Pair
from apps.releases.models import Release
from apps.releases.storage import MISSING, archives_damaged, final_path
from apps.studies.models import Study
from apps.studies.soundness import Fault, rows

_MAKE_AGAIN = "press Make the archive again on the release's page, or put the file back from a backup"


def premises(study: Study | None) -> Iterator[Fault]:
    """Every pair has premises, numbered from 0 without gaps."""
    found = rows(Pair, study).annotate(
        n=Count("premises"), first=Min("premises__position"), last=Max("premises__position")
    )
    found = found.exclude(n__gt=0, first=0, last=F("n") - 1)
    for pk, dataset, n in found.values_list("pk", "dataset_id", "n").iterator():
        text = f"pair {pk} (dataset {dataset}) has {n} premises, not numbered 0 to {max(n - 1, 0)}"
        yield Fault("premise", text, "delete the pair, or put its premises in order")


def twins(study: Study | None) -> Iterator[Fault]:
    """A swapped twin stands in its original's dataset, and has an original."""
    swaps = rows(Pair, study).filter(origin=Pair.Origin.SWAP)
    for pk in swaps.filter(swapped_from=None).values_list("pk", flat=True).iterator():
        yield Fault("twin", f"pair {pk} is a twin without an original", "delete the twin")
    twin = rows(Pair, study).filter(swapped_from__isnull=False)
    for pk, original in (
        twin.exclude(dataset=F("swapped_from__dataset")).values_list("pk", "swapped_from_id").iterator()
    ):
        text = f"pair {pk} is the twin of {original} in another dataset"
        yield Fault("twin", text, "delete the twin; the next release makes it again")


def releases(study: Study | None) -> Iterator[Fault]:
    """A frozen release's file is on disk, byte for byte what was frozen, and so is the database's copy."""
    for found in archives_damaged(study, thorough=True):
        name = f"release {found.release.pk} ({found.release.file_name})"
        if found.damage == MISSING:
            yield Fault("release", f"{name} has no file at {final_path(found.release)}", _MAKE_AGAIN)
        else:
            yield Fault("release", f"{name} has another file on disk than was frozen", _MAKE_AGAIN)
    copied = rows(Release, study).filter(frozen_at__isnull=False, size__isnull=False)
    kept = copied.annotate(kept=Coalesce(Sum(Length("blocks__content")), 0)).exclude(kept=F("size"))
    for pk, size, there in kept.values_list("pk", "size", "kept").iterator():
        text = f"release {pk} has {there} of {size} bytes of its archive in the database"
        yield Fault("release", text, "keep the file on disk safe: it can't be made again")


def archives() -> Iterator[str]:
    """For a monitor: whether archives are missing or cut, by a look at each file's entry. One query."""
    if damaged := sum(1 for _found in archives_damaged()):
        yield f"{damaged} archive(s) of releases missing or cut on disk; manage.py doctor names them"


def decisions(study: Study | None) -> Iterator[Fault]:
    """Worth knowing: decisions that rest on answers which changed since."""
    outdated = rows(GoldLabel, study).filter(answers_changed()).order_by("pk")
    for pair, label in outdated.values_list("pair_id", "label").iterator():
        text = f"the decision on pair {pair} ({label}) rests on answers that changed since"
        yield Fault("decision", text, "decide on it again, under Quality, Adjudication", is_note=True)


CHECKS = (premises, twins, releases, decisions)
