"""What must hold of pairs: premises in order, twins in place."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Count, F, Max, Min

from apps.datasets.models import Pair
from apps.studies.models import Study
from apps.studies.soundness import Fault, rows


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


CHECKS = (premises, twins)
