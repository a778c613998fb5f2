"""Records of a file, one after the other: of delimited tables, of JSON lines, of Parquet."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import IO, Any

from django.utils.translation import gettext as _

from apps.corpora.reading import Record as TableRecord
from apps.corpora.reading import RowError, column_name, is_quoted_tsv, records_of
from apps.datasets.importing.opening import MAXIMUM_BYTES, Source, lines_of
from apps.datasets.importing.rows import CellError, FileProblem

# What a table's separator and quoting are judged by.
SAMPLE_LINES = 500
SAMPLE_CHARACTERS = 512 * 1024
SEPARATORS = "\t,;|"
MOST_COLUMNS = 1000
PARQUET_BATCH = 500


@dataclass(frozen=True, slots=True)
class Record:
    """A record by the names of its columns in lower case; ``line`` is where it begins."""

    number: int
    line: int
    cells: Mapping[str, Any]

    def text(self, *columns: str) -> str:
        """The cell of the first of these columns that is there, stripped; "" where none is."""
        for column in columns:
            value = self.cells.get(column)
            if value is None:
                continue
            if isinstance(value, str):
                return value.strip()
            if isinstance(value, int | float) and not isinstance(value, bool):
                return str(value)
            raise CellError(column, _("this is no text: %(found)s") % {"found": repr(value)[:60]})
        return ""

    def listed(self, column: str) -> list[Any]:
        """A cell that is a list; [] where there is none."""
        value = self.cells.get(column)
        if value is None:
            return []
        if not isinstance(value, list):
            raise CellError(column, _("a list is wanted, not %(found)s") % {"found": repr(value)[:60]})
        return value


@dataclass(frozen=True)
class Records:
    """The columns of a file as it names them, and its records and bad rows in order."""

    columns: tuple[str, ...]
    rows: Iterator[Record | RowError]

    @property
    def keys(self) -> frozenset[str]:
        return frozenset(name.lower() for name in self.columns)


def table_records(source: Source, *, has_header: bool = True) -> Records:
    """A delimited table. The separator is the one that its first line holds most of.

    With tabs, quotes are letters, as MNLI's files are written, unless the sample's cells only fit
    together when they are read as a spreadsheet writes them.
    """
    lines = (line for _number, line in lines_of(source))
    sample: list[str] = []
    characters = 0
    for line in islice(lines, SAMPLE_LINES):
        sample.append(line)
        characters += len(line)
        if characters > SAMPLE_CHARACTERS:
            break
    first = next((line for line in sample if line.strip()), "")
    separator = max(SEPARATORS, key=first.count)
    quoted = separator != "\t" or is_quoted_tsv("".join(sample))
    records = records_of(chain(sample, lines), separator, quoted=quoted)
    head = next(records, None)
    if head is None:
        return Records((), iter(()))
    if head.error:
        raise FileProblem(head.error, head.line)
    if len(head.cells) > MOST_COLUMNS:
        raise FileProblem(_("the first row has %(n)d columns") % {"n": len(head.cells)}, head.line)
    if has_header:
        names = _names(head.cells)
        return Records(names, _table_rows(records, names))
    names = _names([""] * len(head.cells))
    return Records(names, _table_rows(chain([head], records), names))


def _names(header: Sequence[str]) -> tuple[str, ...]:
    """The headers, doubled ones (in any case) numbered and missing ones by their place."""
    folded = [cell.strip().lower() for cell in header]
    names = []
    for index, cell in enumerate(header):
        numbered = column_name(folded, index)
        names.append(cell.strip() + numbered[len(folded[index]) :] if folded[index] else numbered)
    return tuple(names)


def _table_rows(records: Iterator[TableRecord], names: Sequence[str]) -> Iterator[Record | RowError]:
    keys = [name.lower() for name in names]
    for number, record in enumerate(records, 1):
        if record.error:
            yield RowError(number, record.line, "", record.error)
        elif len(record.cells) != len(keys):
            message = _("Cells in this row: %(found)d; in the first row: %(expected)d.") % {
                "found": len(record.cells),
                "expected": len(keys),
            }
            yield RowError(number, record.line, "", message)
        else:
            yield Record(number, record.line, dict(zip(keys, record.cells, strict=True)))


def json_records(source: Source) -> Records:
    """JSON lines; the columns are those of the first object."""
    rows = _json_rows(source)
    head = next(rows, None)
    columns = tuple(head.cells) if isinstance(head, Record) else ()
    return Records(columns, rows if head is None else chain([head], rows))


def _json_rows(source: Source) -> Iterator[Record | RowError]:
    number = 0
    for line, text in lines_of(source):
        if not text.strip():
            continue
        number += 1
        try:
            found = json.loads(text)
        except (ValueError, RecursionError) as error:
            reason = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
            yield RowError(number, line, "", _("No JSON: %(error)s") % {"error": reason})
            continue
        if not isinstance(found, dict):
            yield RowError(number, line, "", _("A JSON object is wanted on each line."))
            continue
        yield Record(number, line, {key.lower(): value for key, value in found.items()})


def parquet_records(file: IO[bytes]) -> Records:
    """Parquet, a batch at a time. The sizes that the file declares are checked before it is read."""
    import pyarrow
    from pyarrow import parquet

    try:
        table = parquet.ParquetFile(file, thrift_string_size_limit=2**22, thrift_container_size_limit=2**20)
        groups = [table.metadata.row_group(index) for index in range(table.metadata.num_row_groups)]
        declared = sum(group.total_byte_size for group in groups)
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        raise FileProblem(_("no readable Parquet: %(error)s") % {"error": _short(error)}) from None
    if declared > MAXIMUM_BYTES or table.metadata.num_columns > MOST_COLUMNS:
        raise FileProblem(
            _("the file holds more than %(limit)d MB. Split it.") % {"limit": MAXIMUM_BYTES // 2**20}
        )
    return Records(tuple(table.schema_arrow.names), _parquet_rows(table))


def _parquet_rows(table: Any) -> Iterator[Record]:
    import pyarrow

    number = 0
    try:
        for batch in table.iter_batches(batch_size=PARQUET_BATCH, use_threads=False):
            if batch.nbytes > MAXIMUM_BYTES // 4:
                raise FileProblem(_("%(n)d rows hold too much to be read") % {"n": len(batch)}, number + 1)
            for row in batch.to_pylist():
                number += 1
                yield Record(number, number, {key.lower(): value for key, value in row.items()})
    except (pyarrow.ArrowException, OSError, ValueError, UnicodeDecodeError) as error:
        if isinstance(error, FileProblem):
            raise
        raise FileProblem(
            _("no readable Parquet: %(error)s") % {"error": _short(error)}, number + 1
        ) from None


def _short(error: Exception) -> str:
    return str(error).splitlines()[0][:200] if str(error) else type(error).__name__
