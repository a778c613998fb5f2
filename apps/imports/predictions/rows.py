"""A row of a file of predictions: of which pair it speaks, and what the model says of it."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from apps.corpora.formats.readings import RowError
from apps.frame.texts import UNSTORABLE, text_problem
from apps.imports.labels import label_of, spelled
from apps.imports.predictions.columns import Columns
from apps.imports.records.record import Record, Records
from apps.imports.rows import CellError, LabelError, UnknownLabel
from apps.inference.labels import LabelError as WordError
from apps.inference.labels import canonical

# How far probabilities may be from one in all; a float32's rounding is a thousand times less.
SUM_TOLERANCE = 1e-3
_ROUNDING = 1e-6
_LONGEST_NUMBER = 18
_NO_LABEL = frozenset({"", "-", "nan", "none", "null"})


@dataclass(frozen=True, slots=True)
class Said:
    """What one row says. ``pair`` is the number that it names (None: it has texts alone), ``label`` and the
    keys of ``scores`` are canonical words; ``scores`` is empty where the file has none."""

    number: int
    line: int
    pair: int | None
    premises: tuple[str, ...]
    hypothesis: str
    label: str
    scores: Mapping[str, float] = field(default_factory=dict)


def rows_of(records: Records, columns: Columns, values: Mapping[str, str]) -> Iterator[Said | RowError]:
    """Every row, or what is wrong with it. ``values`` says what the file's own labels stand for."""
    for record in records.rows:
        if isinstance(record, RowError):
            yield record
            continue
        try:
            yield _read(record, columns, values)
        except LabelError as error:
            message, found = storable(error.message), storable(error.found)
            yield UnknownLabel(record.number, record.line, error.column, message, found)
        except CellError as error:
            yield RowError(record.number, record.line, error.column, storable(error.message))


def storable(text: str) -> str:
    """A message with what no database takes replaced: it may quote the file."""
    return UNSTORABLE.sub("\ufffd", text)


def _read(record: Record, columns: Columns, values: Mapping[str, str]) -> Said:
    pair = _pair(record, columns.pair)
    premises, hypothesis = _texts(record, columns) if columns.has_texts else ((), "")
    if pair is None and not premises:
        raise CellError(columns.pair, _("the row names no pair"))
    scores = _scores(record, columns, values)
    label = _label(record, columns.label, values) if columns.label else ""
    if not label and not scores:
        raise CellError(columns.label, _("the row says nothing of its pair: no label"))
    return Said(record.number, record.line, pair, premises, hypothesis, label or _likeliest(scores), scores)


def _pair(record: Record, column: str) -> int | None:
    written = spelled(record.cells.get(column)) if column else ""
    if not written:
        return None
    if not (written.isascii() and written.isdecimal() and len(written) <= _LONGEST_NUMBER):
        raise CellError(column, _("“%(found)s” is no pair's number") % {"found": written[:60]})
    return int(written)


def _texts(record: Record, columns: Columns) -> tuple[tuple[str, ...], str]:
    premises = tuple(text for column in columns.premises for text in _premises(record, column) if text)
    hypothesis = record.text(columns.hypothesis)
    if not premises and not hypothesis and columns.pair:  # the number alone
        return (), ""
    for column, text in (*((columns.premises[0], text) for text in premises or ("",)), ("", hypothesis)):
        if problem := text_problem(text):
            raise CellError(column or columns.hypothesis, problem)
    return premises, hypothesis


def _premises(record: Record, column: str) -> list[str]:
    value = record.cells.get(column)
    if isinstance(value, list) or (column == "premises" and isinstance(value, str) and value[:1] == "["):
        texts = record.listed(column)
        if not all(isinstance(text, str) for text in texts):
            raise CellError(column, _("a list of texts is wanted"))
        return [text.strip() for text in texts]
    return [record.text(column)]


def _label(record: Record, column: str, values: Mapping[str, str]) -> str:
    """The label in canonical words, "" for an empty cell. What nobody can know ("no" in a file of three
    labels) or what is in no known spelling is a LabelError, which ``values`` can settle."""
    text = record.label(column)
    return "" if text.lower() in _NO_LABEL and text not in values else _word(text, column, values)


def _word(text: str, column: str, values: Mapping[str, str]) -> str:
    try:
        found = label_of(text, column, values)
    except LabelError as error:
        try:  # models write some words that files of pairs don't; "no" can be two
            found = "" if text.lower() == "no" else canonical(text)
        except WordError:
            found = ""
        if not found:
            raise error from None
    if not found:
        message = _("what the label “%(found)s” says is not known") % {"found": text[:60]}
        raise LabelError(column, message, text)
    return found


# ---- Probabilities --------------------------------------------------------------------------------


def _scores(record: Record, columns: Columns, values: Mapping[str, str]) -> dict[str, float]:
    """A probability for each label, one in all. CellError for a value that is none, for a sum that is
    another, and where one is missing."""
    if columns.by_label:
        found = {
            label: _probability(record.cells.get(column), column)
            for label, column in columns.by_label.items()
        }
        column = next(iter(columns.by_label.values()))
    elif columns.scores:
        column = columns.scores
        found = {}
        for word, value in _object(record.cells.get(column), column).items():
            label = _word(str(word), column, values)
            if label in found:
                raise CellError(column, _("%(label)s stands there twice") % {"label": label})
            found[label] = _probability(value, column)
        if len(found) < 2:
            raise CellError(column, _("a probability for each label is wanted"))
    else:
        return {}
    total = math.fsum(found.values())
    if abs(total - 1) > SUM_TOLERANCE + 1e-9:
        raise CellError(column, _("the probabilities come to %(sum)s, not to 1") % {"sum": f"{total:.4f}"})
    return {label: round(min(1.0, max(0.0, value)), 6) for label, value in found.items()}


def _object(value: Any, column: str) -> dict[str, Any]:
    if isinstance(value, str):
        try:
            value = json.loads(value, parse_constant=lambda _name: None)
        except (ValueError, RecursionError):
            raise CellError(column, _("this is no JSON: %(found)s") % {"found": value[:60]}) from None
    if not isinstance(value, dict):
        raise CellError(
            column,
            _('an object such as {"entailment": 0.9, "non-entailment": 0.1} is wanted, not %(found)s')
            % {"found": repr(value)[:60]},
        )
    # Parquet has all the keys of any row in every row, empty where the row has none.
    return {key: item for key, item in value.items() if item is not None} or value


def _probability(value: Any, column: str) -> float:
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            raise CellError(column, _("“%(found)s” is no number") % {"found": value[:60]}) from None
    if value is None or isinstance(value, bool) or not isinstance(value, int | float):
        raise CellError(column, _("a probability is missing, or is no number"))
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number) or not -_ROUNDING <= number <= 1 + _ROUNDING:
        raise CellError(
            column,
            _("%(found)s is no probability, which lies between 0 and 1 (logits go through the softmax first)")
            % {"found": str(value)[:30]},
        )
    return number


def _likeliest(scores: Mapping[str, float]) -> str:
    best = max(scores.values())
    first = [label for label, value in scores.items() if value == best]
    if len(first) > 1:
        raise CellError("", _("no label is likelier than the others, and the row has no label of its own"))
    return first[0]
