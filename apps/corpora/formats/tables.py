"""Sentences out of a table: a column of CSV or TSV, and the names of columns."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from apps.corpora.formats.readings import (
    LINE_END,
    MAXIMUM_BYTES,
    Format,
    Reading,
    Row,
    RowError,
    text_problem,
)

_NUMBER = re.compile(r"[+-]?[0-9][0-9.,]*")
_END_MARKS = (".", "!", "?", "…", "。", "？", "！")
_HINT = re.compile(r'(?P<quote>"?)sep=(?P<mark>[^\w\s"]|\t)(?P=quote)\s*', re.IGNORECASE)

# Python's own limit of a cell (131,072 characters) raises in the middle of a file; the file's size is
# limited already, and a sentence's length is checked here with a message of our own.
csv.field_size_limit(MAXIMUM_BYTES)


@dataclass(frozen=True)
class Record:
    """A table's record before a column is chosen. ``error`` says why it could not be read."""

    line: int
    cells: tuple[str, ...]
    error: str = ""


@dataclass(frozen=True)
class Layout:
    """Which column of a table holds the sentences (from 0), which an identifier, and whether the
    first record names the columns."""

    column: int
    id_column: int | None = None
    has_header: bool = True


def is_header(cells: Sequence[str]) -> bool:
    """Whether a table's first record reads like names of columns: no cell is a number or a sentence.

    A sentence is two words or more that end in an end mark, or five words or more.

    >>> is_header(["id", "sentence 1", "gold label"]), is_header(["1", "No dog barked."])
    (True, False)
    """
    return not any(_is_number_or_sentence(cell.strip()) for cell in cells)


def _is_number_or_sentence(cell: str) -> bool:
    words = len(cell.split())
    return bool(_NUMBER.fullmatch(cell)) or words >= 5 or (words >= 2 and cell.endswith(_END_MARKS))


def read_column(records: Sequence[Record], layout: Layout) -> Reading:
    """The sentences of one column of a table."""
    header = records[0].cells if records and layout.has_header else ()
    width = len(records[0].cells) if records else 0
    name = column_name(header, layout.column) if header else str(layout.column + 1)
    rows: list[Row] = []
    errors: list[RowError] = []
    for number, record in enumerate(records[1:] if layout.has_header else records, 1):
        problem = record.error
        if not problem and len(record.cells) != width:
            problem = _("Cells in this row: %(found)d; in the first row: %(expected)d.") % {
                "found": len(record.cells),
                "expected": width,
            }
        text = "" if problem else record.cells[layout.column].strip()
        problem = problem or text_problem(text)
        if problem:
            errors.append(RowError(number, record.line, name, problem))
            continue
        identifier = record.cells[layout.id_column].strip()[:200] if layout.id_column is not None else ""
        rows.append(Row(number, record.line, text, identifier))
    return Reading(tuple(rows), tuple(errors))


def read_records(text: str, format: Format) -> list[Record]:
    """The records of a CSV or TSV text, blank ones left out.

    A CSV's separator is the one that its first line holds most of (comma, semicolon or tab). A TSV is
    read without quoting, as MNLI's files are written, unless its cells only fit together when quotes
    are read as a spreadsheet writes them.
    """
    lines = io.StringIO(text, newline="")
    if format == Format.CSV:
        first = LINE_END.split(text.lstrip("\r\n"), maxsplit=1)[0]
        if separator := separator_hint(first):
            next(line for line in lines if line.strip())
            return list(records_of(lines, separator, quoted=True, before=text.index(first) + 1))
        return list(records_of(lines, max(",;\t", key=first.count), quoted=True))
    return list(records_of(lines, "\t", quoted=is_quoted_tsv(text)))


def separator_hint(line: str) -> str:
    """The separator in a first line ``sep=;``, which Excel writes and reads as no row; "" in any other.

    >>> separator_hint("sep=;"), separator_hint('"sep=,"'), separator_hint("separate")
    (';', ',', '')
    """
    found = _HINT.fullmatch(line.strip("\r\n"))
    return found["mark"] if found else ""


def is_quoted_tsv(text: str) -> bool:
    """Whether the cells of a TSV only fit together when quotes are read as a spreadsheet writes them."""
    if '"' not in text:
        return False
    plain = list(records_of(io.StringIO(text, newline=""), "\t", quoted=False))
    if '""' not in text and len({len(record.cells) for record in plain}) <= 1:
        return False
    quoted = list(records_of(io.StringIO(text, newline=""), "\t", quoted=True))
    return len({len(record.cells) for record in quoted}) <= 1 and not any(r.error for r in quoted)


def records_of(lines: Iterable[str], separator: str, *, quoted: bool, before: int = 0) -> Iterator[Record]:
    """The records of a table's lines (with their ends), blank ones left out, as they are read. ``before``
    lines stand before them in the file."""
    reader = csv.reader(
        lines,
        delimiter=separator,
        quoting=csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE,
        strict=quoted,
    )
    while True:
        line = before + reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield Record(line, (), _("The row can't be read: %(error)s.") % {"error": error})
            continue
        if any(cell.strip() for cell in cells):
            yield Record(line, tuple(cells))


def column_name(header: Sequence[str], index: int) -> str:
    """A header as it is named to people: doubled ones numbered, a missing one by its place.

    >>> [column_name(["id", "text", "text", ""], i) for i in range(4)]
    ['id', 'text', 'text (2)', 'column 4']
    """
    name = header[index].strip() if index < len(header) else ""
    if not name:
        return _("column %(n)d") % {"n": index + 1}
    earlier = sum(cell.strip() == name for cell in header[:index])
    return f"{name} ({earlier + 1})" if earlier else name


def column_named(header: Sequence[str], wanted: str) -> int:
    """The column with exactly this header, or this number (from 1).

    Raises :class:`LookupError` with the headers found and the nearest ones to choose instead.
    """
    exact = [index for index, cell in enumerate(header) if cell == wanted and wanted]
    if len(exact) == 1:
        return exact[0]
    if wanted.isdigit() and 1 <= int(wanted) <= len(header):
        return int(wanted) - 1
    found = ", ".join(f"{index} “{cell}”" for index, cell in enumerate(header, 1))
    if not wanted:
        reason = _("Say which column holds the sentences.")
    elif len(exact) > 1:
        reason = _("The header “%(name)s” stands there %(n)d times.") % {"name": wanted, "n": len(exact)}
    else:
        reason = _("There is no header “%(name)s”.") % {"name": wanted}
    near = [
        str(index)
        for index, cell in enumerate(header, 1)
        if wanted and cell.strip().casefold() == wanted.strip().casefold()
    ]
    message = reason + " " + _("The headers found: %(found)s.") % {"found": found}
    message += " " + _("Name the column by its number: %(near)s.") % {
        "near": _(" or ").join(near) or "1, 2 …"
    }
    raise LookupError(message)
