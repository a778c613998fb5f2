"""Pairs in: MED's and MNLI's TSV, CSV, JSON lines; all of a file or nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.core.exceptions import ValidationError
from django.db import transaction

from apps.accounts.models import User
from apps.datasets.comparison import FILE, NEUTRAL
from apps.datasets.digests import pair_digest, text_checked
from apps.datasets.models import (
    CONTRADICTION,
    NON_ENTAILMENT,
    Dataset,
    GoldLabel,
    Pair,
    Premise,
    Tag,
    two_way_labels,
)
from apps.datasets.services import GENRE_OF, dataset_create
from apps.studies import audit
from apps.studies.models import Study
from natlog.pairs import Pair as FilePair
from natlog.pairs import PairFileError, parse_pairs

# What MED writes into its genre column beside the direction (section 3.3).
MED_TAGS = frozenset({"lexical_knowledge", "conjunction", "disjunction", "conditionals", "npi", "reverse"})
_DIRECTIONS = {spelling: direction.value for direction, spelling in GENRE_OF.items()}
ROWS_A_BATCH = 500


@dataclass
class Imported:
    """What an import did. ``conflicts`` are lines whose pair has another gold label already, which stays."""

    dataset: Dataset
    rows: int = 0
    new: int = 0
    known: int = 0
    gold: int = 0
    conflicts: list[int] = field(default_factory=list)


def read(content: bytes, name: str) -> list[FilePair]:
    """The pairs of a file. Raises :class:`PairFileError` with file and line; an empty file has none."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise PairFileError(f"{name}, line {line}: not UTF-8 text (byte {error.start})") from error
    if not text.strip():
        return []
    pairs = list(parse_pairs(text, name))
    for pair in pairs:
        for column, value in (("sentence1", pair.premise), ("sentence2", pair.hypothesis)):
            try:
                text_checked(value, column)
            except ValidationError as error:
                raise PairFileError(f"{name}, line {pair.line}: {column}: {error.messages[0]}") from error
        if len(pair.genre) > 200:
            raise PairFileError(f"{name}, line {pair.line}: genre has more than 200 characters")
    return pairs


@transaction.atomic
def pairs_import(
    *,
    study: Study,
    actor: User | None,
    dataset_name: str,
    pairs: Sequence[FilePair],
    licence: str = "",
    source: str = "",
) -> Imported:
    """Add a file's pairs to a dataset, which is made if there is none of that name.

    A pair that is there stays as it is; its gold label is added where it had none from a file. The
    same file twice changes nothing. MNLI's *neutral* is stored as non-entailment.
    """
    dataset = Dataset.objects.select_for_update().filter(study=study, name=dataset_name.strip()).first()
    if dataset is None:
        labels = two_way_labels()
        if any(pair.label == CONTRADICTION for pair in pairs):
            labels.append(CONTRADICTION)
        dataset = dataset_create(
            study=study, actor=actor, name=dataset_name, labels=labels, licence=licence, source=source
        )
    done = Imported(dataset, rows=len(pairs))
    for start in range(0, len(pairs), ROWS_A_BATCH):
        _import_batch(dataset, pairs[start : start + ROWS_A_BATCH], done)
    audit.record(
        "pairs.imported",
        study=study,
        actor=actor,
        subject=dataset,
        rows=done.rows,
        new=done.new,
        gold=done.gold,
    )
    return done


def _import_batch(dataset: Dataset, batch: Sequence[FilePair], done: Imported) -> None:
    digests = [pair_digest([row.premise], row.hypothesis) for row in batch]
    of_digest = dict(zip(reversed(digests), reversed(batch), strict=True))
    stored = Pair.objects.filter(dataset=dataset, digest__in=of_digest)
    known = set(stored.values_list("digest", flat=True))
    fresh = {digest: row for digest, row in of_digest.items() if digest not in known}
    Pair.objects.bulk_create(
        [
            Pair(
                dataset=dataset,
                hypothesis=row.hypothesis,
                digest=digest,
                origin=Pair.Origin.IMPORT,
                genre=row.genre,
                direction=direction_of(row.genre),
            )
            for digest, row in sorted(fresh.items(), key=lambda item: item[1].line)
        ],
        ignore_conflicts=True,
    )
    numbers = dict(stored.all().values_list("digest", "pk"))
    Premise.objects.bulk_create(
        [Premise(pair_id=numbers[digest], position=0, text=row.premise) for digest, row in fresh.items()],
        ignore_conflicts=True,
    )
    Tag.objects.bulk_create(
        [
            Tag(pair_id=numbers[digest], name=name, source=FILE)
            for digest, row in fresh.items()
            for name in sorted(MED_TAGS.intersection(row.genre.split(":")))
        ],
        ignore_conflicts=True,
    )
    done.new += len(fresh)
    done.known += len(batch) - len(fresh)
    _import_gold(batch, [numbers[digest] for digest in digests], done)


def _import_gold(batch: Sequence[FilePair], pairs: Sequence[int], done: Imported) -> None:
    there = dict(GoldLabel.objects.filter(pair__in=pairs, source=FILE).values_list("pair_id", "label"))
    added: dict[int, str] = {}
    for row, pk in zip(batch, pairs, strict=True):
        if not row.label:
            continue
        label = NON_ENTAILMENT if row.label == NEUTRAL else row.label
        before = there.get(pk) or added.get(pk)
        if before is None:
            added[pk] = label
        elif before != label:
            done.conflicts.append(row.line)
    GoldLabel.objects.bulk_create(
        [GoldLabel(pair_id=pk, source=FILE, label=label) for pk, label in added.items()]
    )
    done.gold += len(added)


def direction_of(genre: str) -> str:
    """The direction that a genre of MED names; "" for any other genre.

    >>> direction_of("paper:GLUE:Quantifiers:downward_monotone")
    'downward'
    """
    found = {_DIRECTIONS[part] for part in genre.split(":") if part in _DIRECTIONS}
    return found.pop() if len(found) == 1 else ""
