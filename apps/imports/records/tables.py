"""Records of delimited tables, and of sheets of a workbook."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, islice

from django.utils.translation import gettext as _

from apps.corpora.formats.readings import RowError
from apps.corpora.formats.tables import Record as TableRecord
from apps.corpora.formats.tables import column_name, is_quoted_tsv, records_of, separator_hint
from apps.corpora.sources import FileProblem, Source, lines_of
from apps.corpora.workbooks import Row as SheetRow
from apps.corpora.workbooks import cell_text
from apps.imports.records.record import MOST_COLUMNS, Record, Records

# What a table's separator and quoting are judged by.
SAMPLE_LINES = 500
SAMPLE_CHARACTERS = 512 * 1024
SEPARATORS = "\t,;|"


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
    before, separator = 0, separator_hint(first)
    if separator:
        before = sample.index(first) + 1
        del sample[:before]
    else:
        separator = max(SEPARATORS, key=first.count)
    quoted = separator != "\t" or is_quoted_tsv("".join(sample))
    records = records_of(chain(sample, lines), separator, quoted=quoted, before=before)
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


def sheet_records(rows: Iterator[SheetRow], *, has_header: bool = True) -> Records:
    """A sheet of a workbook, read as a table; a cell of numbers or times is what it shows."""
    records = (TableRecord(number, tuple(map(cell_text, cells))) for number, cells in rows)
    head = next(records, None)
    if head is None:
        return Records((), iter(()))
    width = max((place for place, cell in enumerate(head.cells, 1) if cell.strip()), default=0)
    if width > MOST_COLUMNS:
        raise FileProblem(_("the first row has %(n)d columns") % {"n": width}, head.line)
    even = (_as_wide(record, width) for record in (records if has_header else chain([head], records)))
    names = _names(head.cells[:width] if has_header else [""] * width)
    return Records(names, _table_rows(even, names))


def _as_wide(record: TableRecord, width: int) -> TableRecord:
    """A row of a sheet is as long as its last filled cell."""
    cells = list(record.cells)
    while len(cells) > width and not cells[-1].strip():
        cells.pop()
    return TableRecord(record.line, (*cells, *[""] * (width - len(cells))))
