"""Where releases' archives stand, reading a member of one, and whether each is there as it was frozen.

An archive is a file, and a copy of it in the database (:class:`ArchiveBlock`), out of which the file can be
made again (:func:`apps.releases.services.archive_restore`).
"""

from __future__ import annotations

import glob
import hashlib
import logging
import shutil
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from django.conf import settings
from django.utils.translation import gettext_lazy

from apps.releases.models import Release
from apps.studies.models import Study
from apps.studies.soundness import rows

logger = logging.getLogger(__name__)

MISSING, CUT, CHANGED = "missing", "cut", "changed"
DAMAGE_NAMES = {
    MISSING: gettext_lazy("The archive is not on disk any more."),
    CUT: gettext_lazy("The archive on disk is not whole."),
    CHANGED: gettext_lazy("The archive on disk is not the one that was frozen."),
}


def final_path(release: Release) -> Path:
    """``MEDIA_ROOT/releases/<study>/<file name>``."""
    return Path(settings.MEDIA_ROOT) / "releases" / release.dataset.study.slug / release.file_name


def beside(release: Release, end: str) -> Path:
    """A place for unfinished work beside the archive's own."""
    target = final_path(release)
    return target.with_name(f".{target.name}.{end}")


def staged_path(release: Release) -> Path:
    """Where the staged rows are once reading is over."""
    return beside(release, "staged")


def clear_unfinished(release: Release) -> None:
    """Remove what is left beside the archive, be it of a worker that was killed."""
    for left in final_path(release).parent.glob(f".{glob.escape(release.file_name)}.*"):
        shutil.rmtree(left) if left.is_dir() else left.unlink(missing_ok=True)


@contextmanager
def member_opened(release: Release, name: str) -> Iterator[IO[bytes]]:
    """A file of the release's archive by its name inside the archive's folder (before format 4 there was
    none). Raises OSError, KeyError or BadZipFile where archive or file are not there, or damaged."""
    folder = release.manifest.get("folder")
    with (
        zipfile.ZipFile(final_path(release)) as packed,
        packed.open(f"{folder}/{name}" if folder else name) as member,
    ):
        yield member


# ---- As it was frozen, or not -----------------------------------------------------------------


def damage_of(release: Release, *, thorough: bool = False) -> str:
    """What is wrong with the file of a frozen release: ``missing``, ``cut``, ``changed``, or "".

    One look at the file's entry; ``thorough`` reads all of it (about a second for 1 GB) and compares the
    SHA-256. Who hands the file out asks thoroughly.
    """
    path = final_path(release)
    try:
        size = path.stat().st_size
        if release.size is not None and size != release.size:
            return CUT if size < release.size else CHANGED
        if thorough and sha256_of(path) != release.sha256:
            return CHANGED if zipfile.is_zipfile(path) else CUT
    except OSError:
        return MISSING
    return ""


def damage_found(release: Release) -> str:
    """:func:`damage_of`, thoroughly, and written to the log as an error: for whoever wants the file now."""
    damage = damage_of(release, thorough=True)
    if damage:
        logger.error("the archive of release %s is %s: %s", release.pk, damage, final_path(release))
    return damage


@dataclass(frozen=True)
class Damaged:
    """A frozen release whose archive is not there as it was frozen."""

    release: Release
    damage: str


def archives_damaged(study: Study | None = None, *, thorough: bool = False) -> Iterator[Damaged]:
    """The damaged archives of a study, or of all. One query, and one look at each file's entry."""
    frozen = rows(Release, study).filter(frozen_at__isnull=False).select_related("dataset__study")
    for release in frozen.defer("manifest").order_by("pk").iterator():
        if damage := damage_of(release, thorough=thorough):
            yield Damaged(release, damage)


def sha256_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
