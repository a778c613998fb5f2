"""Any table, JSON lines or Parquet, once it is said what its columns hold."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from apps.datasets.labels import SPELLINGS
from apps.imports.formats.table import Values
from apps.imports.labels import NONE, answers_of, direction_of, label_of, list_of, read_genre, spelled
from apps.imports.records.record import Record
from apps.imports.rows import Answer, CellError, PairRow
from natlog.pairs import GENRE_NAMES, HYPOTHESIS_NAMES, LABEL_NAMES, PREMISE_NAMES

KEY = "mapped"
# Where JSON of annotation programs has one person's label each.
ANSWER_NAMES = ("annotations", "annotator_labels")
# One column each, and those of which there may be several.
SINGLE = ("hypothesis", "label", "direction", "genre", "source")
SEVERAL = ("premises", "tags", "answers", "facts")


@dataclass(frozen=True)
class ColumnMapping:
    """Which columns hold what, by their names in lower case, and what a file's own labels stand for."""

    premises: tuple[str, ...]
    hypothesis: str
    label: str = ""
    direction: str = ""
    genre: str = ""
    source: str = ""
    tags: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    values: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def guessed(cls, keys: Collection[str]) -> ColumnMapping | None:
        """The mapping that usual names make plain; None where premise or hypothesis has no usual name."""

        def first(names: Sequence[str]) -> str:
            return next((name for name in names if name in keys), "")

        premise, hypothesis = first(PREMISE_NAMES), first(HYPOTHESIS_NAMES)
        if not premise or not hypothesis:
            return None
        label, answers = first(LABEL_NAMES), first(ANSWER_NAMES)
        return cls(
            (premise,), hypothesis, label, genre=first(GENRE_NAMES), answers=(answers,) if answers else ()
        )

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> ColumnMapping:
        """From its JSON form."""
        several: dict[str, Any] = {name: tuple(stored.get(name, ())) for name in SEVERAL}
        return cls(
            **several, **{name: stored.get(name, "") for name in SINGLE}, values=stored.get("values", {})
        )

    def stored(self) -> dict[str, Any]:
        several = {name: list(getattr(self, name)) for name in SEVERAL}
        return {**several, **{name: getattr(self, name) for name in SINGLE}, "values": dict(self.values)}

    @property
    def columns(self) -> tuple[str, ...]:
        named = (getattr(self, name) for name in SINGLE)
        return (*self.premises, *(name for name in named if name), *self.tags, *self.answers, *self.facts)


def values_of(items: Iterable[str]) -> dict[str, str]:
    """What a file's own labels stand for, from ``0=entailment``, "" for none; ValidationError for any other
    form.

    >>> values_of(["0 = entailment", "1=neutral", "-1=none"])
    {'0': 'entailment', '1': 'neutral', '-1': ''}
    """
    values = {}
    for item in items:
        found, _equals, written = (part.strip() for part in item.rpartition("="))
        label = NONE if written.lower() == NONE else SPELLINGS.get(written.lower(), "")
        if not found or not label:
            raise ValidationError(
                _("“%(item)s”: write a label of the file, =, and entailment, neutral, contradiction or none")
                % {"item": item[:60]}
            )
        values[spelled(found)] = "" if label == NONE else label
    return values


def read(record: Record, mapping: ColumnMapping, values: Values) -> PairRow:
    """A record as its columns say; raises CellError."""
    genre = record.text(mapping.genre)
    direction, tags, source = read_genre(genre)
    direction = direction_of(record.text(mapping.direction), mapping.direction) or direction
    return PairRow(
        record.number,
        record.line,
        tuple(text for column in mapping.premises for text in _texts(record, column) if text)
        or tuple("" for _column in mapping.premises[:1]),
        record.text(mapping.hypothesis),
        label=label_of(record.label(mapping.label), mapping.label, values),
        direction=direction,
        genre=genre,
        tags=tuple(
            dict.fromkeys((*tags, *(tag for column in mapping.tags for tag in _tags(record, column))))
        ),
        source=record.text(mapping.source) or source,
        answers=tuple(answer for column in mapping.answers for answer in _answers(record, column, values)),
        facts={
            column: record.cells[column]
            for column in mapping.facts
            if record.cells.get(column) not in (None, "")
        },
    )


def _texts(record: Record, column: str) -> list[str]:
    """A cell's text, or the texts of a cell that is a list."""
    value = record.cells.get(column)
    if not isinstance(value, list):
        return [record.text(column)]
    if not all(isinstance(item, str) for item in value):
        raise CellError(column, _("a list of texts is wanted"))
    return [item.strip() for item in value]


def _tags(record: Record, column: str) -> list[str]:
    """Tags of a list, or of a text that separates them by semicolons."""
    return [part.strip() for text in _texts(record, column) for part in text.split(";") if part.strip()]


def _answers(record: Record, column: str, values: Values) -> tuple[Answer, ...]:
    value = record.cells.get(column)
    if isinstance(value, str) and value.strip().startswith("["):
        value = list_of(value, column)
    return answers_of(value if isinstance(value, list) else [record.label(column)], column, values)
