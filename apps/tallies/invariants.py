"""What must hold of numbers that are kept: counted again over the same rows, they are the same."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from django.utils import timezone

from apps.studies.models import Study
from apps.studies.soundness import Fault, rows
from apps.tallies.models import KeptTally

_REMEDY = "it is right now; tell who maintains the program which page it was, and what had changed"


def counts_agree(study: Study | None) -> Iterator[Fault]:
    """A number that came to something else although no row had changed was shown wrongly before."""
    differed = rows(KeptTally, study).filter(differed_at__isnull=False)
    for pk, name, at in differed.values_list("pk", "name", "differed_at").iterator():
        when = f"{at:%Y-%m-%d %H:%M}"
        text = f"what was kept of “{name}” ({pk}) was something else when it was counted again, {when}"
        yield Fault("tally", text, _REMEDY)


def complaints() -> Iterator[str]:
    """For a monitor: of the last day."""
    since = timezone.now() - timedelta(days=1)
    if count := KeptTally.objects.filter(differed_at__gte=since).count():
        yield f"{count} number(s) came to something else when they were counted again"


CHECKS = (counts_agree,)
