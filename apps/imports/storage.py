"""Storing a file's pairs, batch after batch; whatever is there already stays as it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils import timezone

from apps.datasets.labels import FILE, stored_label
from apps.datasets.models import Dataset, GoldLabel, Pair, Premise, Profile, Tag
from apps.datasets.words import words_of_pair
from apps.frame.texts import pair_digest
from apps.imports import bulk
from apps.imports.judgements import Filed, Judged, judgements_store
from apps.imports.readers import Reading, digest_of
from apps.imports.rows import PairRow

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


def batch_store(
    *, dataset: Dataset, filed: Filed, batch: Sequence[Numbered], there: Mapping[str, int]
) -> Stored:
    """Add one batch. ``there`` are the numbers of those of its pairs that the dataset has, by digest: they
    get no second premise, tag or gold label of this kind. Nobody else may be adding pairs to the dataset.
    """
    done = Stored(rows=len(batch))
    fresh: dict[str, PairRow] = {}
    for item in batch:
        if item.digest not in there:
            fresh.setdefault(item.digest, item.row)
    made = dict(zip(fresh, bulk.numbers(Pair, len(fresh)), strict=True))
    _store_pairs(dataset, [(made[digest], digest, row) for digest, row in fresh.items()])
    join_twins(dataset, [made[digest] for digest, row in fresh.items() if row.origin == Pair.Origin.SWAP])
    done.new, done.known = len(fresh), len(batch) - len(fresh)
    numbers = {**there, **made}
    _store_gold(batch, numbers, gold_of(list(there.values())), done)
    _keep_repeated(batch, numbers, filed.name)
    judged = [
        Judged(numbers[item.digest], item.occurrence, item.row.answers) for item in batch if item.row.answers
    ]
    done.judgements = judgements_store(dataset=dataset, filed=filed, judged=judged)
    return done


def _store_pairs(dataset: Dataset, fresh: Sequence[tuple[int, str, PairRow]]) -> None:
    if not fresh:
        return
    now = timezone.now()
    bulk.insert(
        Pair,
        (
            "id", "dataset", "hypothesis", "digest", "origin", "direction", "genre", "source", "facts",
            "created_at",
        ),
        (
            (
                pk, dataset.pk, row.hypothesis, digest, row.origin or Pair.Origin.IMPORT.value, row.direction,
                row.genre, row.source, dict(row.facts), now,
            )
            for pk, digest, row in fresh
        ),
    )  # fmt: skip
    bulk.insert(
        Premise,
        ("pair", "position", "text"),
        ((pk, position, text) for pk, _d, row in fresh for position, text in enumerate(row.premises)),
    )
    words = ((pk, words_of_pair(row.premises, row.hypothesis)) for pk, _digest, row in fresh)
    bulk.insert(Profile, ("pair", "words"), words)
    bulk.insert(
        Tag, ("pair", "name", "source"), ((pk, tag, FILE) for pk, _d, row in fresh for tag in row.tags)
    )


def join_twins(dataset: Dataset, twins: Sequence[int]) -> None:
    """Join swapped twins, by their numbers, to the pairs that they reverse, where the dataset has those."""
    if not twins:
        return
    of_original = {
        pair_digest([twin.hypothesis], twin.premises.all()[0].text): twin.pk
        for twin in Pair.objects.filter(pk__in=twins).prefetch_related("premises")
        if len(twin.premises.all()) == 1
    }
    if not of_original:
        return
    originals = Pair.objects.filter(dataset=dataset, digest__in=of_original, swapped_twin=None)
    joined = [
        Pair(pk=of_original[digest], swapped_from_id=pk)
        for pk, digest in originals.exclude(origin=Pair.Origin.SWAP).values_list("pk", "digest")
    ]
    Pair.objects.bulk_update(joined, ["swapped_from"])


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


def _store_gold(
    batch: Sequence[Numbered], numbers: dict[str, int], there: dict[int, str], done: Stored
) -> None:
    labelled = [(numbers[item.digest], item.row) for item in batch if item.row.label]
    added: dict[int, str] = {}
    for pk, row in labelled:
        label = stored_label(row.label)
        before = there.get(pk) or added.get(pk)
        if before is None:
            added[pk] = label
        elif before != label:
            done.conflict_count += 1
            done.conflicts = [*done.conflicts, row.line][:SHOWN_CONFLICTS]
    bulk.insert(GoldLabel, ("pair", "source", "label"), ((pk, FILE, label) for pk, label in added.items()))
    done.gold = len(added)


def gold_of(pairs: Sequence[int]) -> dict[int, str]:
    """The labels that these pairs have out of files."""
    if not pairs:
        return {}
    return dict(GoldLabel.objects.filter(pair__in=pairs, source=FILE).values_list("pair_id", "label"))
