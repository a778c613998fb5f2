"""A release's archive: written from one snapshot, the same bytes whenever it is written again.

Dates inside the archive are fixed, keys sorted, rows in the order of the pairs' numbers, and a pair's
judgements in the order of their published pseudonyms.
"""

from __future__ import annotations

import csv
import glob
import hashlib
import json
import shutil
import tempfile
import zipfile
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection, transaction

from apps.datasets.releasing import rows
from apps.datasets.models import Release
from apps.datasets.releasing.card import card
from apps.datasets.releasing.rules import Options, decided, survey

# The earliest date that a ZIP archive can hold.
FIXED_DATE = (1980, 1, 1, 0, 0, 0)
FORMAT_VERSION = 1


@dataclass(frozen=True)
class Written:
    """An archive on disk, not yet in its place."""

    path: Path
    sha256: str
    manifest: dict[str, Any]


def final_path(release: Release) -> Path:
    """``MEDIA_ROOT/releases/<study>/<file name>``."""
    return Path(settings.MEDIA_ROOT) / "releases" / release.dataset.study.slug / release.file_name


def write(release: Release, *, claim: str = "") -> Written:
    """Write a release's archive beside its place. Reads the database, writes nothing to it."""
    target = final_path(release)
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{release.file_name}.") as folder:
        with _snapshot():
            manifest = _members(release, Path(folder))
        archive = target.with_name(f".{release.file_name}.{claim or 'part'}")
        _zip(Path(folder), archive)
    return Written(archive, _sha256(archive), manifest)


def clear_unfinished(release: Release) -> None:
    """Remove what a worker that was killed while writing has left beside the archive."""
    for left in final_path(release).parent.glob(f".{glob.escape(release.file_name)}.*"):
        shutil.rmtree(left) if left.is_dir() else left.unlink(missing_ok=True)


@contextmanager
def _snapshot() -> Iterator[None]:
    """All reads inside see the same state, and nobody's writing waits for them."""
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "postgresql":
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            yield
    else:
        with connection.cursor() as cursor:
            # Not Django's own BEGIN IMMEDIATE, which would keep annotators from answering meanwhile.
            cursor.execute("BEGIN DEFERRED")
            try:
                yield
            finally:
                cursor.execute("ROLLBACK")


@dataclass
class Counts:
    """What went into the files, for the manifest."""

    pairs: Counter[str] = field(default_factory=Counter)
    labels: Counter[tuple[str, str]] = field(default_factory=Counter)
    judgements: int = 0
    annotators: set[str] = field(default_factory=set)
    simulated: set[str] = field(default_factory=set)
    not_swapped: Counter[str] = field(default_factory=Counter)


def _members(release: Release, folder: Path) -> dict[str, Any]:
    """Write every member and return the manifest (which is the last of them)."""
    options = Options.of(release.options)
    counts = Counts()
    published = _pairs(release, options, folder, counts)
    _judgements(release, folder, counts, published)
    manifest = _manifest(release, options, counts)
    (folder / "README.md").write_text(card(release, manifest), encoding="utf-8")
    manifest["files"] = [
        {"name": path.name, "bytes": path.stat().st_size, "sha256": _sha256(path)}
        for path in sorted(folder.iterdir())
    ]
    text = json.dumps(manifest, ensure_ascii=False, indent=2, sort_keys=True)
    (folder / "MANIFEST.json").write_text(text + "\n", encoding="utf-8")
    return manifest


def _pairs(release: Release, options: Options, folder: Path, counts: Counts) -> set[int]:
    """The chosen pairs and their twins; returns the chosen pairs' numbers."""
    published = set()
    index = 0
    with ExitStack() as stack:
        tsv = stack.enter_context(_text(folder / "pairs.tsv"))
        lines = stack.enter_context(_text(folder / "pairs.jsonl"))
        left = stack.enter_context(_text(folder / "not_swapped.tsv"))
        tsv.write("\t".join(rows.MED_COLUMNS) + "\n")
        left.write("pairID\tkind\treason\n")
        source = rows.Source(release)
        for batch in _batches(decided(release.dataset, options)):
            source.load([row.pair for row in batch])
            for row in batch:
                published.add(row.pair.pk)
                if options.swaps and row.bar:
                    counts.not_swapped[row.bar.kind] += 1
                    cells = (str(row.pair.pk), row.bar.kind, row.bar.reason)
                    left.write("\t".join(map(rows.one_line, cells)) + "\n")
                for item in source.published(row, with_twin=options.swaps and row.bar is None):
                    index += 1
                    tsv.write("\t".join(rows.med_row(index, item)) + "\n")
                    lines.write(_json(rows.json_row(item)))
                    counts.pairs[item.origin] += 1
                    counts.labels[item.direction, item.gold] += 1
    return published


def _judgements(release: Release, folder: Path, counts: Counts, published: set[int]) -> None:
    """Every single judgement on the dataset, as JSON lines and as CSV."""
    with _text(folder / "judgements.jsonl") as lines, _text(folder / "judgements.csv") as table:
        writer = csv.writer(table)
        writer.writerow(rows.JUDGEMENT_COLUMNS)
        for judgement in rows.judgements(release, published):
            lines.write(_json(judgement))
            writer.writerows(rows.csv_rows(judgement))
            counts.judgements += 1
            counts.annotators.add(judgement["annotator"])
            if judgement["simulated"]:
                counts.simulated.add(judgement["annotator"])


def _manifest(release: Release, options: Options, counts: Counts) -> dict[str, Any]:
    dataset = release.dataset
    offer = survey(dataset, options)
    offer.chosen = counts.labels
    return {
        "format": FORMAT_VERSION,
        "dataset": dataset.name,
        "study": dataset.study.name,
        "release": release.number,
        "created": release.created_at.isoformat(),
        "licence": dataset.licence,
        "source": dataset.source,
        "simulated": bool(dataset.simulated or counts.simulated),
        "rule": options.as_dict(),
        "empty_because": offer.why_empty(options),
        "counts": {
            "pairs": {"total": counts.pairs.total(), **counts.pairs},
            "labels": [
                {"direction": direction, "label": label, "pairs": number}
                for (direction, label), number in sorted(counts.labels.items())
            ],
            "considered": offer.considered,
            "with_enough_judgements": offer.judged,
            "of_these_labelled_by_the_calculus": offer.labelled,
            "of_these_mostly_unnatural": offer.unnatural,
            "not_swapped": dict(sorted(counts.not_swapped.items())),
            "judgements": counts.judgements,
            "annotators": len(counts.annotators),
            "simulated_annotators": len(counts.simulated),
        },
        "calculus": rows.calculus_versions(dataset),
        "campaigns": rows.campaign_versions(dataset),
        "corpora": rows.corpora_of(dataset),
    }


def _batches(items: Iterator[Any], size: int = 500) -> Iterator[list[Any]]:
    batch = []
    for item in items:
        batch.append(item)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch


def _text(path: Path) -> Any:
    return path.open("w", encoding="utf-8", newline="")


def _json(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True) + "\n"


def _zip(folder: Path, archive: Path) -> None:
    with zipfile.ZipFile(archive, "w") as packed:
        for path in sorted(folder.iterdir()):
            entry = zipfile.ZipInfo(path.name, FIXED_DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            entry.create_system = 3
            with path.open("rb") as source, packed.open(entry, "w") as member:
                shutil.copyfileobj(source, member)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
