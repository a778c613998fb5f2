"""The rows of published pairs: what is said of each, as JSON and as Parquet; as text: formats/."""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from apps.comparison.judges import Judges
from apps.datasets.labels import NON_ENTAILMENT, UNNATURAL
from apps.datasets.models import CalculusLabel, Correction, Pair, Tag
from apps.datasets.tags import BY_HAND, FLAGS
from apps.releases.pseudonyms import Pseudonyms
from apps.releases.selection import REVERSED, Candidate, Decided, is_people_s_twin

if TYPE_CHECKING:
    import pyarrow


# The facts of a twin that stands on people's agreement, no source relating its wordings.
BY_PEOPLE = {"twin_by": "people's agreement with the calculus"}
# Among a pair's facts: what the calculus said before a researcher corrected it.
CORRECTION = "correction"


@dataclass(frozen=True)
class Published:
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
    """Reads what a batch of pairs needs beside the pairs themselves: six queries a batch."""

    def __init__(self, names: Pseudonyms, judges: Judges) -> None:
        self.names, self.judges = names, judges

    def load(self, pairs: Sequence[Candidate]) -> None:
        pks = [pair.pk for pair in pairs]
        self._tags: dict[int, set[str]] = {pk: set() for pk in pks}
        tags = Tag.objects.filter(pair__in=pks).exclude(source=BY_HAND, name__in=FLAGS)
        for pk, name in tags.values_list("pair_id", "name"):
            self._tags[pk].add(name)
        self._facts = _facts_of(pks)
        labels = CalculusLabel.objects.filter(pair__in=pks, is_current=True).defer("detail")
        self._labels = {label.pair_id: label for label in labels}
        twins = Pair.objects.filter(swapped_from__in=pks).values_list("swapped_from_id", "pk", "digest")
        self._twins = {original: (pk, digest) for original, pk, digest in twins}
        self._answers: dict[int, list[tuple[str, str]]] = {}
        given = self.judges.answers().filter(item__pair__in=pks)
        for pk, person, answer in given.values_list("item__pair_id", "participant_id", "answer"):
            self._answers.setdefault(pk, []).append((self.names.of(person), answer))

    def published(self, row: Decided, *, with_twin: bool) -> Iterator[Published]:
        """The pair, and its twin with the label turned over where it has one."""
        pair = row.pair
        tags = tuple(sorted(self._tags[pair.pk]))
        label = self._labels.get(pair.pk)
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
            facts=self._facts[pair.pk],
            origin=pair.origin,
            tags=tags,
            answers=tuple(answer for _name, answer in sorted(self._answers.get(pair.pk, []))),
            file_label=pair.raw_file_label,
            calculus=_calculus(label) if label else None,
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


def _facts_of(pks: Sequence[int]) -> dict[int, dict[str, Any]]:
    """What is known of pairs, and what of theirs was corrected by hand. Two queries."""
    facts: dict[int, dict[str, Any]] = dict(Pair.objects.filter(pk__in=pks).values_list("pk", "facts"))
    corrections = Correction.objects.filter(pair__in=pks, undone_at=None)
    for one in corrections:
        was: dict[str, Any] = {"direction_was": one.direction_was} if one.direction else {}
        if one.tags is not None:
            was["tags_was"] = one.tags_was
        facts[one.pair_id] = {**facts[one.pair_id], CORRECTION: was}
    return facts


def _genre(pair: Candidate, tags: Iterable[str]) -> str:
    """The pair's genre with its tags, as MED writes it; a file's own genre is left as it came."""
    if pair.origin == Pair.Origin.IMPORT:
        return pair.genre
    said = pair.genre.split(":")  # a pair of a release that came in again has its tags there already
    return ":".join(part for part in (pair.genre, *(tag for tag in tags if tag not in said)) if part)


def _calculus(label: CalculusLabel) -> dict[str, Any]:
    return {
        "label": label.label,
        "reason": label.reason,
        "confidence": label.confidence,
        "assumed": label.assumed,
        "engine": label.engine,
        "version": label.engine_version,
        "convention": label.convention,
        "parser": label.parser,
    }


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


def parquet_row(row: dict[str, Any], possible: Sequence[str]) -> dict[str, Any]:
    """A row of JSON as :func:`pair_schema` takes it; ``label`` is the gold label's number."""
    names = class_names(possible)
    gold = row["gold_label"]
    label = names.index(gold) if gold in names else NO_CLASS
    return {**row, "label": label, "facts": json_cell(row["facts"])}


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
