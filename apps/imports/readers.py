"""A file as a stream of pairs: how it is read, and what of a pair can be stored."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from apps.corpora.formats.readings import RowError
from apps.corpora.sources import PARQUET, FileProblem, opened
from apps.corpora.workbooks import is_workbook
from apps.frame.texts import UNSTORABLE, pair_digest, text_problem
from apps.imports import formats
from apps.imports.formats import fracas, mapped
from apps.imports.formats.mapped import ColumnMapping
from apps.imports.formats.table import Values
from apps.imports.records.files import records_in
from apps.imports.records.record import Record, Records
from apps.imports.rows import (
    LONGEST_GENRE,
    LONGEST_SOURCE,
    LONGEST_TAG,
    MOST_PREMISES,
    CellError,
    LabelError,
    LeftOut,
    NeedsColumns,
    PairRow,
    UnknownLabel,
)

MAXIMUM_ROWS = 1_000_000

Event = PairRow | RowError | LeftOut


@dataclass(frozen=True)
class Choices:
    """What a person has settled about a file: empty for what the file itself says. ``values`` is what its
    labels stand for, "" for none."""

    encoding: str = ""
    member: str = ""
    format: str = ""
    has_header: bool = True
    mapping: ColumnMapping | None = None
    values: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> Choices:
        """From its JSON form."""
        mapping = stored.get("mapping")
        known = ("encoding", "member", "format", "has_header", "values")
        plain = {name: stored[name] for name in known if name in stored}
        return cls(**plain, mapping=ColumnMapping.of(mapping) if mapping else None)

    def stored(self) -> dict[str, Any]:
        return {
            "encoding": self.encoding,
            "member": self.member,
            "format": self.format,
            "has_header": self.has_header,
            "mapping": self.mapping.stored() if self.mapping else None,
            "values": dict(self.values),
        }


@dataclass(frozen=True)
class Table:
    """A file's columns as it names them, and its first records; ``mapping`` is a guess from usual names."""

    columns: tuple[str, ...]
    sample: tuple[Record, ...]
    mapping: ColumnMapping | None


@dataclass
class Reading:
    """A file being read: its format's key, and its pairs, bad rows and left-out problems in order.

    ``occurrences`` counts how often each pair was met, so that the second one is known as such.
    """

    format: str
    events: Iterator[Event]
    occurrences: dict[int, int] = field(default_factory=dict)

    def occurrence(self, digest: str) -> int:
        """How often this pair stood in the file before (0: for the first time)."""
        key = int(digest[:15], 16)
        seen = self.occurrences.get(key, 0)
        self.occurrences[key] = seen + 1
        return seen


@contextmanager
def reading(path: Path, name: str, choices: Choices) -> Iterator[Reading]:
    """Open a file and read it as ``choices`` say. Raises :class:`FileProblem` and its kinds, also later."""
    if choices.format in ("", fracas.KEY) and _is_xml(path, name, choices):
        with opened(path, name, encoding=choices.encoding, member=choices.member) as source:
            yield Reading(fracas.KEY, _checked(fracas.read(source)))
    elif choices.format == fracas.KEY:
        raise FileProblem(_("this is no XML"))
    else:
        with _records(path, name, choices) as records:
            yield _of_records(records, choices)


def look(path: Path, name: str, choices: Choices, rows: int = 4) -> Table:
    """The columns of a table and a few of its records; no columns for XML."""
    if _is_xml(path, name, choices):
        return Table((), (), None)
    with _records(path, name, choices) as records:
        return _table(records, rows)


def _is_xml(path: Path, name: str, choices: Choices) -> bool:
    if is_workbook(path):
        return False
    with opened(path, name, encoding=choices.encoding, member=choices.member) as source:
        return not source.starts_with(PARQUET) and source.first_character() == "<"


def _records(path: Path, name: str, choices: Choices) -> AbstractContextManager[Records]:
    return records_in(
        path, name, encoding=choices.encoding, member=choices.member, has_header=choices.has_header
    )


def _table(records: Records, rows: int) -> Table:
    sample = tuple(row for row in islice(records.rows, rows) if isinstance(row, Record))
    return Table(records.columns, sample, ColumnMapping.guessed(records.keys))


def _of_records(records: Records, choices: Choices) -> Reading:
    """The format asked for, or else the one that the columns name, or else a mapping of usual names."""
    if not records.columns:
        return Reading(choices.format or mapped.KEY, _checked(_bad_rows(records)))
    format = formats.BY_KEY.get(choices.format)
    if choices.format and choices.format != mapped.KEY and format is None:
        raise FileProblem(_("unknown format “%(name)s”") % {"name": choices.format})
    if format is None and choices.mapping is None and choices.format == "":
        format = formats.known_by(records.keys)
    if format is not None:
        missing = sorted(format.required - records.keys)
        if missing:
            raise FileProblem(
                _("the format %(format)s needs the columns %(missing)s; found: %(found)s")
                % {
                    "format": format.key,
                    "missing": ", ".join(missing),
                    "found": ", ".join(records.columns)[:500],
                }
            )
        return Reading(format.key, _checked(_read(records, format.read, choices.values)))
    mapping = choices.mapping or ColumnMapping.guessed(records.keys)
    if mapping is None:
        raise NeedsColumns(list(records.columns))
    if absent := [name for name in mapping.columns if name not in records.keys]:
        raise FileProblem(
            _("there is no column %(missing)s; found: %(found)s")
            % {"missing": ", ".join(absent), "found": ", ".join(records.columns)[:500]}
        )

    def read(record: Record, values: Values) -> PairRow:
        return mapped.read(record, mapping, values)

    return Reading(mapped.KEY, _checked(_read(records, read, {**mapping.values, **choices.values})))


def _bad_rows(records: Records) -> Iterator[Event]:
    return (row for row in records.rows if isinstance(row, RowError))


def _read(records: Records, read: Callable[[Record, Values], PairRow], values: Values) -> Iterator[Event]:
    for record in records.rows:
        if isinstance(record, RowError):
            yield record
            continue
        try:
            yield read(record, values)
        except LabelError as error:
            yield UnknownLabel(record.number, record.line, error.column, error.message, error.found)
        except CellError as error:
            yield RowError(record.number, record.line, error.column, error.message)


def _checked(events: Iterator[Event]) -> Iterator[Event]:
    """The events up to the limit, with a row that can't be stored turned into its error."""
    for count, event in enumerate(events, 1):
        if count > MAXIMUM_ROWS:
            raise FileProblem(
                _("the file has more than %(n)s rows. Split it.")
                % {"n": number_format(MAXIMUM_ROWS, force_grouping=True)},
                event.line,
            )
        if not isinstance(event, PairRow):
            yield event
            continue
        try:
            _check(event)
        except CellError as error:
            yield RowError(event.number, event.line, error.column, error.message)
            continue
        tags = tuple(sorted(set(event.tags))) if len(event.tags) > 1 else event.tags
        yield event if tags == event.tags else replace(event, tags=tags)


def _check(row: PairRow) -> None:
    """A million rows pass here: no word is looked up in a language before something is wrong."""
    if not 1 <= len(row.premises) <= MOST_PREMISES:
        raise CellError(_("premises"), _("a pair has 1 to %(most)d premises") % {"most": MOST_PREMISES})
    for premise in row.premises:
        if problem := text_problem(premise):
            raise CellError(_("premise"), problem)
    if problem := text_problem(row.hypothesis):
        raise CellError(_("hypothesis"), problem)
    if len(row.genre) > LONGEST_GENRE or (row.genre and text_problem(row.genre)):
        raise CellError(_("genre"), _short_problem(row.genre, LONGEST_GENRE))
    if len(row.source) > LONGEST_SOURCE or (row.source and text_problem(row.source)):
        raise CellError(_("source"), _short_problem(row.source, LONGEST_SOURCE))
    for tag in row.tags:
        if len(tag) > LONGEST_TAG or (tag and text_problem(tag)):
            raise CellError(_("tag"), _short_problem(tag, LONGEST_TAG))
    for name, fact in row.facts.items():
        if UNSTORABLE.search(name) or not _is_storable(fact):
            raise CellError(name, _("the cell holds a NUL character or half a character"))


def _short_problem(text: str, longest: int) -> str:
    return _("more than %(n)d characters") % {"n": longest} if len(text) > longest else text_problem(text)


def _is_storable(fact: object) -> bool:
    """Whether every text of a fact, which may be a list or an object, can be stored."""
    if isinstance(fact, str):
        return UNSTORABLE.search(fact) is None
    if isinstance(fact, dict):
        return all(_is_storable(part) for pair in fact.items() for part in pair)
    return all(map(_is_storable, fact)) if isinstance(fact, list) else True


def digest_of(row: PairRow) -> str:
    return pair_digest(row.premises, row.hypothesis)


def file_digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
