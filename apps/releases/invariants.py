"""What must hold of releases: their files are as they were frozen."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import F, Sum
from django.db.models.functions import Coalesce, Length

from apps.releases.models import Release
from apps.releases.storage import MISSING, archives_damaged, final_path
from apps.studies.models import Study
from apps.studies.soundness import Fault, rows

_MAKE_AGAIN = "press Make the archive again on the release's page, or put the file back from a backup"


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


CHECKS = (releases,)
