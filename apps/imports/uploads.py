"""Files that are kept while somebody looks at their preview, under ``MEDIA_ROOT/imports``."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from apps.corpora.sources import GZIP, MAXIMUM_UPLOAD, PARQUET, ZIP, FileProblem, opened
from apps.corpora.workbooks import is_workbook

# What one request reads in a second or two; more is a background job.
BYTES_A_REQUEST = 1024 * 1024


@dataclass(frozen=True)
class Upload:
    """A kept file: its name in :func:`folder`, the SHA-256 of its bytes, how many they are."""

    name: str
    sha256: str
    size: int


def folder() -> Path:
    return Path(settings.MEDIA_ROOT) / "imports"


_within: ContextVar[list[Path] | None] = ContextVar("uploads", default=None)


@contextmanager
def taken_back() -> Iterator[None]:
    """Where the block fails, the files that were kept in it go: around a transaction that takes back the rows
    which name them."""
    paths: list[Path] = []
    token = _within.set(paths)
    try:
        yield
    except BaseException:
        for path in paths:
            path.unlink(missing_ok=True)
        raise
    finally:
        _within.reset(token)


@contextmanager
def kept(chunks: Iterable[bytes]) -> Iterator[Upload]:
    """Keep a file; where what is done with it fails, the file goes. ValidationError for one too large."""
    name = f"{uuid.uuid4().hex}.upload"
    path = folder() / name
    if (within := _within.get()) is not None:
        within.append(path)
    try:
        yield _write(path, chunks)
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def _write(path: Path, chunks: Iterable[bytes]) -> Upload:
    path.parent.mkdir(parents=True, exist_ok=True)
    digest, size = hashlib.sha256(), 0
    with path.open("xb") as file:
        for chunk in chunks:
            size += len(chunk)
            if size > MAXIMUM_UPLOAD:
                limit = MAXIMUM_UPLOAD // 2**20
                raise ValidationError(
                    _("The file has more than %(limit)d MB. Compress it, or split it.") % {"limit": limit}
                )
            digest.update(chunk)
            file.write(chunk)
    return Upload(path.name, digest.hexdigest(), size)


def is_large(path: Path, size: int) -> bool:
    """Whether reading a file is work for the background: for its size, or for an archive's hidden one."""
    with path.open("rb") as file:
        head = file.read(4)
    packed = head.startswith(GZIP) or head in (ZIP, PARQUET)
    return size > (BYTES_A_REQUEST // 8 if packed else BYTES_A_REQUEST)


def lines_in(path: Path, name: str, *, encoding: str = "", member: str = "") -> int:
    """About how many rows a file has, for a progress bar: its lines; 0 where rows are no lines."""
    try:
        if is_workbook(path):
            return 0
        with opened(path, name, encoding=encoding, member=member) as source:
            if source.starts_with(PARQUET) or source.first_character() == "<":
                return 0
            return sum(chunk.count(b"\n") for chunk in iter(lambda: source.stream.read(BYTES_A_REQUEST), b""))
    except (FileProblem, OSError):  # said by the reading itself
        return 0
