"""Published pairs as the columns of ``data/*.parquet``, and what a row's values are as JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from apps.datasets.labels import NON_ENTAILMENT, UNNATURAL
from apps.releases.files import json_value
from apps.releases.rows import Calculus, Published

if TYPE_CHECKING:
    import pyarrow

# Kept: `json.dumps` makes one anew for each value.
_sorted_json = json.JSONEncoder(ensure_ascii=False, sort_keys=True).encode
# Values that many pairs of a part have: sets of tags, of answers, genres.
_KEPT = 4096
# What ``label`` is where there is no gold label, as Hugging Face's datasets have it.
NO_CLASS = -1


class Row(NamedTuple):
    """A published pair with what several formats write alike, made once. ``possible`` are the answers that
    may be given in its dataset. What ends in ``_json`` is JSON; so is ``facts_cell``, with its keys in
    alphabetical order."""

    item: Published
    possible: tuple[str, ...]
    premise: str
    premise_json: str
    premises_json: str
    hypothesis_json: str
    answers_json: str
    tags_json: str
    facts_json: str
    facts_cell: str

    @property
    def swapped_from(self) -> int | None:
        return self.item.prompt if self.item.prompt != self.item.pair else None


def row_of(item: Published, possible: tuple[str, ...]) -> Row:
    premise = " ".join(item.premises)
    premise_json = json_value(premise)
    is_alone = len(item.premises) == 1
    return Row(
        item,
        possible,
        premise,
        premise_json,
        f"[{premise_json}]" if is_alone else json_value(item.premises),
        json_value(item.hypothesis),
        kept_json(item.answers),
        kept_json(item.tags),
        json_value(item.facts) if item.facts else "{}",
        _sorted_json(item.facts) if item.facts else "{}",
    )


@lru_cache(_KEPT)
def kept_json(value: str | tuple[str, ...] | None) -> str:
    """The JSON of a value that many pairs have."""
    return json_value(value)


@lru_cache(_KEPT)
def soft_label(answers: tuple[str, ...], possible: tuple[str, ...]) -> dict[str, float] | None:
    """The share of each possible answer among those given; None where nobody answered.

    An answer that is no label of the dataset is its non-entailment (contradiction, neutral).
    """
    if not answers:
        return None
    counts = Counter(answer if answer in possible else NON_ENTAILMENT for answer in answers)
    return {answer: round(counts[answer] / len(answers), 6) for answer in possible}


@lru_cache(_KEPT)
def soft_label_json(answers: tuple[str, ...], possible: tuple[str, ...], *, in_cell: bool = False) -> str:
    """:func:`soft_label` as JSON; ``in_cell``, with its keys in alphabetical order."""
    shares = soft_label(answers, possible)
    return _sorted_json(shares) if in_cell else json_value(shares)


def pair_columns(rows: Sequence[Row], possible: Sequence[str]) -> pyarrow.Table:
    """Rows by :func:`pair_schema`, but for split and group; ``label`` is the gold label's number."""
    import pyarrow as pa

    number = {name: place for place, name in enumerate(class_names(possible))}
    items = [row.item for row in rows]
    values = zip(*items, strict=True) if items else [()] * len(Published._fields)
    given: dict[str, Sequence[Any]] = dict(zip(Published._fields, values, strict=True))
    given |= {
        "id": given["pair"],
        "premise": [row.premise for row in rows],
        "gold_label": [gold or None for gold in given["gold"]],
        "label": [number.get(gold, NO_CLASS) for gold in given["gold"]],
        "facts": [row.facts_cell for row in rows],
        "swapped_from": [row.swapped_from for row in rows],
        "file_label": [label or None for label in given["file_label"]],
    }
    made = []
    schema = pa.schema(list(pair_schema(possible))[:-2])
    for column in schema:
        if column.name == "soft_label":
            answers, places = numbered(given["answers"])
            shares = [soft_label(one, tuple(possible)) for one in answers]
            made.append(pa.array(shares, column.type).take(places))
        elif column.name in ("answers", "tags"):
            lists, places = numbered(given[column.name])
            made.append(pa.array(lists, column.type).take(places))
        elif column.name == "calculus":
            made.append(_calculus_column(given["calculus"], column.type))
        else:
            made.append(pa.array(given[column.name], column.type))
    return pa.Table.from_arrays(made, schema=schema)


def numbered(whose: Iterable[Any]) -> tuple[list[Any], pyarrow.Array]:
    """Each once, and for each in order the place of its own."""
    import pyarrow as pa

    places: dict[Any, int] = {}
    numbers = [places.setdefault(one, len(places)) for one in whose]
    return list(places), pa.array(numbers, pa.int64())


def _calculus_column(labels: Sequence[Calculus | None], kind: pyarrow.StructType) -> pyarrow.StructArray:
    import pyarrow as pa

    none = (None,) * len(Calculus._fields)
    values = zip(*(label or none for label in labels), strict=True) if labels else [()] * len(none)
    by_name = dict(zip(Calculus._fields, values, strict=True))
    children = [pa.array(by_name[field.name], field.type) for field in kind]
    return pa.StructArray.from_arrays(
        children, fields=list(kind), mask=pa.array([label is None for label in labels], pa.bool_())
    )


def class_names(possible: Sequence[str]) -> list[str]:
    """What the numbers of ``label`` stand for, from 0 on: the dataset's labels, and no answer besides."""
    return [answer for answer in possible if answer != UNNATURAL]


def pair_schema(possible: Sequence[str]) -> pyarrow.Schema:
    """The columns of ``data/*.parquet``; those of the JSON lines, in this order."""
    import pyarrow as pa

    text, texts = pa.string(), pa.list_(pa.string())
    words = ("label", "reason", "engine", "version", "convention", "parser")
    return pa.schema(
        [
            ("id", pa.int64()),
            ("premise", text),
            ("premises", texts),
            ("hypothesis", text),
            ("gold_label", text),
            # The same as a number, which is what training scripts read; its names are the card's.
            ("label", pa.int64()),
            ("soft_label", pa.struct([(answer, pa.float64()) for answer in possible])),
            ("answers", texts),
            ("direction", text),
            ("genre", text),
            ("source", text),
            # What a file says of a pair under names of its own: JSON, since no two files say the same.
            ("facts", text),
            ("origin", text),
            ("swapped_from", pa.int64()),
            ("tags", texts),
            ("file_label", text),
            (
                "calculus",
                pa.struct(
                    [
                        *((word, text) for word in words),
                        ("confidence", pa.float64()),
                        ("assumed", pa.bool_()),
                    ]
                ),
            ),
            ("split", text),
            ("group", pa.int64()),
        ]
    )
