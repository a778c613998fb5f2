"""A release's archive: packed out of the formatted parts, the same bytes whenever it is packed again.

Dates inside the archive are fixed, keys sorted, rows in the order of the pairs' numbers, and a pair's
judgements in the order of their published pseudonyms. All of it stands in one folder whose name no other
release has, since what loads a folder may remember it by that name alone.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import django

import natlog
from apps.comparison.judges import possible_answers
from apps.releases import changes as changing
from apps.releases import conflicts, files
from apps.releases.card import card
from apps.releases.columns import pair_schema
from apps.releases.croissant import croissant
from apps.releases.formats import FORMATS
from apps.releases.gold_rules import Options
from apps.releases.judgement_rows import judgement_schema
from apps.releases.models import Release
from apps.releases.production import HEADERS, Formatting, Reading, Stage
from apps.releases.storage import beside

# The earliest date that a ZIP archive can hold.
FIXED_DATE = (1980, 1, 1, 0, 0, 0)
FORMAT_VERSION = 5
# Characters of the digest in the folder's name.
DIGEST = 12
BLOCK = 1 << 20
README, MANIFEST = "README.md", "MANIFEST.json"


@dataclass(frozen=True)
class Written:
    """An archive on disk, not yet in its place."""

    path: Path
    sha256: str
    manifest: dict[str, Any]


@dataclass(frozen=True)
class Member:
    """A file of the archive: its parts one after the other, texts as they are and files by their path."""

    name: str
    parts: tuple[str | Path, ...]

    @property
    def size(self) -> int:
        return sum(
            len(part.encode()) if isinstance(part, str) else part.stat().st_size for part in self.parts
        )

    def blocks(self) -> Iterator[bytes]:
        for part in self.parts:
            if isinstance(part, str):
                yield part.encode()
                continue
            with part.open("rb") as file:
                while block := file.read(BLOCK):
                    yield block


def write(release: Release, *, claim: str = "part") -> Written:
    """Every step of a release's archive, one after the other, as its job does them. Writes beside its
    place, and nothing to the database."""
    folder = beside(release, f"{claim}-rows")
    reading = Reading(release, folder, beat=lambda: None)
    stage, position = Stage.READ, 0
    try:
        while stage < Stage.FORMAT:
            step = reading.step(stage, position)
            stage, position = step.stage, step.position
    finally:
        reading.close()
    formatting = Formatting(release, folder)
    while stage < Stage.PACK:
        step = formatting.step(position)
        stage, position = step.stage, step.position
    written = pack(release, folder, claim=claim)
    shutil.rmtree(folder)
    return written


# ---- Packing ----------------------------------------------------------------------------------


def pack(release: Release, folder: Path, *, claim: str, beat: Callable[[], None] = lambda: None) -> Written:
    """The archive out of the formatted parts in ``folder``. ``beat`` is called every second or so."""
    options = Options.of(release.options)
    context = json.loads((folder / "context.json").read_text(encoding="utf-8"))
    rows = _join(release, folder, options, beat)
    manifest = _manifest(release, options, context, folder, rows)
    changelog = _changelog(release, folder, manifest)
    members = [*_data(release, folder, rows), *_judgements(folder, context)]
    members += [
        Member("not_swapped.tsv", (HEADERS["left"], *sorted((folder / "rows").glob("*.left")))),
        *(Member(f"guidelines/{name}", (text + "\n",)) for name, _campaign, text in context["guidelines"]),
        Member("CHANGELOG.md", (changelog,)),
    ]
    if any(entry["differ"] for entry in manifest["counts"]["labelled_otherwise"]):
        parts = sorted((folder / "rows").glob("*.other"))
        members.append(Member(conflicts.OTHERS_MEMBER, (conflicts.OTHERS_HEADER, *parts)))
    if (folder / "changes.tsv").exists():
        members.append(Member("changes.tsv", (folder / "changes.tsv",)))
    parquet = {member.name: _sha256(member, beat) for member in members if member.name.endswith(".parquet")}
    manifest["folder"] = _folder(release, parquet)
    members.append(Member("croissant.json", (files.json_text(croissant(release, manifest, parquet)),)))
    names = [*(member.name for member in members), README, MANIFEST]
    members.append(Member(README, (card(release, manifest, context, names),)))
    archive = beside(release, claim)
    _zip(archive, sorted(members, key=lambda member: member.name), manifest, beat)
    return Written(archive, _file_sha256(archive, beat), manifest)


def _folder(release: Release, parquet: dict[str, str]) -> str:
    """``<dataset>-<number>-<digest>``; the digest is of the pairs and judgements, as the Parquet files (here
    by their SHA-256) hold them."""
    digest = hashlib.sha256(files.json_text(parquet).encode()).hexdigest()
    return f"{Path(release.file_name).stem}-{digest[:DIGEST]}"


def _join(release: Release, folder: Path, options: Options, beat: Callable[[], None]) -> dict[str, int]:
    """Parquet files of one part each; returns the number of rows of each split that has any.

    A release without any pair has its first split, empty: a file without rows is still a file.
    """
    out, schema = folder / "out", pair_schema(possible_answers(release.dataset))
    out.mkdir(exist_ok=True)
    rows = {}
    for name in options.shares:
        parts = sorted(out.glob(f"[0-9]*.{name}.arrow"))
        rows[name] = files.parquet_join(out / f"{name}.parquet", parts, schema, beat)
    judged = folder / "judgements"
    parts = sorted(judged.glob("[0-9]*.arrow"))
    files.parquet_join(judged / "judgements.parquet", parts, judgement_schema(), beat)
    filled = {name: number for name, number in rows.items() if number}
    return filled or {next(iter(rows)): 0}


def _data(release: Release, folder: Path, rows: dict[str, int]) -> list[Member]:
    out = folder / "out"
    members = []
    for name in rows:
        members.append(Member(f"data/{name}.parquet", (out / f"{name}.parquet",)))
        for one in FORMATS:
            parts = sorted(out.glob(f"[0-9]*.{name}.{one.ending}"))
            members.append(Member(f"data/{name}.{one.ending}", (one.header, *parts)))
    shares = ",".join(["id", "answers", *possible_answers(release.dataset)]) + "\r\n"
    return [
        *members,
        Member(changing.INDEX_MEMBER, (HEADERS["splits"], *sorted(out.glob("[0-9]*.splits")))),
        Member("soft_labels/soft_labels.csv", (shares, *sorted((folder / "rows").glob("*.soft")))),
    ]


def _judgements(folder: Path, context: dict[str, Any]) -> list[Member]:
    judged = folder / "judgements"
    header = ("campaign", "annotator", "trust", "test_answers", *files.RELIABILITY_METHODS)
    table = [header, *context["annotators"]]
    people = "".join("\t".join("" if cell is None else str(cell) for cell in row) + "\n" for row in table)
    return [
        Member("judgements/judgements.parquet", (judged / "judgements.parquet",)),
        Member("judgements/judgements.jsonl", tuple(sorted(judged.glob("[0-9]*.jsonl")))),
        Member("judgements/judgements.csv", (HEADERS["judgements"], *sorted(judged.glob("[0-9]*.csv")))),
        Member("judgements/annotators.tsv", (people,)),
    ]


def _manifest(
    release: Release, options: Options, context: dict[str, Any], folder: Path, rows: dict[str, int]
) -> dict[str, Any]:
    import pyarrow

    dataset, rule = release.dataset, release.gold_rule
    return {
        "format": FORMAT_VERSION,
        "dataset": dataset.name,
        "study": dataset.study.name,
        "release": release.number,
        "created": release.created_at.isoformat(),
        "licence": dataset.licence,
        "source": dataset.source,
        "labels": dataset.labels,
        "simulated": context["simulated"],
        "rule": options.as_dict(),
        "gold_rule": {"name": rule.name, "version": rule.version} if rule else None,
        "empty_because": context["empty_because"],
        "counts": context["counts"],
        "splits": {
            "shares": options.shares,
            "seed": options.seed,
            **_groups(folder),
            "pairs": rows,
            "labels": _split_labels(folder, list(options.shares)),
        },
        "calculus": context["calculus"],
        "campaigns": context["campaigns"],
        "corpora": context["corpora"],
        "versions": {
            "natlog": natlog.VERSION,
            "django": django.get_version(),
            "pyarrow": pyarrow.__version__,
        },
    }


def _groups(folder: Path) -> dict[str, int]:
    """How many groups there are, and the rows of the largest."""
    import numpy as np

    found, sizes = np.unique(files.array_read(folder / "group.npy"), return_inverse=True)
    rows = np.bincount(sizes, weights=files.array_read(folder / "rows.npy"), minlength=1)
    return {"groups": len(found), "largest_group": int(rows.max())}


def _split_labels(folder: Path, splits: list[str]) -> list[dict[str, Any]]:
    counts: dict[tuple[str, str], int] = {}
    for path in sorted((folder / "out").glob("*.counts")):
        for split, _direction, label, number in json.loads(path.read_text(encoding="utf-8")):
            counts[split, label] = counts.get((split, label), 0) + number
    rows = sorted(counts.items(), key=lambda row: (splits.index(row[0][0]), row[0][1]))
    return [{"split": split, "label": label, "pairs": n} for (split, label), n in rows]


def _changelog(release: Release, folder: Path, manifest: dict[str, Any]) -> str:
    """The changelog; says in the manifest which releases it compares with, and writes the changed pairs."""
    earlier = changing.releases_before(release)
    before = earlier[0] if earlier else None
    parts = sorted((folder / "out").glob("[0-9]*.splits"))
    manifest["before"] = before.number if before else None
    manifest["counts"]["labelled_otherwise"] += conflicts.with_releases(
        release, parts, folder / "rows" / "releases.other"
    )
    found = changing.compare(before, parts, folder / "changes.tsv") if before else None
    differing = [entry for entry in manifest["counts"]["labelled_otherwise"] if entry["differ"]]
    return changing.changelog(
        release,
        manifest["counts"]["pairs"]["total"],
        found,
        before,
        map(conflicts.in_words, differing),
        changing.earlier_entries(before) if before else "",
    )


def _zip(archive: Path, members: list[Member], manifest: dict[str, Any], beat: Callable[[], None]) -> None:
    """Pack the members, each by itself and some at once; join them in their order, note size and checksum of
    each in the manifest, and pack that last."""
    manifest["files"], within = [], manifest["folder"]
    apart = archive.with_name(f"{archive.name}-members")
    apart.mkdir(exist_ok=True)
    with zipfile.ZipFile(archive, "w") as packed:
        for member, sha256, alone in _packed_apart(members, within, apart, beat):
            _append(packed, alone)
            alone.unlink()
            manifest["files"].append({"name": member.name, "bytes": member.size, "sha256": sha256})
            beat()
        _pack_member(packed, within, Member(MANIFEST, (files.json_text(manifest),)))
    apart.rmdir()


def _packed_apart(
    members: list[Member], within: str, folder: Path, beat: Callable[[], None]
) -> Iterator[tuple[Member, str, Path]]:
    """Each member with its checksum and an archive of it alone. The largest are begun first, so that no core
    waits for one at the end."""

    def pack_alone(member: Member, alone: Path) -> str:
        with zipfile.ZipFile(alone, "w") as packed:
            return _pack_member(packed, within, member)

    alone = {member.name: folder / str(place) for place, member in enumerate(members)}
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        begun = {
            threads.submit(pack_alone, member, alone[member.name]): member.name
            for member in sorted(members, key=lambda member: -member.size)
        }
        waiting = set(begun)
        while waiting:
            _done, waiting = wait(waiting, timeout=1)
            beat()
        sums = {name: future.result() for future, name in begun.items()}
    for member in members:
        yield member, sums[member.name], alone[member.name]


def _append(packed: zipfile.ZipFile, alone: Path) -> None:
    """Join the one member of another archive: its header says nothing of its place, and stays as it is."""
    assert packed.fp
    with zipfile.ZipFile(alone) as other:
        (entry,), end = other.filelist, other.start_dir
    packed.fp.seek(packed.start_dir)
    entry.header_offset = packed.start_dir
    with alone.open("rb") as file:
        while block := file.read(min(BLOCK, end - file.tell())):
            packed.fp.write(block)
    packed.filelist.append(entry)
    packed.NameToInfo[entry.filename] = entry
    packed.start_dir = packed.fp.tell()


def _pack_member(packed: zipfile.ZipFile, within: str, member: Member) -> str:
    entry = zipfile.ZipInfo(f"{within}/{member.name}", FIXED_DATE)
    is_packed = member.name.endswith(".parquet")
    entry.compress_type = zipfile.ZIP_STORED if is_packed else zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    entry.create_system = 3
    entry.file_size = member.size  # decides whether the entry is one of more than 2 GB
    digest = hashlib.sha256()
    with packed.open(entry, "w") as target:
        for block in member.blocks():
            digest.update(block)
            target.write(block)
    return digest.hexdigest()


def _sha256(member: Member, beat: Callable[[], None]) -> str:
    digest = hashlib.sha256()
    for block in member.blocks():
        digest.update(block)
        beat()
    return digest.hexdigest()


def _file_sha256(path: Path, beat: Callable[[], None]) -> str:
    return _sha256(Member(path.name, (path,)), beat)
