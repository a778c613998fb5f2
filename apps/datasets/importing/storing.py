"""Storing a file's pairs, batch after batch; whatever is there already stays as it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from apps.datasets.comparison import FILE
from apps.datasets.digests import pair_digest
from apps.datasets.importing.judgements import Judged, judgements_store, stored_label
from apps.datasets.importing.reading import Reading, digest_of
from apps.datasets.importing.rows import PairRow
from apps.datasets.models import Dataset, GoldLabel, Pair, Premise, Tag
from apps.datasets.working.profiles import words_store

SHOWN_CONFLICTS = 200
# A pair that stands in a file more often is told so by its first rows.
MOST_REPEATED = 100


@dataclass(frozen=True)
class Numbered:
    """A pair of the file with its digest, and how often the file had it before."""

    row: PairRow
    digest: str
    occurrence: int

    @classmethod
    def of(cls, row: PairRow, reading: Reading) -> Numbered:
        digest = digest_of(row)
        return cls(row, digest, reading.occurrence(digest))


@dataclass
class Stored:
    """What was stored. ``conflicts`` are lines whose pair has another gold label already, which stays."""

    rows: int = 0
    new: int = 0
    known: int = 0
    gold: int = 0
    judgements: int = 0
    conflict_count: int = 0
    conflicts: list[int] = field(default_factory=list)

    def add(self, other: Stored) -> None:
        for name in ("rows", "new", "known", "gold", "judgements", "conflict_count"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.conflicts = [*self.conflicts, *other.conflicts][:SHOWN_CONFLICTS]

    @classmethod
    def of(cls, stored: dict[str, Any]) -> Stored:
        return cls(**stored) if stored else cls()


def batch_store(*, dataset: Dataset, file_name: str, source: str, batch: Sequence[Numbered]) -> Stored:
    """Add one batch. A pair that is there gets no second premise, tag or gold label of this kind."""
    done = Stored(rows=len(batch))
    first: dict[str, PairRow] = {}
    for item in batch:
        first.setdefault(item.digest, item.row)
    there = Pair.objects.filter(dataset=dataset, digest__in=first)
    known = set(there.values_list("digest", flat=True))
    fresh = {digest: row for digest, row in first.items() if digest not in known}
    Pair.objects.bulk_create(
        [
            Pair(
                dataset=dataset,
                hypothesis=row.hypothesis,
                digest=digest,
                origin=row.origin or Pair.Origin.IMPORT,
                genre=row.genre,
                direction=row.direction,
                source=row.source,
                facts=dict(row.facts),
            )
            for digest, row in fresh.items()
        ],
        ignore_conflicts=True,
    )
    numbers = dict(there.all().values_list("digest", "pk"))
    Premise.objects.bulk_create(
        [
            Premise(pair_id=numbers[digest], position=position, text=text)
            for digest, row in fresh.items()
            for position, text in enumerate(row.premises)
        ],
        ignore_conflicts=True,
    )
    words_store((numbers[digest], row.premises, row.hypothesis) for digest, row in fresh.items())
    Tag.objects.bulk_create(
        [
            Tag(pair_id=numbers[digest], name=name, source=FILE)
            for digest, row in fresh.items()
            for name in row.tags
        ],
        ignore_conflicts=True,
    )
    _join_twins(dataset, fresh, numbers)
    done.new, done.known = len(fresh), len(batch) - len(fresh)
    _store_gold(batch, numbers, done)
    _keep_repeated(batch, numbers, file_name)
    judged = [Judged(numbers[item.digest], item.occurrence, item.row.answers) for item in batch]
    done.judgements = judgements_store(dataset=dataset, file_name=file_name, source=source, judged=judged)
    return done


def _join_twins(dataset: Dataset, fresh: dict[str, PairRow], numbers: dict[str, int]) -> None:
    """Join each new swapped twin to the pair that it reverses, where the dataset has that pair."""
    of_original = {
        pair_digest([row.hypothesis], row.premises[0]): numbers[digest]
        for digest, row in fresh.items()
        if row.origin == Pair.Origin.SWAP and len(row.premises) == 1
    }
    if not of_original:
        return
    originals = Pair.objects.filter(dataset=dataset, digest__in=of_original, swapped_twin=None)
    twins = [
        Pair(pk=of_original[digest], swapped_from_id=pk)
        for pk, digest in originals.exclude(origin=Pair.Origin.SWAP).values_list("pk", "digest")
    ]
    Pair.objects.bulk_update(twins, ["swapped_from"])


def _keep_repeated(batch: Sequence[Numbered], numbers: dict[str, int], file_name: str) -> None:
    """What a file says of a pair when it stands there again, such as FraCaS of another reading, is a fact
    of the pair: nothing of it is lost, and it is stored once."""
    again: dict[int, list[dict[str, Any]]] = {}
    for item in batch:
        if item.occurrence:
            row = item.row
            said = {"label": row.label, "genre": row.genre, "tags": list(row.tags), **row.facts}
            entry = {
                "file": file_name,
                "row": row.number,
                **{key: value for key, value in said.items() if value},
            }
            again.setdefault(numbers[item.digest], []).append(entry)
    if not again:
        return
    changed = []
    for pair in Pair.objects.filter(pk__in=again):
        kept = list(pair.facts.get("repeated", []))
        fresh = [entry for entry in again[pair.pk] if not any(_is_same(entry, old) for old in kept)]
        if fresh:
            pair.facts = {**pair.facts, "repeated": [*kept, *fresh][:MOST_REPEATED]}
            changed.append(pair)
    Pair.objects.bulk_update(changed, ["facts"])


def _is_same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return (one["file"], one["row"]) == (other["file"], other["row"])


def _store_gold(batch: Sequence[Numbered], numbers: dict[str, int], done: Stored) -> None:
    labelled = [(numbers[item.digest], item.row) for item in batch if item.row.label]
    of_file = GoldLabel.objects.filter(pair__in=[pk for pk, _row in labelled], source=FILE)
    there = dict(of_file.values_list("pair_id", "label"))
    added: dict[int, str] = {}
    for pk, row in labelled:
        label = stored_label(row.label)
        before = there.get(pk) or added.get(pk)
        if before is None:
            added[pk] = label
        elif before != label:
            done.conflict_count += 1
            done.conflicts = [*done.conflicts, row.line][:SHOWN_CONFLICTS]
    GoldLabel.objects.bulk_create(
        [GoldLabel(pair_id=pk, source=FILE, label=label) for pk, label in added.items()]
    )
    done.gold = len(added)
