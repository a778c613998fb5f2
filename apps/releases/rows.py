"""The rows of published pairs: what is said of each, as JSON and as Parquet; as text: formats/."""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from apps.comparison.judges import Judges
from apps.datasets.labels import NON_ENTAILMENT, UNNATURAL
from apps.datasets.models import CalculusLabel, Correction, Dataset, Pair, Tag
from apps.datasets.tags import BY_HAND, FLAGS
from apps.frame.rows import plain_rows
from apps.releases.pseudonyms import Pseudonyms
from apps.releases.selection import REVERSED, Candidate, Decided, is_people_s_twin, pairs_between

if TYPE_CHECKING:
    import pyarrow


# The facts of a twin that stands on people's agreement, no source relating its wordings.
BY_PEOPLE = {"twin_by": "people's agreement with the calculus"}
# Among a pair's facts: what the calculus said before a researcher corrected it.
CORRECTION = "correction"
# What is published of a calculus label, and its column.
_CALCULUS = {
    "label": "label",
    "reason": "reason",
    "confidence": "confidence",
    "assumed": "assumed",
    "engine": "engine",
    "version": "engine_version",
    "convention": "convention",
    "parser": "parser",
}


class Published(NamedTuple):
    """One pair as it is published. ``gold`` is "" where the rule gives none; ``prompt`` is the number of
    the pair that a twin was made of, the pair's own otherwise."""

    pair: int
    prompt: int
    digest: str
    premises: tuple[str, ...]
    hypothesis: str
    gold: str
    direction: str
    genre: str
    source: str
    facts: dict[str, Any]
    origin: str
    tags: tuple[str, ...]
    answers: tuple[str, ...]
    file_label: str
    calculus: dict[str, Any] | None


class Source:
    """Reads what a batch of pairs needs beside the pairs themselves: seven queries a batch."""

    def __init__(self, dataset: Dataset, names: Pseudonyms, judges: Judges) -> None:
        self.dataset, self.names, self.judges = dataset, names, judges

    def load(self, first: int, last: int) -> None:
        """What is said of the pairs of the numbers from ``first`` to ``last``."""
        of: dict[str, Any] = {
            "pair__in": pairs_between(self.dataset, first, last),
            "pair__gte": first,
            "pair__lte": last,
        }
        tags = Tag.objects.filter(**of).exclude(source=BY_HAND, name__in=FLAGS).order_by()
        self._tags: dict[int, set[str]] = {}
        for pk, name in plain_rows(tags.values_list("pair_id", "name")):
            self._tags.setdefault(pk, set()).add(name)
        self._facts = _facts_of(self.dataset, first, last)
        labels = CalculusLabel.objects.filter(**of, is_current=True).order_by()
        self._labels = {
            row[0]: dict(zip(_CALCULUS, row[1:], strict=True))
            for row in plain_rows(labels.values_list("pair_id", *_CALCULUS.values()))
        }
        twins = Pair.objects.filter(
            swapped_from__in=of["pair__in"], swapped_from__gte=first, swapped_from__lte=last
        )
        found = plain_rows(twins.order_by().values_list("swapped_from_id", "pk", "digest"))
        self._twins = {original: (pk, digest) for original, pk, digest in found}
        given = self.judges.answers().filter(**{f"item__{name}": value for name, value in of.items()})
        self._answers: dict[int, list[tuple[str, str]]] = {}
        for pk, person, answer in plain_rows(given.values_list("item__pair_id", "participant_id", "answer")):
            self._answers.setdefault(pk, []).append((self.names.of(person), answer))

    def published(self, row: Decided, *, with_twin: bool) -> Iterator[Published]:
        """The pair, and its twin with the label turned over where it has one."""
        pair = row.pair
        tags = tuple(sorted(self._tags.get(pair.pk, ())))
        yield Published(
            pair=pair.pk,
            prompt=pair.pk,
            digest=pair.digest,
            premises=tuple(pair.texts),
            hypothesis=pair.hypothesis,
            gold=pair.gold,
            direction=pair.place,
            genre=_genre(pair, tags),
            source=pair.source,
            facts=self._facts.get(pair.pk, {}),
            origin=pair.origin,
            tags=tags,
            answers=tuple(answer for _name, answer in sorted(self._answers.get(pair.pk, []))),
            file_label=pair.raw_file_label,
            calculus=self._labels.get(pair.pk),
        )
        if with_twin and pair.pk in self._twins:
            twin, digest = self._twins[pair.pk]
            yield Published(
                pair=twin,
                prompt=pair.pk,
                digest=digest,
                premises=(pair.hypothesis,),
                hypothesis=" ".join(pair.texts),
                gold=REVERSED[pair.gold],
                direction=pair.place,
                genre=_genre(pair, tags),
                source=pair.source,
                facts=BY_PEOPLE if is_people_s_twin(pair) else {},
                origin=Pair.Origin.SWAP.value,
                tags=tags,
                answers=(),
                file_label="",
                calculus=None,
            )


def _facts_of(dataset: Dataset, first: int, last: int) -> dict[int, dict[str, Any]]:
    """What is known of pairs, and what of theirs was corrected by hand; of those alone of which there is
    something. Two queries."""
    pairs = pairs_between(dataset, first, last)
    known = plain_rows(pairs.exclude(facts={}).values_list("pk", "facts"))
    facts: dict[int, dict[str, Any]] = {pk: json.loads(text) for pk, text in known}
    for one in Correction.objects.filter(pair__in=pairs.values("pk"), undone_at=None).order_by():
        was: dict[str, Any] = {"direction_was": one.direction_was} if one.direction else {}
        if one.tags is not None:
            was["tags_was"] = one.tags_was
        facts[one.pair_id] = {**facts.get(one.pair_id, {}), CORRECTION: was}
    return facts


def _genre(pair: Candidate, tags: Iterable[str]) -> str:
    """The pair's genre with its tags, as MED writes it; a file's own genre is left as it came."""
    if pair.origin == Pair.Origin.IMPORT:
        return pair.genre
    said = pair.genre.split(":")  # a pair of a release that came in again has its tags there already
    return ":".join(part for part in (pair.genre, *(tag for tag in tags if tag not in said)) if part)


# ---- JSON and Parquet -------------------------------------------------------------------------


def soft_label(answers: Sequence[str], possible: Sequence[str]) -> dict[str, float] | None:
    """The share of each possible answer among those given; None where nobody answered.

    An answer that is no label of the dataset is its non-entailment (contradiction, neutral).
    """
    if not answers:
        return None
    counts = Counter(answer if answer in possible else NON_ENTAILMENT for answer in answers)
    return {answer: round(counts[answer] / len(answers), 6) for answer in possible}


def json_row(item: Published, possible: Sequence[str]) -> dict[str, Any]:
    """A pair with its texts as they are. ``split`` and ``group`` come once the splits are drawn."""
    return {
        "id": item.pair,
        "premise": " ".join(item.premises),
        "premises": list(item.premises),
        "hypothesis": item.hypothesis,
        "gold_label": item.gold or None,
        "soft_label": soft_label(item.answers, possible),
        "answers": list(item.answers),
        "direction": item.direction,
        "genre": item.genre,
        "source": item.source,
        "facts": item.facts,
        "origin": item.origin,
        "swapped_from": item.prompt if item.prompt != item.pair else None,
        "tags": list(item.tags),
        "file_label": item.file_label or None,
        "calculus": item.calculus,
    }


# What ``label`` is where there is no gold label, as Hugging Face's datasets have it.
NO_CLASS = -1


def pair_columns(rows: Sequence[dict[str, Any]], possible: Sequence[str]) -> pyarrow.Table:
    """Rows of JSON by :func:`pair_schema`, but for split and group; ``label`` is the gold label's number."""
    import pyarrow as pa

    number = {name: place for place, name in enumerate(class_names(possible))}
    made = []
    schema = pa.schema(list(pair_schema(possible))[:-2])
    for column in schema:
        if column.name == "label":
            values: list[Any] = [number.get(row["gold_label"], NO_CLASS) for row in rows]
        elif column.name == "facts":
            values = [json_cell(row["facts"]) for row in rows]
        else:
            values = [row[column.name] for row in rows]
        made.append(pa.array(values, column.type))
    return pa.Table.from_arrays(made, schema=schema)


def class_names(possible: Sequence[str]) -> list[str]:
    """What the numbers of ``label`` stand for, from 0 on: the dataset's labels, and no answer besides."""
    return [answer for answer in possible if answer != UNNATURAL]


# Kept: `json.dumps` makes one anew for each value.
_sorted_json = json.JSONEncoder(ensure_ascii=False, sort_keys=True).encode


def json_cell(value: object) -> str:
    return _sorted_json(value)


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


# ---- Cells of tables -----------------------------------------------------------------------------------


class Passing:
    """A file to the csv module that hands back what is written to it."""

    def write(self, text: str) -> str:
        return text


def one_line(text: str) -> str:
    """Text for a cell of an unquoted TSV file: tabs and line ends of every kind become spaces."""
    return " ".join(text.replace("\t", " ").splitlines()) if text else ""


def neutral_cell(value: object) -> str:
    """A CSV cell that no spreadsheet takes for a formula."""
    text = "" if value is None else str(value)
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


_row_text: Any = csv.writer(Passing()).writerow


def cells_text(values: Iterable[object]) -> str:
    """Some cells of a CSV line, none of which a spreadsheet takes for a formula, to be joined with others
    by a comma. At least two: one that is empty and alone would be quoted."""
    text: str = _row_text([neutral_cell(value) for value in values])
    return text.removesuffix("\r\n")
