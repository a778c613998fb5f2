"""Records of a file, one after the other: of delimited tables, of JSON lines, of Parquet."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import IO, Any

from django.utils.translation import gettext as _

from apps.corpora.opening import LONGEST_LINE, MAXIMUM_BYTES, FileProblem, Source, lines_of, text_of
from apps.corpora.reading import Record as TableRecord
from apps.corpora.reading import RowError, column_name, is_quoted_tsv, records_of, separator_hint
from apps.corpora.workbooks import Row as SheetRow
from apps.corpora.workbooks import cell_text
from apps.imports.labels import spelled
from apps.imports.rows import CellError

# What a table's separator and quoting are judged by.
SAMPLE_LINES = 500
SAMPLE_CHARACTERS = 512 * 1024
SEPARATORS = "\t,;|"
MOST_COLUMNS = 1000
PARQUET_BATCH = 500
# What other programs write for "not a number" and the infinities is no value.
_JSON = json.JSONDecoder(parse_constant=lambda _name: None)
_BETWEEN = re.compile(r"[\s,]*")


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
            if value is None or value != value:  # not a number
                continue
            if isinstance(value, str):
                return value.strip()
            if isinstance(value, int | float) and not isinstance(value, bool):
                return str(value)
            raise CellError(column, _("this is no text: %(found)s") % {"found": repr(value)[:60]})
        return ""

    def label(self, *columns: str) -> str:
        """A label's cell as people would write it, numbers and truth values too; of a list, its only one."""
        value = next((found for name in columns if (found := self.cells.get(name)) is not None), None)
        if isinstance(value, list):
            several = list(dict.fromkeys(spelled(item) for item in value))
            if len(several) > 1:
                raise CellError(
                    columns[0], _("several labels: %(found)s") % {"found": ", ".join(several)[:60]}
                )
            return several[0] if several else ""
        return spelled(value) if isinstance(value, bool | int | float) else self.text(*columns)

    def listed(self, column: str) -> list[Any]:
        """A cell that is a list, or in a table its JSON; [] where there is none."""
        value = self.cells.get(column)
        if value is None or value == "":
            return []
        if isinstance(value, str) and value.startswith("["):
            try:
                value = json.loads(value)
            except (ValueError, RecursionError) as error:
                raise CellError(column, _("this is no JSON")) from error
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


def json_records(source: Source) -> Records:
    """JSON lines, or one array of objects; the columns are those of the first object."""
    rows = _array_rows(source) if source.first_character() == "[" else _json_rows(source)
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
            found = _JSON.decode(text)
        except (ValueError, RecursionError) as error:
            yield RowError(number, line, "", _("No JSON: %(error)s") % {"error": _reason(error)})
            continue
        if not isinstance(found, dict):
            yield RowError(number, line, "", _("A JSON object is wanted on each line."))
            continue
        yield Record(number, line, _cells(found))


def _array_rows(source: Source) -> Iterator[Record | RowError]:
    """The objects of one array, as they are read. Where one can't be, nothing after it can."""
    pieces = text_of(source)
    text, number = next(pieces, ""), 0
    place = text.index("[") + 1
    line = 1 + text.count("\n", 0, place)
    while True:
        start = _BETWEEN.match(text, place).end()  # type: ignore[union-attr]
        line += text.count("\n", place, start)
        place = start
        try:
            found, end = _JSON.raw_decode(text, place)
        except (ValueError, RecursionError) as error:
            if text.startswith("]", place):
                return
            piece = next(pieces, "") if len(text) - place <= LONGEST_LINE else ""
            if not piece:
                raise FileProblem(_("No JSON: %(error)s") % {"error": _reason(error)}, line) from None
            text, place = text[place:] + piece, 0
            continue
        number += 1
        if isinstance(found, dict):
            yield Record(number, line, _cells(found))
        else:
            yield RowError(number, line, "", _("A JSON object is wanted as each item of the list."))
        line += text.count("\n", place, end)
        place = end


def _cells(found: dict[str, Any]) -> dict[str, Any]:
    """An object's cells. Label Studio's tasks have what was labelled in ``data``, and each person's choice
    deep in ``annotations``."""
    data, annotations = found.get("data"), found.get("annotations")
    if isinstance(data, dict) and isinstance(annotations, list):
        found = {**data, "id": found.get("id"), "annotations": [_choice(one) for one in annotations]}
    return {key.lower(): value for key, value in found.items()}


def _choice(annotation: Any) -> str:
    """The first choice of a Label Studio annotation; "" where it was cancelled or has none."""
    try:
        if annotation.get("was_cancelled"):
            return ""
        values = (result["value"].get("choices") for result in annotation["result"])
        return str(next((choices[0] for choices in values if choices), ""))
    except (AttributeError, KeyError, TypeError):
        return ""


def _reason(error: Exception) -> str:
    return error.msg if isinstance(error, json.JSONDecodeError) else str(error)


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
    return Records(tuple(table.schema_arrow.names), _parquet_rows(table, _class_names(table)))


def _class_names(table: Any) -> dict[str, list[str]]:
    """What the numbers of a column stand for, where `datasets` wrote that into the file."""
    try:
        written = (table.schema_arrow.metadata or {}).get(b"huggingface", b"{}")
        features = json.loads(written)["info"]["features"]
        found = {column: _names_of(feature) for column, feature in features.items()}
    except (ValueError, KeyError, TypeError, AttributeError):
        return {}
    return {column: names for column, names in found.items() if names}


def _names_of(feature: Any) -> list[str]:
    """The names of a ClassLabel, or of a list of them."""
    inner = feature[0] if isinstance(feature, list) else feature
    names = inner.get("names") or inner.get("feature", {}).get("names") or []
    return names if isinstance(names, list) and all(isinstance(name, str) for name in names) else []


def _named(value: Any, names: list[str]) -> Any:
    if isinstance(value, list):
        return [_named(item, names) for item in value]
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return names[value] if is_number and 0 <= value < len(names) else None if value == -1 else value


def _plain(value: Any) -> Any:
    """A cell as JSON can hold it: no value for what is not a number, times and decimals as text."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    return value if value is None or isinstance(value, str | int | bytes) else str(value)


def _parquet_rows(table: Any, names: Mapping[str, list[str]]) -> Iterator[Record]:
    import pyarrow

    number = 0
    try:
        for batch in table.iter_batches(batch_size=PARQUET_BATCH, use_threads=False):
            if batch.nbytes > MAXIMUM_BYTES // 4:
                raise FileProblem(_("%(n)d rows hold too much to be read") % {"n": len(batch)}, number + 1)
            for row in batch.to_pylist():
                number += 1
                for column in names:
                    row[column] = _named(row.get(column), names[column])
                yield Record(number, number, {key.lower(): _plain(value) for key, value in row.items()})
    except (pyarrow.ArrowException, OSError, ValueError, UnicodeDecodeError) as error:
        if isinstance(error, FileProblem):
            raise
        raise FileProblem(
            _("no readable Parquet: %(error)s") % {"error": _short(error)}, number + 1
        ) from None


def _short(error: Exception) -> str:
    return str(error).splitlines()[0][:200] if str(error) else type(error).__name__
