"""The records of a file, whatever it is: a table, a sheet of a workbook, JSON, Parquet, packed or not."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from apps.corpora.sources import PARQUET, Source, as_seekable, opened
from apps.corpora.workbooks import is_workbook, sheet_rows
from apps.imports.records.json_objects import json_records
from apps.imports.records.parquet import parquet_records
from apps.imports.records.record import Records
from apps.imports.records.tables import sheet_records, table_records


@contextmanager
def records_in(
    path: Path, name: str, *, encoding: str = "", member: str = "", has_header: bool = True
) -> Iterator[Records]:
    """Open a file as its first bytes say. Raises :class:`FileProblem` and its kinds, also later, as the
    records are read."""
    if is_workbook(path):
        with sheet_rows(path, member) as rows:
            yield sheet_records(rows, has_header=has_header)
        return
    with opened(path, name, encoding=encoding, member=member) as source:
        if source.starts_with(PARQUET):
            with as_seekable(source, path) as file:
                yield parquet_records(file)
        else:
            yield _text_records(source, has_header)


def _text_records(source: Source, has_header: bool) -> Records:
    if source.first_character() == "{" or source.is_list():
        return json_records(source)
    return table_records(source, has_header=has_header)
