"""A testbed's rows as what the study stores: pairs with their labels, or sentences with their meanings.

A row says everything under the names of its testbed's columns (docs/natlog-testbeds.md); what is not a
sentence, a label or a direction is a fact of the pair, which tables and samples are broken down by.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

from apps.datasets.models import Dataset, Direction, Meaning
from apps.imports import bulk
from apps.imports.readers import digest_of
from apps.imports.rows import PairRow
from apps.imports.storage import Numbered
from apps.testbeds.drawing import drawn
from apps.testbeds.models import Testbed
from natlog.fragments.testbeds import TESTBEDS

_PAIR = ("sentence1", "sentence2", "gold_label", "three_way", "direction")
FORMALISM = "fol"


def rows_of(testbed: Testbed) -> Iterator[dict[str, str]]:
    """The testbed's rows by the names of its columns, from the first on; raises as
    :func:`apps.testbeds.drawing.drawn`."""
    names = tuple(TESTBEDS[testbed.kind].columns)[1:]
    return (dict(zip(names, item.row(), strict=True)) for item in drawn(testbed))


def is_of_meanings(kind: str) -> bool:
    """Whether its items are sentences with their meanings, and no pairs."""
    return "sentence1" not in TESTBEDS[kind].columns


def pair_rows(testbed: Testbed, rows: Iterable[dict[str, str]], first: int) -> list[Numbered]:
    """Rows of pairs, numbered from ``first``, ready to be stored."""
    found = [_pair_row(testbed, row, number) for number, row in enumerate(rows, first)]
    return [Numbered(row, digest_of(row), 0) for row in found]


def _pair_row(testbed: Testbed, row: dict[str, str], number: int) -> PairRow:
    direction = row.get("direction", "")
    facts = {name: value for name, value in row.items() if name not in _PAIR and value != "-"}
    facts |= {"id": str(number), **_veridicality_cell(row)}
    return PairRow(
        number=number,
        line=number,
        premises=(row["sentence1"],),
        hypothesis=row["sentence2"],
        label=row.get("three_way") or row["gold_label"],
        direction=direction if direction in Direction.values else "",
        genre=f"{testbed.kind}:{row['kind']}" if "kind" in row else testbed.kind,
        facts=facts,
        origin="machine",
    )


def _veridicality_cell(row: dict[str, str]) -> dict[str, str]:
    """The cell of a composite pair (transitivity, Tables 3 and 10): f(s1) → s1 or not, s1 → s2 or not."""
    if row.get("kind") != "f(s1)-s2":
        return {}
    steps = row["verb_type"] == "V", row["base_label"] == "entailment"
    return {"cell": "-".join("yes" if step else "unk" for step in steps)}


def meanings_store(dataset: Dataset, rows: Iterable[dict[str, str]], first: int) -> int:
    """Add sentences with their meanings, numbered from ``first``; those that are there stay as they are.
    Returns how many are new."""
    numbered = ({"id": str(number), **row} for number, row in enumerate(rows, first))
    by_digest = {hashlib.sha256(row["sentence"].encode()).hexdigest(): row for row in numbered}
    known = set(dataset.meanings.filter(digest__in=by_digest).values_list("digest", flat=True))
    fresh = {digest: row for digest, row in by_digest.items() if digest not in known}
    columns = ("dataset", "text", "formula", "formalism", "digest", "facts")
    bulk.insert(
        Meaning,
        columns,
        (
            (dataset.pk, row["sentence"], row["fol"], FORMALISM, digest, _facts(row))
            for digest, row in fresh.items()
        ),
    )
    return len(fresh)


def _facts(row: dict[str, str]) -> dict[str, str]:
    """The other forms, and each phenomenon by its own name (yes or no)."""
    facts = {name: value for name, value in row.items() if name not in ("sentence", "fol", "tags")}
    return facts | dict(tag.split(":") for tag in row["tags"].split(";"))
