"""Sentences out of a file's text: one a line, or a column of a table.

CoNLL-U and CCG have modules of their own: :mod:`.conllu_reading` and :mod:`.ccg_reading`.

Reading never stops at a bad row: it yields the rows that are good and a numbered error for each that
is not, and leaves it to the import what to do about them. Rows count from 1 without the header; lines
are those of the file.
"""

from __future__ import annotations

import csv
import hashlib
import io
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.db import models
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.frame.texts import OVERRIDE

MAXIMUM_BYTES = 20 * 1024 * 1024
MAXIMUM_CHARACTERS = 5_000
# As many as one web request stores in a few seconds.
MAXIMUM_ROWS = 100_000

LINE_END = re.compile(r"\r\n|\r|\n")
_NUMBER = re.compile(r"[+-]?[0-9][0-9.,]*")
_END_MARKS = (".", "!", "?", "…", "。", "？", "！")
_SURROGATE = re.compile("[\ud800-\udfff]")
_HINT = re.compile(r'(?P<quote>"?)sep=(?P<mark>[^\w\s"]|\t)(?P=quote)\s*', re.IGNORECASE)

# Python's own limit of a cell (131,072 characters) raises in the middle of a file; the file's size is
# limited already, and a sentence's length is checked here with a message of our own.
csv.field_size_limit(MAXIMUM_BYTES)


class Format(models.TextChoices):
    LINES = "lines", gettext_lazy("one sentence a line")
    CSV = "csv", gettext_lazy("CSV, a column of it")
    TSV = "tsv", gettext_lazy("TSV, a column of it")
    CONLLU = "conllu", gettext_lazy("CoNLL-U")
    CCG = "ccg", gettext_lazy("CCG derivations (C&C or Jigg XML, AUTO)")

    @property
    def is_table(self) -> bool:
        return self in (Format.CSV, Format.TSV)

    @classmethod
    def of_file(cls, name: str) -> Format:
        """The format that a file's name says; lines for any other."""
        extension = name.lower().rpartition(".")[2]
        known = {"csv": cls.CSV, "tsv": cls.TSV, "conllu": cls.CONLLU, "conll": cls.CONLLU}
        return {**known, "xml": cls.CCG, "auto": cls.CCG}.get(extension, cls.LINES)


@dataclass(frozen=True)
class Row:
    """A sentence of the file, with its row's number and the line it begins at."""

    number: int
    line: int
    text: str
    external_id: str = ""


@dataclass(frozen=True)
class RowError:
    """What is wrong with one row; ``column`` names the header where there is one."""

    number: int
    line: int
    column: str
    message: str

    def __str__(self) -> str:
        place = _("row %(row)d (line %(line)d)") % {"row": self.number, "line": self.line}
        if self.column:
            place += ", " + _("column “%(column)s”") % {"column": self.column}
        return f"{place}: {self.message}"


@dataclass(frozen=True)
class Reading:
    """Everything that a file holds, good and bad, in the file's order."""

    rows: tuple[Row, ...]
    errors: tuple[RowError, ...]

    def limited(self, maximum: int = MAXIMUM_ROWS) -> Reading:
        """The first ``maximum`` rows; where there are more, one error that stands for the rest."""
        if len(self.rows) <= maximum:
            return self
        over = self.rows[maximum]
        message = _("At most %(limit)s rows are taken at once; this one and %(n)s after it are not.") % {
            "limit": number_format(maximum, force_grouping=True),
            "n": number_format(len(self.rows) - maximum - 1, force_grouping=True),
        }
        return Reading(self.rows[:maximum], (*self.errors, RowError(over.number, over.line, "", message)))


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


def sentence_digest(text: str) -> str:
    """SHA-256 of the text's NFC form: composed and decomposed letters are the same sentence."""
    return hashlib.sha256(unicodedata.normalize("NFC", text).encode()).hexdigest()


def text_problem(text: str) -> str:
    """Why a text cannot be stored as a sentence, or "" when it can."""
    if not text.strip():
        return _("The cell is empty.")
    if len(text) > MAXIMUM_CHARACTERS:
        return _("The sentence has %(n)s characters; at most %(limit)s are stored.") % {
            "n": number_format(len(text), force_grouping=True),
            "limit": number_format(MAXIMUM_CHARACTERS, force_grouping=True),
        }
    if "\0" in text:
        return _("The text holds a NUL character (U+0000).")
    if _SURROGATE.search(text):
        return _("The text holds half a character (a lone surrogate).")
    if OVERRIDE.search(text):
        return _("This text holds an invisible character that turns its direction (U+202D or U+202E).")
    return ""


def nul_lines(text: str, limit: int = 5) -> list[int]:
    """The first lines that hold a NUL character: a sign that the file is no text at all."""
    if "\0" not in text:
        return []
    return [number for number, line in enumerate(LINE_END.split(text), 1) if "\0" in line][:limit]


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


def read_lines(text: str) -> Reading:
    """One sentence a line; blank lines count as lines and hold nothing."""
    return _collect(
        Row(number, number, line.strip())
        for number, line in enumerate(LINE_END.split(text), 1)
        if line.strip()
    )


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


def _collect(candidates: Iterator[Row]) -> Reading:
    rows: list[Row] = []
    errors: list[RowError] = []
    for row in candidates:
        if problem := text_problem(row.text):
            errors.append(RowError(row.number, row.line, "", problem))
        else:
            rows.append(row)
    return Reading(tuple(rows), tuple(errors))
