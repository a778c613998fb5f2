"""What must hold of pairs and releases: premises in order, twins in place, files as their releases say."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

from django.db.models import Count, F, Max, Min

from apps.datasets.decisions import answers_changed
from apps.datasets.models import GoldLabel, Pair, Release
from apps.datasets.releasing.archive import final_path
from apps.studies.models import Study
from apps.studies.soundness import Fault, rows

_RESTORE = "restore the file from a backup; a release is never written a second time"


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
    """A frozen release's file is on disk, byte for byte what was frozen."""
    frozen = rows(Release, study).filter(frozen_at__isnull=False).select_related("dataset__study")
    for release in frozen.order_by("pk").iterator():
        path = final_path(release)
        name = f"release {release.pk} ({release.file_name})"
        if not path.is_file():
            yield Fault("release", f"{name} has no file at {path}", _RESTORE)
        elif _sha256(path) != release.sha256:
            yield Fault("release", f"{name} has another file on disk than was frozen", _RESTORE)


def decisions(study: Study | None) -> Iterator[Fault]:
    """Worth knowing: decisions that rest on answers which changed since."""
    outdated = rows(GoldLabel, study).filter(answers_changed()).order_by("pk")
    for pair, label in outdated.values_list("pair_id", "label").iterator():
        text = f"the decision on pair {pair} ({label}) rests on answers that changed since"
        yield Fault("decision", text, "decide on it again, under Quality, Adjudication", is_note=True)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


CHECKS = (premises, twins, releases, decisions)
