"""Pairs that somebody else labels otherwise: most people, a researcher, the file, an earlier release.

Two gold rules may give one pair two labels, each for a good reason. A release that publishes one of them
says so: on its page, on its card, in its changelog, and pair by pair in ``other_labels.tsv``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from apps.datasets.labels import ENTAILMENT, NON_ENTAILMENT, NOT_ENTAILED
from apps.releases.changes import Index, index_of, index_of_parts, releases_before
from apps.releases.files import Sink
from apps.releases.models import Release
from apps.releases.selection import Candidate

OTHERS_MEMBER = "other_labels.tsv"
OTHERS_HEADER = "id\tsource\tlabel_there\tlabel_here\n"
PEOPLE, DECISION, FILE = "people", "decision", "file"
_WORDS = {PEOPLE: "most people", DECISION: "a researcher's decision", FILE: "the file"}
# A page compares with no more rows of earlier releases than these; the release compares with all.
MOST_ROWS = 100_000


@dataclass
class Otherwise:
    """Of the ``pairs`` that have a label here and one by ``source``, those whose labels differ. ``source`` is
    ``people``, ``decision``, ``file``, or ``release`` with its number; ``rule`` is the release's."""

    source: str
    release: int | None = None
    rule: str = ""
    pairs: int = 0
    differ: int = 0


def two_way(label: str) -> str:
    """Entailment or non-entailment; "" for what is neither (none, a tie, unnatural)."""
    if label in NOT_ENTAILED:
        return NON_ENTAILMENT
    return label if label == ENTAILMENT else ""


def said_of(pair: Candidate) -> Iterator[tuple[str, str]]:
    """Who else says what of a pair, two-way; those alone who say one of the two labels."""
    found = ((PEOPLE, pair.human), (DECISION, pair.adjudicated), (FILE, pair.raw_file_label))
    return ((source, two_way(label)) for source, label in found if two_way(label))


class Others:
    """Counts, source by source, over the pairs of a release as they are read."""

    def __init__(self) -> None:
        self.counts: dict[str, Otherwise] = {}

    def add(self, pair: Candidate) -> Iterator[tuple[str, str]]:
        """Those who label the pair otherwise, with their label."""
        here = two_way(pair.gold)
        for source, there in said_of(pair) if here else ():
            count = self.counts.setdefault(source, Otherwise(source))
            count.pairs += 1
            if there != here:
                count.differ += 1
                yield source, there

    @property
    def found(self) -> list[Otherwise]:
        return [self.counts[source] for source in _WORDS if source in self.counts]


def with_releases(release: Release, parts: Sequence[Path], target: Path) -> list[dict[str, Any]]:
    """Compare with every release that was frozen when this one was begun, the oldest first; write the pairs
    that one of them labels otherwise to ``target``. ``parts`` are those of this release's index."""
    found = []
    with Sink(target) as file:
        for before in reversed(releases_before(release)):
            words: list[str] = []
            there = index_of(before, words)
            if there is None:
                continue
            here = index_of_parts(parts, words)
            count = _of_release(before)
            for pair, one, two in _differing(there, here, count):
                file.write(f"{pair}\trelease {before.number}\t{one}\t{two}\n")
            found.append(asdict(count))
    return found


def foreseen(earlier: Sequence[Release], labels: Mapping[int, str]) -> list[Otherwise]:
    """The same for labels by pair that are not published yet: with the latest releases, of 100,000 rows."""
    found, rows = [], 0
    for before in earlier:
        rows += before.manifest["counts"]["pairs"]["total"]
        if rows > MOST_ROWS:
            break
        words: list[str] = []
        there = index_of(before, words)
        if there is None:
            continue
        count = _of_release(before)
        for number, word in zip(there.numbers.tolist(), there.values["gold_label"].tolist(), strict=True):
            one, two = two_way(words[word]), two_way(labels.get(number, ""))
            if one and two:
                count.pairs += 1
                count.differ += one != two
        found.append(count)
    return found


def _of_release(release: Release) -> Otherwise:
    named = release.manifest.get("gold_rule")
    rule = f"{named['name']} v{named['version']}" if named else release.rule
    return Otherwise("release", release.number, rule)


def _differing(there: Index, here: Index, count: Otherwise) -> Iterator[tuple[int, str, str]]:
    import numpy as np

    both, ones, twos = np.intersect1d(there.numbers, here.numbers, assume_unique=True, return_indices=True)
    columns = (there.values["gold_label"][ones].tolist(), here.values["gold_label"][twos].tolist())
    for pair, one, two in zip(both.tolist(), *columns, strict=True):
        labels = two_way(there.words[one]), two_way(here.words[two])
        if all(labels):
            count.pairs += 1
            if labels[0] != labels[1]:
                count.differ += 1
                yield pair, *labels


def in_words(found: Mapping[str, Any]) -> str:
    """One entry of the manifest's ``labelled_otherwise``, in English.

    >>> in_words({"source": "release", "release": 1, "rule": "majority", "pairs": 9, "differ": 2})
    'release 1 (rule: majority) labels 9 of these pairs too, 2 of them otherwise'
    """
    who = _WORDS.get(found["source"]) or f"release {found['release']} (rule: {found['rule']})"
    verb = "label" if found["source"] == PEOPLE else "labels"
    return f"{who} {verb} {found['pairs']} of these pairs too, {found['differ'] or 'none'} of them otherwise"
