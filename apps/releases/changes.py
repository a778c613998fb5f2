"""What is different from the release before: pairs added, removed, labelled otherwise, moved to a split."""

from __future__ import annotations

import csv
import io
import zipfile
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from apps.releases.files import Sink
from apps.releases.models import Release
from apps.releases.storage import member_opened

if TYPE_CHECKING:
    import numpy as np

INDEX_MEMBER = "splits/splits.tsv"
CHANGELOG_MEMBER = "CHANGELOG.md"
_COLUMNS = ("gold_label", "direction", "split")
CHANGES_HEADER = "id\tchange\tbefore\tafter\n"


@dataclass
class Index:
    """Pairs with what may change of them, as numbers: nine bytes for a pair's number and each column's
    value. ``words`` are the values by their number."""

    numbers: np.ndarray[Any, Any]
    values: dict[str, np.ndarray[Any, Any]]
    words: list[str]


@dataclass
class Changes:
    """Counts of what changed; the changed pairs themselves are in ``rows`` of the file written."""

    before: int
    added: int = 0
    removed: int = 0
    changed: dict[str, int] = field(default_factory=dict)


def releases_before(release: Release) -> list[Release]:
    """The releases of the dataset that were frozen when this one was begun, the latest first; always the
    same ones. One query."""
    earlier = Release.objects.filter(
        dataset=release.dataset, number__lt=release.number, frozen_at__lt=release.created_at
    )
    return list(earlier.select_related("dataset__study").order_by("-number"))


def compare(before: Release, now: Iterable[Path], target: Path) -> Changes | None:
    """Write the changed pairs to ``target`` and count them; None where the archive before has no index.

    ``now`` are the parts of this release's index.
    """
    words: list[str] = []
    old = index_of(before, words)
    if old is None:
        return None
    new = index_of_parts(now, words)
    found = Changes(before.number)
    with Sink(target) as file:
        file.write(CHANGES_HEADER)
        for pair, change, one, two in _differences(old, new, found):
            file.write(f"{pair}\t{change}\t{one}\t{two}\n")
    return found


def index_of(release: Release, words: list[str]) -> Index | None:
    """The index in a release's archive; None where the archive has none, or is damaged. New values are added
    to ``words``, so that two indexes that share them can be compared."""
    try:
        with member_opened(release, INDEX_MEMBER) as member:
            return _index([io.TextIOWrapper(member, "utf-8", newline="")], words, header=True)
    except (OSError, KeyError, zipfile.BadZipFile):
        return None


def index_of_parts(parts: Iterable[Path], words: list[str]) -> Index:
    """The index of a release that is being made."""
    return _index((path.open(encoding="utf-8", newline="") for path in parts), words, header=False)


def _index(files: Iterable[IO[str]], words: list[str], *, header: bool) -> Index:
    import numpy as np

    numbers = array("q")
    values = {name: array("H") for name in _COLUMNS}
    known = {word: place for place, word in enumerate(words)}
    columns = ["id", "split", "group", "gold_label", "direction"]
    for file in files:
        with file:
            rows = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
            if header:
                columns = next(rows)
            for row in rows:
                cells = dict(zip(columns, row, strict=True))
                numbers.append(int(cells["id"]))
                for name in _COLUMNS:
                    word = cells[name]
                    if word not in known:
                        known[word] = len(words)
                        words.append(word)
                    values[name].append(known[word])
    found = np.array(numbers, dtype="<i8")
    order = np.argsort(found, kind="stable")
    return Index(
        found[order], {name: np.array(column, dtype="<u2")[order] for name, column in values.items()}, words
    )


def _differences(old: Index, new: Index, found: Changes) -> Iterator[tuple[int, str, str, str]]:
    """Pair, what changed, before, after; in the order of the pairs' numbers, change by change."""
    import numpy as np

    added = np.setdiff1d(new.numbers, old.numbers, assume_unique=True)
    removed = np.setdiff1d(old.numbers, new.numbers, assume_unique=True)
    found.added, found.removed = len(added), len(removed)
    yield from ((int(pair), "added", "", "") for pair in added)
    yield from ((int(pair), "removed", "", "") for pair in removed)
    both, ones, twos = np.intersect1d(old.numbers, new.numbers, assume_unique=True, return_indices=True)
    for name in _COLUMNS:
        before, after = old.values[name][ones], new.values[name][twos]
        changed = np.flatnonzero(before != after)
        if len(changed):
            found.changed[name] = len(changed)
        for place in changed:
            yield int(both[place]), name, new.words[before[place]], new.words[after[place]]


def earlier_entries(before: Release) -> str:
    """The entries of the changelog of the release before."""
    try:
        with member_opened(before, CHANGELOG_MEMBER) as member:
            text = member.read().decode()
    except (OSError, KeyError, zipfile.BadZipFile):
        return ""
    return text.partition("\n\n")[2]


def changelog(
    release: Release,
    pairs: int,
    changes: Changes | None,
    before: Release | None,
    otherwise: Iterable[str],
    earlier: str,
) -> str:
    """The changelog as Markdown, this release's entry first; ``otherwise``: who labels pairs otherwise."""
    lines = [f"## Release {release.number}, {release.created_at:%Y-%m-%d}", ""]
    if before is None:
        lines.append(f"- The first release. Pairs: {pairs}.")
    elif changes is None:
        lines.append(
            f"- Pairs: {pairs}. Release {before.number} can't be compared: its list of pairs is missing."
        )
    else:
        lines.append(f"- Pairs: {pairs}. Against release {changes.before}:")
        lines.append(f"- Pairs added: {changes.added}; removed: {changes.removed}.")
        names = {
            "gold_label": "another gold label",
            "direction": "another direction",
            "split": "another split",
        }
        lines += [f"- Pairs with {names[name]}: {number}." for name, number in changes.changed.items()]
        if not (changes.added or changes.removed or changes.changed):
            lines.append("- No pair was added, removed or changed.")
        else:
            lines.append("- `changes.tsv` lists each of them.")
    lines += [f"- Labels: {text}." for text in otherwise]
    return "# Changelog\n\n" + "\n".join(lines) + "\n" + (f"\n{earlier}" if earlier else "")
